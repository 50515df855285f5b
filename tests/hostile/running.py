"""Orders and runs one attack by one program, and reads the result."""

import os
import signal
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from typing import Final

import trio

from referee.sandbox.cells.cell import Cell, Launch
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import Sandbox, open_sandbox, start
from referee.sandbox.program import Program

LIMITS: Final = {
    "author": Limits(memory=64 * MIB),
    "memory": Limits(memory=64 * MIB),
    "Hostile": Limits(memory=512 * MIB),
    "hostile": Limits(memory=512 * MIB),
}
"""By program. An attack on memory takes 1.5 times its limit: 96 MiB, or 768 MiB in Java and Node, which need more to start."""
REFUSED: Final = frozenset({"EACCES", "ECHILD", "ENOENT", "ENOSYS", "EPERM", "EROFS", "ESRCH"})
"""Results that leave a program unchanged."""
PATIENCE: Final = 40.0
"""Seconds for an attack, far more than any takes."""


def order(attack: str, targets: Mapping[str, str]) -> bytes:
    """The line that orders an attack (attack.h)."""
    return " ".join([attack, *(f"{key}={value}" for key, value in targets.items())]).encode() + b"\n"


def outcome(attack: str, output: bytes, status: int) -> str:
    """`hit`, the errno that refused it, or the signal or status that ended the program before it could report."""
    for line in output.decode().splitlines():
        match line.split():
            case ["hit", name] if name == attack:
                return "hit"
            case ["refused", name, why] if name == attack:
                return why
    number = -status if status < 0 else status - 128
    return signal.Signals(number).name if number > 0 else f"status {status}"


def bare(program: Program, attacks: Sequence[str], targets: Mapping[str, str]) -> list[str]:
    """Makes the attacks in one process without a sandbox, as carelessly as possible: with the environment and descriptors of the
    test. Returns their outcomes.
    """
    done = subprocess.run(
        program.argv, input=b"".join(order(attack, targets) for attack in attacks), stdout=subprocess.PIPE,
        cwd=program.cwd, close_fds=False, restore_signals=False, timeout=PATIENCE, check=False,
    )  # fmt: skip
    return [outcome(attack, done.stdout, done.returncode) for attack in attacks]


class Cells:
    """Programs in cells, for one attack after the other; made within `stack`, which also ends them.

    A program is prepared once a level, as for a match. It is kept for its next attack only while its attacks are refused:
    an attack that partly works, or reaches a limit, changes the program.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._launches: dict[tuple[str, Level], Launch] = {}
        self._kept: dict[tuple[str, Level], Cell] = {}

    async def outcome(self, program: Program, attack: str, targets: Mapping[str, str], level: Level) -> str:
        """Makes the attack in a cell; returns its outcome."""
        kind = program.name, level
        cell = self._kept.pop(kind, None) or await self._started(program, level)
        try:
            os.write(cell.stdin.fileno(), order(attack, targets))
            output = ""
            while line := await read_line(cell):
                output += line
                if line.split()[:2] in (["hit", attack], ["refused", attack]):
                    break
            came = outcome(attack, output.encode(), 0 if line else await status_of(cell))
            if line and came in REFUSED:
                self._kept[kind] = cell
            return came
        finally:
            if kind not in self._kept:
                cell.discard()

    async def _started(self, program: Program, level: Level) -> Cell:
        kind = program.name, level
        if kind not in self._launches:
            sandbox = self._stack.enter_context(open_sandbox(level, LIMITS.get(program.name)))
            self._stack.callback(self._end_all)  # before the sandbox ends
            self._launches[kind] = await sandbox.prepare(program)
        cell = self._launches[kind].spawn()
        try:
            await cell.settle()
        except BaseException:
            cell.discard()
            raise
        return cell

    def _end_all(self) -> None:
        while self._kept:
            self._kept.popitem()[1].discard()


@asynccontextmanager
async def celled(sandbox: Sandbox, program: Program) -> AsyncIterator[Cell]:
    """Runs a program, and ends it on exit."""
    cell = await start(sandbox, program)
    try:
        yield cell
    finally:
        cell.kill()
        with trio.CancelScope(shield=True), trio.move_on_after(2):
            await status_of(cell)
        cell.discard()


async def status_of(cell: Cell) -> int:
    """The status of a program, when it has ended."""
    while (status := cell.status()) is None:
        await trio.lowlevel.wait_readable(cell.end)
    return status


async def read_to_end(cell: Cell) -> bytes:
    """The output of a program until all its processes have ended."""
    output = b""
    with trio.fail_after(PATIENCE):
        while True:
            await trio.lowlevel.wait_readable(cell.stdout.fileno())
            if not (data := os.read(cell.stdout.fileno(), 65536)):
                return output
            output += data


async def read_line(cell: Cell) -> str:
    """The next line that a program writes."""
    line = b""
    with trio.fail_after(PATIENCE):
        while not line.endswith(b"\n"):
            await trio.lowlevel.wait_readable(cell.stdout.fileno())
            if not (data := os.read(cell.stdout.fileno(), 1)):
                break
            line += data
    return line.decode()
