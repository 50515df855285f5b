"""`referee play`: plays one match between bots, from the command line to the closing table."""

from __future__ import annotations

import json as json_text
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from referee.cli.options import (
    Ascii,
    ClockKind,
    Color,
    Duration,
    GameName,
    Isolation,
    Json,
    Memory,
    Quiet,
    Seed,
    Speed,
    Total,
    Whole,
    check_memory,
)
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.game import Game
    from referee.positions import Position


def play(
    *bots: Annotated[
        str,
        Parameter(
            help="A sample bot's name, a source file, a folder, a ZIP file, or cmd:'PROGRAM ARGS'. NAME=BOT sets the name that "
            "people see. "
            "`human` is you, at this keyboard. In games with players of the house, `house` is one of them."
        ),
    ],
    game: GameName = None,
    map: Annotated[  # noqa: A002
        str | None,
        Parameter(
            help="A map's name or a .toml file; `referee map show` lists them. Default: the game's own, or the smallest that "
            "fits if it has too few places."
        ),
    ] = None,
    setup: Annotated[Path | None, Parameter(help="Start from this position, as `referee state` prints it.")] = None,
    seed: Seed = None,
    rounds: Annotated[Whole | None, Parameter(help="The number of rounds; default: the map's.")] = None,
    rotate: Annotated[Whole, Parameter(help="Move each seat on by this number of starting places.")] = 0,
    matches: Annotated[
        Whole,
        Parameter(
            name=["--matches", "-n"],
            help="Play so many matches, each bot from each seat, and print a table with ratings. Nothing is saved.",
        ),
    ] = 1,
    jobs: Annotated[Whole | None, Parameter(help="With -n: matches at a time.")] = None,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            help="Save the match in this .jsonl or .jsonl.gz file; default: the history, which keeps the newest 100.",
        ),
    ] = None,
    transcript: Annotated[
        Path | None,
        Parameter(
            help="Write all bytes to seatK.in, seatK.out and seatK.err (K from 0) in this folder, and to index.jsonl which step "
            "they belong to; `referee replay` shows them."
        ),
    ] = None,
    first: Annotated[Duration | None, Parameter(help="The limit for the first answer, such as 15s.")] = None,
    answer: Annotated[Duration | None, Parameter(help="The limit for each later answer, such as 500ms.")] = None,
    total: Annotated[
        Total | None, Parameter(help="The limit for all answers together, such as 2m; none: without a limit.")
    ] = None,
    no_timeouts: Annotated[
        bool, Parameter(negative="", help="Allow 10 minutes for each answer, for a debugger.")
    ] = False,
    clock: ClockKind = "wall",
    pondering: Annotated[
        bool | None,
        Parameter(
            help="Whether players may compute during the turns of others; default: unless a person plays. Stopping them costs "
            "10 to 30 µs for each turn."
        ),
    ] = None,
    isolation: Isolation = "full",
    memory: Memory | None = None,
    forfeit: Annotated[
        bool,
        Parameter(
            negative="", help="A bot that cannot be built or started is disqualified at once, and the others play."
        ),
    ] = False,
    watch: Annotated[
        bool | None, Parameter(help="Show the match while it is played; default: if stdout is a terminal.")
    ] = None,
    speed: Speed = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Annotated[
        int, Parameter(name=["--verbose", "-v"], count=True, help="Print every event on stderr; -vv: every byte too.")
    ] = 0,
    color: Color = "auto",
    ascii: Ascii = False,  # noqa: A002
) -> int:
    """Play one match between bots and save it.

    By default, the four strongest sample bots that need no compiler play. Bots that need compiling are built before the
    match. At the end, the referee prints a table and the command that plays the same match again. -n plays many matches.
    A disqualified bot is not an error. The exit code is 1 if the match could not be finished, and 4 if a bot cannot be
    built or started, unless --forfeit lets the others play.
    """
    from referee import bots as bot_room
    from referee import games
    from referee.cli import history
    from referee.cli.again import DEBUG_LIMIT, command, options_of, play_words
    from referee.cli.line_up import LineUp, advice, lined_up, names_a_person, played, seats_in_words
    from referee.cli.match_run import Shown, at_terminal, play_shown
    from referee.cli.narrator import narrate, silent
    from referee.clock import TimeControl
    from referee.sandbox.limits import Level
    from referee.session import MatchConfig

    found = games.find(game)
    if setup is not None and (map is not None or rounds is not None or rotate):
        raise UsageError(
            "--setup has its own map, rounds and places: leave out --map, --rounds and --rotate, or edit it"
        )
    if rounds is not None and rounds < 1:
        raise UsageError("--rounds must be at least 1")
    if no_timeouts and (first, answer, total) != (None, None, None):
        raise UsageError("--no-timeouts and a time limit contradict each other: leave one of them out")
    if watch and json:
        raise UsageError("--watch draws on stdout and --json prints there: leave one of them out")
    check_memory(memory, isolation)
    chosen = secrets.randbelow(2**31) if seed is None else seed
    say = silent if quiet or json else narrate
    if matches != 1 or jobs is not None:
        from referee.cli.series import SeriesConfig, play_series

        many = SeriesConfig(
            game=found,
            bots=bots or bot_room.samples(found.name, own_runtime=True)[:4],
            matches=matches,
            seed=chosen,
            map=map,
            options={
                "rounds": rounds, "first": first, "answer": answer, "total": total, "clock": clock,
                "pondering": pondering is not False, "isolation": isolation, "memory": memory and f"{memory >> 20}M",
            },
            jobs=jobs,
        )  # fmt: skip
        single = {
            "--setup": setup, "--rotate": rotate, "-o": output, "--transcript": transcript, "--no-timeouts": no_timeouts,
            "--watch": watch, "--speed": speed, "-v": verbose, "--forfeit": forfeit,
        }  # fmt: skip
        play_series(many, single, color=color, ascii_only=ascii, json=json, quiet=quiet, say=say)
        return 0
    people = any(names_a_person(word) for word in bots)
    if people and (json or watch is False):
        raise UsageError(f"a person plays in the view: leave out {'--json' if json else '--no-watch'}")
    if people and not at_terminal():
        raise UsageError("a person needs a terminal on stdin and stdout: leave out the pipe, or name bots only")
    ponders = not people if pondering is None else pondering
    limited = people and answer is not None
    time = (
        TimeControl(DEBUG_LIMIT, DEBUG_LIMIT, None, clock)
        if no_timeouts
        else found.time.changed(first, answer, total, clock)
    )
    start = (
        _on_map(found, map, bots, chosen, rounds=rounds, rotate=rotate)
        if setup is None
        else _from_setup(found, setup, bots, chosen)
    )
    if start.larger is not None:
        say(start.larger)
    if people and not limited:
        say("a person has no clock: --answer=10s sets one for everybody")
    if people and pondering is None:
        say("programs do not compute during your turns: --pondering lets them")
    level = Level(isolation)
    if setup is not None and len(start.bots) < start.seats and found.house is not None:
        say(f"the house takes the remaining seats: {seats_in_words(range(len(start.bots), start.seats))}")
    options = options_of(found, time, people=people, limited=limited, pondering=ponders, isolation=level, memory=memory)
    options += ["--forfeit"] if forfeit else []

    def publish(report: dict[str, Any]) -> None:
        if json:
            print(json_text.dumps({"game": found.name, "map": start.map, **report}))

    def play_with(line_up: LineUp) -> None:
        config = MatchConfig(
            game=found,
            setup=start.setup,
            seed=chosen,
            bots=line_up.ready,
            time=time,
            memory=memory,
            limited=limited,
            pondering=ponders,
            isolation=level,
            saved=output or history.place(found.name, chosen),
        )
        shown = Shown(
            written=line_up.written,
            said=line_up.said,
            words=start.bots,
            again=command(*play_words(found, start.bots, start=start.options, seed=chosen, options=options)),
            transcript=transcript,
            watch=True if people else watch,
            speed=speed,
            verbose=verbose,
            quiet=quiet or json,
            table=not json,
            color=color,
            ascii_only=ascii,
        )
        play_shown(config, shown, publish)

    with advice(start.bots, found, forfeit=forfeit):
        named = lined_up(start.bots, found, chosen, seats=start.seats, level=level, forfeit=forfeit, say=say)
        played(named, play_with, forfeit=forfeit, say=say)
    return 0


