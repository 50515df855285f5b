"""Writes the fork servers into the package."""

from forkserver import MACHINES, compile_to
from referee.sandbox.cells.fork_server import file_of

for machine in MACHINES:
    compile_to(file_of(machine), f"{machine}-linux-gnu-gcc")
    file_of(machine).chmod(0o644)
