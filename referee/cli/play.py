"""`referee play`: one match between bots, from the command line to the closing table."""

from __future__ import annotations

import json as json_text
import os
import secrets
from collections.abc import Sequence
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
    Whole,
    check_memory,
)
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.bots import Bot
    from referee.game import Game

DEBUG_LIMIT = 600.0
"""Seconds an answer may take with --no-timeouts: time to step through a bot, and a bot that hangs is still noticed."""


def play(
    *bots: Annotated[
        str,
        Parameter(
            help="A folder with bot.toml, a source file, cmd:'PROGRAM ARGS' or a sample bot's name; NAME=BOT renames. "
            "Where a game has players of the house, `house` is one."
        ),
    ],
    game: GameName = None,
    map: Annotated[str | None, Parameter(help="A map's name or a .toml file; `referee map show` lists them.")] = None,  # noqa: A002
    setup: Annotated[
        Path | None, Parameter(help="Start from this position (JSON, as `referee state` prints it).")
    ] = None,
    seed: Seed = None,
    rounds: Annotated[Whole | None, Parameter(help="How many rounds; default: the map's.")] = None,
    rotate: Annotated[Whole, Parameter(help="Rotate the seats over the starting places by so many.")] = 0,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            help="Save as this .jsonl or .jsonl.gz; default: your data folder, which keeps the newest 100.",
        ),
    ] = None,
    transcript: Annotated[
        Path | None,
        Parameter(help="Write the exact bytes to seatK.in, seatK.out, seatK.err (K from 0) in this folder."),
    ] = None,
    first: Annotated[Duration | None, Parameter(help="Limit of the first answer, such as 15s.")] = None,
    answer: Annotated[Duration | None, Parameter(help="Limit of each later answer, such as 500ms.")] = None,
    total: Annotated[Duration | None, Parameter(help="Limit of all answers together, such as 2m.")] = None,
    no_timeouts: Annotated[
        bool, Parameter(negative="", help="For debuggers: every answer may take 10 minutes.")
    ] = False,
    clock: ClockKind = "wall",
    pondering: Annotated[
        bool, Parameter(help="Whether players run while it is not their turn; stopping them costs 10 to 30 µs a turn.")
    ] = True,
    isolation: Isolation = "full",
    memory: Memory | None = None,
    watch: Annotated[bool | None, Parameter(help="Show the match while it is played; default: on a terminal.")] = None,
    speed: Speed = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Annotated[
        int, Parameter(name=["--verbose", "-v"], count=True, help="Tell what happens on stderr; -vv: every byte too.")
    ] = 0,
    color: Color = "auto",
    ascii: Ascii = False,  # noqa: A002
) -> int:
    """Play one match between bots and save it.

    Without bots the four strongest sample bots that need no compiler play. Bots that have to be built are, before the match;
    `referee build` says more about that. The match ends with a table and the command that plays it again. Bots
    that are disqualified are no error; the exit code is 1 when the match could not be finished, 4 when a bot cannot be
    built or started.
    """
    from referee import bots as bot_room
    from referee import games
    from referee.cli import mapfiles, setups
    from referee.cli.match_run import Plan, carry_out
    from referee.cli.narrator import narrate, silent
    from referee.cli.running import run
    from referee.clock import TimeControl
    from referee.sandbox.limits import MIB, Level, Limits

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
    usual = found.time
    time = (
        TimeControl(DEBUG_LIMIT, DEBUG_LIMIT, None, clock)
        if no_timeouts
        else TimeControl(first or usual.first, answer or usual.answer, total or usual.total, clock)
    )
    chosen = secrets.randbelow(2**31) if seed is None else seed
    map_name = found.maps.default if map is None else map
    if setup is not None:
        start = setups.read_setup(setup, found)
        seats = found.start(start, chosen).seats
        names = list(bots) or bot_room.samples(found.name, own_runtime=True)[:seats]
    else:
        document = mapfiles.read(found, map_name)
        with mapfiles.about(map_name):
            most = min(4, len(found.maps.facts(document).starts))
            names = list(bots) or bot_room.samples(found.name, own_runtime=True)[:most]
            if len(names) not in found.seats:
                first, last = found.seats.start, found.seats.stop - 1
                wanted = f"{first} to {last}" if last > first else str(last)
                raise UsageError(f"{found.title} is for {wanted} players, not {len(names)}")
            start = found.maps.setup(document, seats=len(names), rng_seed=chosen, rounds=rounds, rotate=rotate)
            seats = found.start(start, chosen).seats if found.house is not None else len(names)
    say = silent if quiet or json else narrate
    level = Level(isolation)
    written = bot_room.entered(_line_up(names, found, chosen), found)
    if setup is not None and len(written) < seats and found.house is not None:
        say(f"the house takes what seats are left: {_seats(range(len(written), seats))}")
    written = players = bot_room.filled(written, found, seats, chosen)
    if any(bot.unbuilt is not None for bot in written):
        from referee import building

        players = run(lambda: building.ready(written, level=level, say=say))
    running = len(players) if pondering else 1
    limits = Limits.behind(time.total, running=running, cores=os.cpu_count() or 1, memory=memory)
    again = ["play", *([f"--game={found.name}"] if not found.main else [])]
    again += ["--setup", str(setup)] if setup is not None else ["--map", map_name]
    again += ["--seed", str(chosen)]
    again += [f"--rounds={rounds}"] if rounds is not None else []
    again += [f"--rotate={rotate}"] if rotate else []
    again += ["--no-timeouts"] if no_timeouts else []
    times = (("first", first), ("answer", answer), ("total", total))
    # Written out: `g` would shorten a long limit, and write a short one in a form that is no duration.
    again += [f"--{name}={f'{limit:.9f}'.rstrip('0').rstrip('.')}s" for name, limit in times if limit is not None]
    again += [f"--clock={clock}"] if clock != "wall" else []
    again += ["--no-pondering"] if not pondering else []
    again += [f"--isolation={isolation}"] if isolation != "full" else []
    again += [f"--memory={memory // MIB}M"] if memory is not None else []
    plan = Plan(
        game=found,
        setup=start,
        seats=seats,
        seed=chosen,
        bots=players,
        written=written,
        time=time,
        pondering=pondering,
        isolation=level,
        limits=limits,
        output=output,
        transcript=transcript,
        watch=watch,
        speed=speed,
        verbose=verbose,
        quiet=quiet or json,
        again=[*again, *names],
        color=color,
        ascii_only=ascii,
    )

    def publish(report: dict[str, Any]) -> None:
        if json:
            print(json_text.dumps({"game": found.name, "map": None if setup else map_name, **report}))

    carry_out(plan, table=not json, publish=publish)
    return 0


def _line_up(words: Sequence[str], game: Game[Any, Any], rng_seed: int) -> list[Bot]:
    """The bots that the user named, those of the house among them; several of one name are told apart."""
    from referee import bots as bot_room

    line_up = []
    for seat, word in enumerate(words):
        is_house, name = bot_room.asks_for_the_house(word, game)
        line_up.append(bot_room.of_the_house(game, seat, rng_seed, name) if is_house else bot_room.find(word))
    if all(bot.house for bot in line_up):
        raise UsageError("the house is not ranked: name a bot for it to play against")
    return bot_room.told_apart(line_up)


def _seats(seats: range) -> str:
    """Seats as they are shown: `7`, or `5 to 7`."""
    return f"{seats.start + 1} to {seats.stop}" if len(seats) > 1 else f"{seats.start + 1}"