@dataclass(frozen=True, slots=True)
class _Start:
    """A first position.

    Attributes:
        bots: the words for the bots, also if the user named none.
        map: the map's name, None without one.
        options: the options for this position.
        larger: a message if the map was chosen because the game's default has too few places.
    """

    setup: Position
    seats: int
    bots: Sequence[str]
    map: str | None
    options: Sequence[str]
    larger: str | None = None


def _from_setup(game: Game[Any, Any], path: Path, bots: Sequence[str], seed: int) -> _Start:
    from referee import bots as bot_room
    from referee.cli import setups

    setup = setups.read_setup(path, game)
    seats = game.start(setup, seed).seats
    words = list(bots) or bot_room.samples(game.name, own_runtime=True)[:seats]
    return _Start(setup, seats, words, None, ["--setup", str(path)])


def _on_map(
    game: Game[Any, Any], name: str | None, bots: Sequence[str], seed: int, *, rounds: int | None, rotate: int
) -> _Start:
    from referee import bots as bot_room
    from referee import mapfiles

    usual, larger = game.maps.default, None
    on, document = mapfiles.chosen(game, name, seats=len(bots))
    if name is None and on != usual:
        larger = f"playing on {on}, because {usual} has too few starting places; --map chooses another map"
    with mapfiles.about(on):
        most = min(4, len(game.maps.facts(document).starts))
        words = list(bots) or bot_room.samples(game.name, own_runtime=True)[:most]
        setup = mapfiles.setup(game, document, seats=len(words), rng_seed=seed, rounds=rounds, rotate=rotate)
        seats = game.start(setup, seed).seats if game.house is not None else len(words)
    options = ["--map", on]
    options += [f"--rounds={rounds}"] if rounds is not None else []
    options += [f"--rotate={rotate}"] if rotate else []
    return _Start(setup, seats, words, on, options, larger)
