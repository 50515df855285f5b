"""The process of a job: `python -m referee.studio.work KIND`. KIND is a function of this file; see `jobs` for input and output.

A process does one job, so each function imports what it needs. A match is in `playing`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import trio
from typing_extensions import override

from referee.errors import RefereeError, UsageError
from referee.web.processes import Channel, Message, run

if TYPE_CHECKING:
    from referee.tournament.schedule_tables import ScheduledMatch

POINTS: Final = 200
"""The most points of the line of a comparison."""


async def ask(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Put the request of a step to a bot again; the result is that of `ask --json`.

    Args:
        request: the word for the `bot`, the saved game (`saved`), the `step`, and the `seat` from 0.
    """
    moment = [f"--step={request['step']}", f"--seat={request['seat'] + 1}"]
    # A process of its own, because the command runs an event loop itself.
    command = [sys.executable, "-P", "-m", "referee", "ask", request["bot"], request["saved"], *moment, "--json"]
    process = await trio.run_process(command, capture_stdout=True, capture_stderr=True, check=False)
    if not process.stdout:
        error = process.stderr.decode(errors="replace").strip().removeprefix("referee: ")
        raise UsageError(error or "the command said nothing")
    answers: dict[str, Any] = json.loads(process.stdout)
    return answers


async def check(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Check a bot, and report each step as it ends; the result is that of `check --json`.

    Args:
        request: the word for the `bot`, and the `game`; without one, the first game that the bot plays.
    """
    from dataclasses import asdict

    from referee import bots, games
    from referee.cli.check import config_for
    from referee.cli.check_output import document
    from referee.compliance.check import check as check_bot

    bot = bots.find(request["bot"], request["game"])
    config = config_for(games.find(request["game"] or (bot.games[0] if bot.games else None)))
    result = await check_bot(bot, config, tell=lambda step: channel.tell("check", **asdict(step)))
    return document(bot.name, config, result)


async def compare(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Compare two bots, and report the test as it goes; the result is that of `compare --json`.

    Args:
        request: the words for the `new` bot and the `old` one, and the `game`.
    """
    from referee.bots import find, name_in
    from referee.cli.compare import name_of
    from referee.sandbox.tempdir import tempdir
    from referee.tournament.crew import LocalCrew
    from referee.tournament.drafting import keep
    from referee.tournament.locking import only_writer
    from referee.tournament.planning import jobs_for
    from referee.tournament.runner import Watcher
    from referee.tournament.running import RunningTournament

    line: dict[int, float] = {}  # the log-likelihood ratio by the number of series

    class Reporter(Watcher):
        @override
        def ended(self, match: ScheduledMatch, row: Mapping[str, Any]) -> None:
            document = tournament.comparison().document
            line[document["series"]] = document["llr"]
            channel.tell("compare", **document, line=[*line.items()][:: len(line) // POINTS + 1])

    bots = [request["new"], request["old"]]
    for word in bots:
        find(word, request["game"])  # so that an error names the word, and not the tournament's file
    with ExitStack() as stack:
        folder = stack.enter_context(tempdir())
        document = {"name": name_of(bots), "game": request["game"], "format": {"kind": "compare"}, "match": {}}
        keep(folder, document, map(name_in, bots), made_by="referee studio")
        stack.enter_context(only_writer(folder))
        tournament = stack.enter_context(RunningTournament(folder))
        plan, _ = await tournament.enter(channel.say)
        crew = partial(LocalCrew, jobs=jobs_for(plan))
        await tournament.run(plan, crew, Reporter(), channel.say)
        return dict(tournament.comparison().document)


async def match(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Play a match; see `playing.play`."""
    from referee.studio.playing import play

    return await play(request, channel)


async def page(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Write a form of a saved game: its page, with links to what the studio can do with it, or its film.

    Args:
        request: the saved game (`saved`), the suffix of the `form`, the descriptor for the `output`, and of a page, the `links`
            (`matches.Link`) and the `programs`, as words for `export --program`. A program with a mistake explains nothing.
    """
    from referee.cli.export import WRITERS, Source
    from referee.cli.narrator import Replaying
    from referee.cli.saved import explainers_of
    from referee.saved.record import load
    from referee.saved.replay import Replay
    from referee.text.markup import el

    links = [el("a", words, href=address, data_step=seats) for address, words, seats in request["links"]]
    nav = el("nav", *links, id="links", aria_label="Studio")
    replay, programs = Replay(load(Path(request["saved"]))), []
    for word in request["programs"]:
        with suppress(RefereeError):
            explainers_of(replay, [word])
            programs.append(word)
    source = Source(replay, None, None, programs, Replaying(quiet=True), nav)
    with open(request["output"], "wb") as output:  # noqa: ASYNC230 - nothing else runs in this process
        output.write(WRITERS[request["form"]](source))
    return {}


def main() -> None:
    """Do one job."""
    sys.stdout = sys.stderr  # what the code of games prints is no message
    task, channel = globals()[sys.argv[1]], Channel()

    async def work(request: Message) -> None:
        channel.write({"result": await task(request, channel)})

    try:
        run(work, lambda message: channel.listener(message))
    except RefereeError as failed:
        channel.write({"error": str(failed)})
    except OSError as failed:
        channel.write({"error": f"{failed.filename or 'the machine'}: {failed.strerror or failed}"})


if __name__ == "__main__":
    main()
