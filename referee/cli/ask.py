"""`referee ask`: put the requests of a saved game to a bot, and compare its answers with the recorded ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from referee.cli.options import Isolation, Json, Memory, NoTimeouts, Quiet, SavedGame, Whole, print_json
from referee.errors import UsageError
from referee.text.words import shorten

if TYPE_CHECKING:
    from referee.saved.replay import Replay


def ask(
    bot: Annotated[str, Parameter(help="A bot, as for `referee play`.")],
    file: SavedGame = None,
    /,
    *,
    seat: Annotated[
        Whole | None,
        Parameter(help="The seat whose requests to use, from 1; default: the seat that this bot played, or 1."),
    ] = None,
    step: Annotated[
        Whole | None, Parameter(help="Show one step: its request and both answers. Later steps are not asked.")
    ] = None,
    all: Annotated[  # noqa: A002
        bool, Parameter(name="--all", negative="", help="Show all answers, not only those that differ.")
    ] = False,
    no_timeouts: NoTimeouts = False,
    isolation: Isolation = "full",
    memory: Memory | None = None,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Put the requests of a saved game to a bot, and show which answers differ.

    The bot gets all requests of one seat in order, under the time limits of the saved game. The game goes on as it was
    recorded, whatever the bot answers. In games that give bots a memory, the bot gets its own memory back. With `--step`,
    the request is printed as the bot gets it, with the command that plays on from there. The exit code is 1 if the bot
    fails, and 0 if its answers differ.
    """
    from referee import bots as bot_room
    from referee import building
    from referee.cli import running
    from referee.cli.again import option_words
    from referee.cli.ask_output import Answers, play_on
    from referee.cli.closing import check_line, fault_lines, last_words
    from referee.cli.narrator import Replaying, narrate, silent
    from referee.cli.saved import open_saved
    from referee.contract.clock import DEBUGGING, Clock
    from referee.match import rerun
    from referee.match.config import Seat
    from referee.match.line_up import Options
    from referee.match.session import sandbox_for
    from referee.players.table import seat_players
    from referee.sandbox import advice
    from referee.sandbox.limits import DAY, Level, Limits
    from referee.saved import requests

    if step is not None and all:
        raise UsageError("--step shows one answer and --all shows all: leave one of them out")
    level = Level(isolation)
    options = Options(no_timeouts=no_timeouts, isolation=level, memory=memory)
    source = bot_room.find(bot)
    saved = open_saved(file)
    chosen = _seat(saved, source.name, seat, step)
    numbers = requests.steps_of(saved, chosen, step)
    time = replace(DEBUGGING, kind=saved.time.kind) if no_timeouts else saved.time
    total = None if time.total is None else min(time.total, DAY)  # the number is untrusted
    limits = Limits.behind(total, running=1, memory=memory)
    say = silent if quiet or json else narrate
    played_by = saved.record.header.players[chosen].bot
    weaker = "" if level is Level.FULL else f" (isolation: {isolation})"
    say(f"asking {source.name} as seat {chosen + 1}, which {shorten(played_by, 60)} played{weaker}")
    entered = bot_room.enter(source, saved.game)
    itself = rerun.is_same_bot(source.name, played_by)
    (ready,) = running.run(lambda: building.ready([entered], level=level, say=say))
    progress = Replaying("asking", quiet=json or quiet)
    answers = Answers(saved, numbers, progress, lifetime=ready.lifetime or "game", step=step, every=all, show=not json)

    async def ask_all() -> Sequence[str]:
        """Put all requests. Returns the last lines that the bot wrote to stderr."""
        async with sandbox_for([ready], level, limits, saved.game.name) as sandbox:
            async with seat_players(sandbox, saved.game, [Seat(ready).contender()]) as (player,):
                await rerun.ask_again(saved, chosen, player, Clock(time), answers.tell, last=step, remembers=itself)
            return player.last_words(advice.LINES)

    with closing(progress):
        words = running.run(ask_all)
    commands, notes = ((), ()) if step is None else play_on(saved, chosen, step, bot, option_words(saved.game, options))
    if json:
        print_json({
            "game": saved.game.name, "saved": saved.record.path, "seat": chosen, "bot": source.name,
            "played_by": played_by, "isolation": isolation, **answers.report(),
            **({"play_on": commands} if commands else {}),
        })  # fmt: skip
        return 0 if answers.fault is None else 1
    answers.print_sum()
    if answers.fault is not None:
        name = source.name if source.given else answers.name or source.name
        facts = answers.circumstances(words, None if level is Level.NONE else limits.memory)
        lines = fault_lines(chosen, name, answers.fault, entered, saved.game, facts)
        print("", *lines, check_line(bot, saved.game, level), sep="\n")
        return 1
    if step is not None:
        for line in last_words(words):
            print(line)
        for line in ("", "play on from there:", *commands, *notes):
            say(line)
    return 0


def _seat(saved: Replay, bot: str, seat: int | None, step: int | None) -> int:
    """The seat whose requests to put, from 0: that of the user, that which this bot played, that which the step asked, or 0."""
    from referee.match import rerun
    from referee.saved import requests

    if seat is not None:
        return seat - 1
    if len(own := rerun.seats_of(saved, bot)) == 1:
        return own[0]
    return 0 if step is None else requests.seats_asked(saved, step)[0]
