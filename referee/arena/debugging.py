"""The games that users debug programs in (`drafts.py`). Intake plays them between its other work, one at a time.

1. A worker plays a game with the limits of the contest, on the contest's first map that has room.
2. The program gets a folder that is made for this game alone. Its rivals are sample bots and copies of versions of the same user.
3. Intake writes how a game ended (`versions.py`). A game fails after `SECONDS`, or if intake ends during the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import trio

from referee import bots, games
from referee.arena import season
from referee.arena.access import without_paths
from referee.arena.drafts import DebugGame, Drafts
from referee.arena.part import say
from referee.arena.settings import ArenaFiles
from referee.arena.versions import GameState, Submission, Versions
from referee.errors import RefereeError, UsageError
from referee.files import mapfiles
from referee.sandbox.tempdir import remove
from referee.text.words import harmless, numbered
from referee.tournament.copies import copy_bot
from referee.tournament.crew import start_worker
from referee.tournament.jobs import Job, JobSeat
from referee.tournament.model import saved_name
from referee.tournament.planning import Plan

PREFIX: Final = "d"
"""Begins the keys of debug games."""
SECONDS: Final = 60.0
"""The longest time of a game: uploads wait for it."""


def saved_game_path(files: ArenaFiles, game: int) -> Path:
    """The path of the saved game, by the id of the game."""
    return files.debugged / Path(saved_name(game, 0)).name


def key_of(game: int) -> str:
    """The key in `Versions`, by the id of the game."""
    return f"{PREFIX}{game}"


class DebugGames:
    """The debug games of an arena that are due."""

    def __init__(self, files: ArenaFiles, drafts: Drafts, versions: Versions) -> None:
        self._files, self._drafts, self._versions = files, drafts, versions
        self._stamp: int | None = None
        self._due: list[DebugGame] = []
        for key in self._keys("playing"):
            versions.put_game(key, "failed", {"error": "the arena was ended during this game: play it again"})

    def next(self) -> DebugGame | None:
        """The next game; None if none is due."""
        if (stamp := self._drafts.stamp) != self._stamp:
            self._stamp, newest = stamp, self._drafts.newest_games()
            self._remove_others(set(newest))
            over = self._keys("done", "failed")
            games = (self._drafts.game(number) for number in newest if key_of(number) not in over)
            self._due = [game for game in games if game is not None]
        return self._due[0] if self._due else None

    async def play(self, submissions: Mapping[int, Submission]) -> None:
        """Play the next game.

        Args:
            submissions: by the ids of versions.
        """
        game = self._due.pop(0)
        self._versions.put_game(key_of(game.id), "playing")
        work = self._files.versions.parent / "work"
        why = f"it took more than {SECONDS:g} seconds: name fewer rivals"
        with trio.move_on_after(SECONDS):
            try:
                why = await self._play(game, work, submissions)
            except (RefereeError, OSError) as failed:
                why = str(failed)
        await trio.to_thread.run_sync(remove, work)
        if saved_game_path(self._files, game.id).exists():
            self._versions.put_game(key_of(game.id), "done")
            return
        say(f"debug game {game.id}: {why}")
        error = harmless(without_paths(why, self._files.root))
        self._versions.put_game(key_of(game.id), "failed", {"error": error})

    async def _play(self, game: DebugGame, work: Path, submissions: Mapping[int, Submission]) -> str:
        """Play a game. Returns why it failed, if it did."""
        plan, seats = season.plan_of(self._files), list[JobSeat]()
        for name, content in await trio.to_thread.run_sync(self._copies, game, work, submissions):
            unique = numbered(name, {seat.name: None for seat in seats})
            seats.append(JobSeat(number=len(seats), name=unique, content=content))
        map_name, document = _map(plan, len(seats))
        opening = plan.opening().model_copy(
            update={
                "folder": str(work), "games": str(self._files.debugged), "seats": len(seats),
                "maps": {map_name: document}, "keep": "all",
            }
        )  # fmt: skip
        job = Job(series=game.id, seating=0, map=map_name, rng_seed=game.seed, seats=seats)
        async with start_worker(opening) as worker:
            answer = await trio.to_thread.run_sync(worker.ask, job.model_dump_json(), abandon_on_cancel=True)
            return worker.death if answer is None else str(answer.get("stop") or answer.get("failed"))

    def _copies(self, game: DebugGame, work: Path, submissions: Mapping[int, Submission]) -> list[tuple[str, str]]:
        """Copy all players to a folder. Returns the name and the content of each."""
        name = self._files.settings.game
        programs = games.find(name).programs
        assert programs is not None
        remove(work)
        work.mkdir(parents=True)
        program = work / f"program{programs.suffix}"
        program.write_text(game.text, encoding="utf-8")
        seats = [(game.name, copy_bot(work, bots.find(str(program), name), ""))]
        for rival in game.rivals:
            submission = submissions.get(int(rival)) if rival.isdecimal() else None
            if submission and submission.version.content and submission.upload.author_id == game.user:
                season.copy(self._files, submission.version.content, work)
                seats.append((f"{submission.version.name} v{submission.upload.number}", submission.version.content))
            elif rival in bots.samples(name, own_runtime=True):
                bot = bots.find(rival, name)
                seats.append((bot.name, copy_bot(work, bot, "")))
            else:
                raise UsageError("a rival is neither a sample bot nor a version of your own")
        return seats

    def _keys(self, *states: GameState) -> set[str]:
        return {key for key in self._versions.games(*states) if key.startswith(PREFIX)}

    def _remove_others(self, ids: set[int]) -> None:
        """Remove the results and the saved games of all games but these."""
        self._versions.remove_games(self._keys("done", "failed") - set(map(key_of, ids)))
        saved = {saved_game_path(self._files, number) for number in ids}
        for path in self._files.debugged.glob("*"):
            if path not in saved:
                path.unlink(missing_ok=True)


def _map(plan: Plan, seats: int) -> tuple[str, Any]:
    """The first map of the contest with enough seats, or one of the game."""
    for name, document in plan.maps.items():
        if len(plan.game.maps.facts(document).starts) >= seats:
            return name, document
    return mapfiles.choose_map(plan.game, None, seats=seats)
