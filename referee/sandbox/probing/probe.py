"""Whether isolation holds on this machine: a player that attacks is started like any other, and none of it may work.

1. Versions and settings prove nothing. The canary (`canary.py`) is launched like a real player and attacks targets that the
   referee has prepared: a listener, a secret file, another process of the user.
2. Isolation does not hold if an attack was not refused, if the canary ended before the last attack, or if its output cannot
   be read.
3. A good verdict is remembered, so that a match does not pay for it each time (`verdicts.py`).
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import trio

from referee.errors import BotError, IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.limits import Level, Limits
from referee.sandbox.opening import Sandbox, start
from referee.sandbox.probing import canary as script
from referee.sandbox.program import Program
from referee.sandbox.tempdir import tempdir
from referee.text.words import shorten

TIME: Final = 20.0
"""Seconds that all attacks may take together: some 40 ms on an idle machine."""
NOT_PROMISED: Final[Mapping[Level, frozenset[str]]] = {
    Level.FULL: frozenset(),
    # Without its own namespace, a player's threads are counted together with all other threads of its user.
    Level.REDUCED: frozenset({"start more threads than the limit"}),
    Level.NONE: frozenset(attack for attack, _ in script.ATTACKS),
}
_OUTPUT_CAP: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Attempt:
    """One of `canary.ATTACKS`, whether it was refused, and `by` what: an error's name, or a text if it ended in another way."""

    attack: str
    refused: bool
    by: str


async def canary(sandbox: Sandbox, limits: Limits | None = None) -> list[Attempt]:
    """Let the canary attack from a cell of this sandbox. Returns how each attack ended, in order; the list ends early if the
    canary did.

    Args:
        limits: the limits of the sandbox; None to try the limits that the canary finds.

    Raises:
        IsolationError: the cell could not be set up, or the canary did not end in time or said nothing.
        BotError: no interpreter could be started in a cell.
    """
    player_limits = {"memory": limits and limits.memory, "threads": limits and limits.threads}
    with _baits() as (folder, baits):
        player = folder / "player"
        player.mkdir()
        shutil.copyfile(script.__file__, player / "canary.py")
        request = json.dumps({**baits, **player_limits}) + "\n"
        failed: BotError | IsolationError | None = None
        # The machine's own interpreter if a cell cannot show the referee's.
        usual = shutil.which("python3", path="/usr/bin:/usr/local/bin:/bin")
        for interpreter in filter(None, dict.fromkeys((sys.executable, usual))):
            program = Program("canary", (interpreter, "canary.py"), player, trusted=True)
            try:
                with trio.fail_after(TIME):
                    output, words = await _converse(sandbox, program, request.encode())
            except trio.TooSlowError:
                failed = IsolationError(isolation_errors.slow(program.name, TIME))
            except (BotError, IsolationError) as error:
                failed = error
            else:
                if attempts := read(output):
                    return attempts
                why = f": {words}" if words else ""
                failed = IsolationError(f"The canary that tests the isolation reported nothing{why}")
        assert failed is not None
        raise failed


def read(output: bytes) -> list[Attempt]:
    """The canary's output, up to the first line that is malformed or out of order."""
    attempts: list[Attempt] = []
    for line, (attack, _) in zip(output.splitlines(), script.ATTACKS, strict=False):
        try:
            entry = json.loads(line)
        except ValueError:
            break
        match entry:
            case {"attack": str(name), "refused": bool() as refused, "by": str(by)} if name == attack:
                attempts.append(Attempt(name, refused, shorten(by)))
            case _:
                break
    return attempts


def judge(attempts: Sequence[Attempt], level: Level = Level.FULL) -> None:
    """Raises IsolationError, which names the attacks, unless these attempts prove that isolation holds as `level` promises."""
    promised = [attempt for attempt in attempts if attempt.attack not in NOT_PROMISED[level]]
    worked = [a.attack + (f" ({a.by})" if a.by else "") for a in promised if not a.refused]
    missing = [attack for attack, _ in script.ATTACKS[len(attempts) :]]
    advice = "do not run untrusted programs here; `referee doctor` says what this machine lacks"
    if worked:
        raise IsolationError(f"Isolation does not hold: a player could {'; '.join(worked)}: {advice}")
    if missing:
        raise IsolationError(f"Isolation is not proven: the canary ended before it could {missing[0]}: {advice}")


@contextmanager
def _baits() -> Iterator[tuple[Path, dict[str, Any]]]:
    """The canary's targets, and what it knows about them. Other users may reach them all: only isolation is in between."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempdir())
        folder.chmod(0o755)
        secret = folder / "secret"
        secret.write_text("a secret\n")
        secret.chmod(0o644)
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        # It waits for input that never comes, and ends when its input ends.
        waiting = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
        victim = stack.enter_context(subprocess.Popen(waiting, stdin=subprocess.PIPE, env={}))
        stack.callback(victim.kill)
        port = listener.getsockname()[1]
        yield folder, {"port": port, "secret": str(secret), "referee": os.getpid(), "victim": victim.pid}


async def _converse(sandbox: Sandbox, program: Program, request: bytes) -> tuple[bytes, str]:
    """Start a program as players are started, and write it one short line. Returns its output, and the last line of its log."""
    cell = await start(sandbox, program)
    try:
        out = cell.stdout.fileno()
        os.set_blocking(out, False)
        with suppress(BrokenPipeError):
            os.write(cell.stdin.fileno(), request)  # one short line: the pipe is empty
        output = b""
        while len(output) < _OUTPUT_CAP:
            await trio.lowlevel.wait_readable(out)
            chunk = os.read(out, _OUTPUT_CAP)
            if not chunk:
                break
            output += chunk
        log = cell.words(_OUTPUT_CAP).decode(errors="replace").split("\n")
        return output, next((shorten(line) for line in reversed(log) if line.strip()), "")
    finally:
        cell.discard()
