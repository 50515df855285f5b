"""The options of `referee play`, by what they are about."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from referee.cli.options import (
    Ascii,
    ClockKind,
    Color,
    Duration,
    Isolation,
    Memory,
    NoTimeouts,
    Output,
    Quiet,
    Seed,
    Speed,
    Total,
    Whole,
)  # fmt: skip

if TYPE_CHECKING:
    from referee.contract.game import Game
    from referee.match.line_up import Options, Start
    from referee.terminal.console import Terminal


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class StartOptions:
    """How the match begins."""

    map: Annotated[
        str | None,
        Parameter(
            help="A map's name or a .toml file; `referee map show` lists them. Default: the game's own, or the smallest that "
            "fits if it has too few places."
        ),
    ] = None
    setup: Annotated[Path | None, Parameter(help="Start from this position, as `referee state` prints it.")] = None
    seed: Seed = None
    rounds: Annotated[Whole | None, Parameter(help="The number of rounds; default: the map's.")] = None
    rotate: Annotated[Whole, Parameter(help="Move each seat on by this number of starting places.")] = 0

    def start(self, game: Game[Any, Any]) -> Start:
        """The start. Reads the position.

        Raises:
            UsageError, SetupError: see `setups.read_setup`.
        """
        from referee.cli import setups
        from referee.match.line_up import Start, check_start

        check_start(self.setup, self.map, self.rounds, self.rotate)
        seed = secrets.randbelow(2**31) if self.seed is None else self.seed
        setup = None if self.setup is None else setups.read_setup(self.setup, game)
        return Start(seed=seed, map=self.map, rounds=self.rounds, rotate=self.rotate, setup=setup)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class SaveOptions:
    """Where the match is kept."""

    output: Annotated[
        Output | None,
        Parameter(
            help="Save the match in this .jsonl or .jsonl.gz file; default: the history, which keeps the newest 100."
        ),
    ] = None
    transcript: Annotated[
        Path | None,
        Parameter(
            help="Write all bytes to seatK.in, seatK.out and seatK.err (K from 0) in this folder, and to index.jsonl which step "
            "they belong to; `referee replay` shows them."
        ),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class LimitOptions:
    """What players may use, and who may fail."""

    first: Annotated[Duration | None, Parameter(help="The limit for the first answer, such as 15s.")] = None
    answer: Annotated[Duration | None, Parameter(help="The limit for each later answer, such as 500ms.")] = None
    total: Annotated[
        Total | None, Parameter(help="The limit for all answers together, such as 2m; none: without a limit.")
    ] = None
    no_timeouts: NoTimeouts = False
    clock: ClockKind = "wall"
    pondering: Annotated[
        bool | None,
        Parameter(
            help="Whether players may compute during the turns of others; default: unless a person plays. Stopping them costs "
            "10 to 30 µs for each turn."
        ),
    ] = None
    isolation: Isolation = "full"
    memory: Memory | None = None
    forfeit: Annotated[
        bool,
        Parameter(
            negative="", help="A bot that cannot be built or started is disqualified at once, and the others play."
        ),
    ] = False

    @property
    def options(self) -> Options:
        """The same for `line_up`."""
        from referee.match.line_up import Options
        from referee.sandbox.limits import Level

        return Options(**{**asdict(self), "isolation": Level(self.isolation), "people": True})


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class ShowOptions:
    """What the user sees."""

    watch: Annotated[
        bool | None, Parameter(help="Show the match while it is played; default: on a terminal whose TERM is not dumb.")
    ] = None
    speed: Speed = None
    quiet: Quiet = False
    verbose: Annotated[
        int, Parameter(name=["--verbose", "-v"], count=True, help="Print every event on stderr; -vv: every byte too.")
    ] = 0
    color: Color = "auto"
    ascii: Ascii = False

    def terminal(self) -> Terminal:
        """The terminal, as the user wants it."""
        from referee.terminal.console import open_terminal  # here, so that matches without a view start sooner

        return open_terminal(color=self.color, ascii_only=self.ascii)
