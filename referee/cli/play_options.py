"""The options of `referee play`, by what they are about."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from referee.cli.again import command
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
from referee.errors import SetupError, UsageError
from referee.files.reading import MOST_JSON, STDIN, read
from referee.text.documents import Malformed, json_of, text_of
from referee.text.words import shorten

if TYPE_CHECKING:
    from referee.contract.game import Game
    from referee.contract.positions import Position
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
            UsageError, SetupError: see `_read_setup`.
        """
        from referee.match.line_up import Start, check_start

        check_start(self.setup, self.map, self.rounds, self.rotate)
        seed = secrets.randbelow(2**31) if self.seed is None else self.seed
        setup = None if self.setup is None else _read_setup(self.setup, game)
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


def _read_setup(path: Path, game: Game[Any, Any]) -> Position:
    """A position of this game from a file or pipe; `-` is standard input.

    Raises:
        UsageError: the file cannot be read, or is not a position. SetupError: the position breaks a rule of the game.
    """
    label = "standard input" if str(path) == STDIN else shorten(str(path))
    wanted = f"a position is expected, as `{command('state', 'SAVED_GAME')}` prints it"
    try:
        position = json_of(text_of(read(path, MOST_JSON)))
    except Malformed as wrong:
        raise UsageError(f"{label}{wrong.where()}: not JSON: {wrong}; {wanted}") from None
    if not isinstance(position, dict):
        raise UsageError(f"{label} is not a position: {wanted}")
    try:
        game.start(position, 0)
    except SetupError as wrong:
        raise SetupError(f"{label}: {wrong}") from None
    return position
