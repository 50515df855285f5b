"""Plays a tournament from a command: builds, shows progress, and says how to go on."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio

from referee.cli import running
from referee.cli.again import command
from referee.cli.narrator import narrate, silent
from referee.cli.tournament.progress import show_progress
from referee.errors import RefereeError, UsageError
from referee.tournament.crew import LocalCrew
from referee.tournament.field import Unready
from referee.tournament.jobs import Opening
from referee.tournament.planning import Plan, jobs_for, players_at_once
from referee.tournament.runner import Crew
from referee.tournament.running import RunningTournament

MOST: Final = 20
"""The most files and folders that are no bots, and bots of other games, that `run` and `check` name."""


class NotReady(RefereeError):
    """A bot cannot be built, and the user wants all bots to play."""

    exit_code = 4


def play(
    tournament: RunningTournament,
    *,
    jobs: int | None,
    strict: bool,
    quiet: bool,
    again: str,
    seconds: float | None = None,
    only: str | None = None,
    intro: str = "nothing is lost; to go on",
    cluster: str | None = None,
) -> None:
    """Play a tournament to its end.

    Args:
        jobs: the number of matches at a time; None for that of the settings, or else one processor for each bot that may run.
        strict: whether to play only if all bots can.
        seconds: the time after which to stop; None for no end. only: the bot whose due matches are played; None for all.
        quiet: whether to print neither messages nor progress.
        again: the command that goes on, or begins again. intro: the words before it in a message.
        cluster: the address of a cluster's scheduler, for which `jobs` counts on each machine; None to play on this machine.

    Raises:
        NotReady: a bot cannot play. Interrupted: by a signal.
        The errors of `RunningTournament.enter` and `RunningTournament.run`.
    """
    say = silent if quiet else narrate

    async def work() -> None:
        if (level := tournament.settings.match.isolation) != "full":  # before the first build
            say(f"isolation: {level}")
        plan, unready = await tournament.enter(say)
        for line in without_part(unready, tournament.folder):
            say(line)
        if strict and (bots := [hit for hit in unready if not hit.stray]):
            raise NotReady(f"{bots[0].name} cannot play: {bots[0].reason}")
        crew = _crew(tournament, plan, jobs or tournament.settings.run.jobs, cluster, say)
        async with show_progress(tournament, quiet=quiet) as watcher:
            with trio.move_on_after(math.inf if seconds is None else seconds) as scope:
                await tournament.run(plan, crew, watcher, say, only=only)
        if scope.cancelled_caught:
            say(f"time is up; to go on: {again}")

    try:
        running.run(work)
    except running.Interrupted:
        say(f"{intro}: {again}")
        raise


def without_part(unready: Sequence[Unready], folder: Path) -> Iterator[str]:
    """A line about each bot that cannot play, and about `MOST` of the other hits of patterns."""
    strays = [hit for hit in unready if hit.stray]
    for hit in [*(hit for hit in unready if not hit.stray), *strays[:MOST]]:
        yield hit.line
    if len(strays) > MOST:
        yield f"{len(strays) - MOST} more take no part: {command('tournament', 'status', str(folder))}"


def _crew(
    tournament: RunningTournament, plan: Plan, jobs: int | None, cluster: str | None, say: Callable[[str], None]
) -> Callable[[Opening], Crew]:
    """The crew that plays the matches.

    Raises:
        UsageError: Dask is not installed.
    """
    if cluster is not None:
        try:
            from referee.tournament.cluster.crew import ClusterCrew
        except ModuleNotFoundError as missing:
            if missing.name not in ("dask", "distributed"):
                raise
            install = shlex.join((sys.executable, "-m", "pip", "install", "referee[cluster]"))
            raise UsageError(f"a cluster needs Dask, which is not installed: {install}") from None
        return partial(ClusterCrew, where=cluster, id=tournament.id, running=players_at_once(plan), jobs=jobs, say=say)
    usual = jobs_for(plan)
    if jobs is not None and jobs > usual:
        say(f"{jobs} matches at a time may run more bots at once than there are processors; {usual} do not")
    return partial(LocalCrew, jobs=jobs or usual)
