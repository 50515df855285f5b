"""Writes the filters into the package."""

from filters import compiled
from filters.builds import BUILDS
from filters.players import MACHINES, PLAYERS, RUBY
from referee.sandbox.calls.seccomp import file_of

for machine in MACHINES:
    file_of("players", machine).write_bytes(compiled(machine, PLAYERS))
    file_of("ruby", machine).write_bytes(compiled(machine, RUBY))
    file_of("builds", machine).write_bytes(compiled(machine, BUILDS))
