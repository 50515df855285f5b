"""The entry list of a tournament that is run: which bots of `tournament.toml` can play, each with a copy of its content.

1. A bot is found, built, and copied once. What came of it holds until something changes that it depends on: the files
   (`fingerprint`), the entry in `tournament.toml`, the SDK, the compilers. Nothing of this outlives the process: a new run looks
   at everything once.
2. `complete` waits for all builds. `current` waits for none: it lists who is ready now. A bot that has changed stays as it was
   until `prepare` has made its new version ready. That takes one bot at a time, because matches are played meanwhile.
3. A bot that changes while it is prepared is left for the next look, so that no build mixes the files of two versions.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

import trio

from referee import bots, building, languages
from referee.bots import Bot
from referee.contract.game import Game
from referee.errors import BotError, UsageError
from referee.languages import Command
from referee.sandbox.limits import Level, Limits
from referee.sandbox.staging import LEFT_OUT
from referee.sandbox.tempdir import remove
from referee.tournament.copies import copy_bot, has_copy, load
from referee.tournament.entering import Listed, list_bots
from referee.tournament.field import Candidate, Unready
from referee.tournament.model import ENTRANTS
from referee.tournament.settings import FILE, MOST_BOTS, Settings

Fingerprint: TypeAlias = tuple[Any, ...]
"""Equal as long as a file, or all files in a folder, have not changed."""


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """A bot as a look has seen it, with all that its outcome depends on.

    Attributes:
        files: its own. sdks: those that it is built with. tools: the versions of the programs that build it, or what is missing.
    """

    entry: Listed
    files: Fingerprint
    sdks: tuple[Fingerprint, ...]
    tools: Any


_Prepared: TypeAlias = tuple[_Snapshot, Candidate | Unready]
"""A bot as it was seen, and what came of it."""


class EntryList:
    """The bots of one tournament."""

    def __init__(self, folder: Path, game: Game[Any, Any], home: Path | None = None) -> None:
        """`home` is the folder for the copies, if it is not the tournament's. The caller has its lock."""
        self._folder, self._game, self._home = folder, game, home or folder
        self._bots: dict[str, tuple[Fingerprint, Bot]] = {}
        self._load = lru_cache(MOST_BOTS)(load)  # a copy does not change
        self._prepared: dict[str, _Prepared] = {}  # by source
        self._waiting: list[_Snapshot] = []
        self._level = Level.FULL
        self._preparing: Final = trio.Lock()

    async def complete(self, settings: Settings, say: Callable[[str], None]) -> tuple[list[Candidate], list[Unready]]:
        """The bots, built and copied, in the order of the file; equal names get a number.

        Copies that a killed run left unfinished are removed.

        Raises:
            UsageError: a bot does not exist; the message names the file and the key. IsolationError: bots cannot be built here.
        """
        everyone, strays = self._look(settings)
        for left in (self._home / ENTRANTS).glob(".*"):
            remove(left)
        outcomes = await self._outcomes(self._waiting, say)
        self._prepared |= outcomes  # read after the wait: a look meanwhile may have replaced it
        return self._list(everyone, strays)

    def current(self, settings: Settings) -> tuple[list[Candidate], list[Unready]]:
        """The bots that are ready now, as they were when they became so. Then `prepare` those that have changed, and new ones.

        Raises:
            UsageError: as `complete`.
        """
        return self._list(*self._look(settings))

    async def prepare(self, say: Callable[[str], None]) -> None:
        """Prepare the bots that the last look has found new or changed. Does nothing while this is under way.

        Raises:
            UsageError: their copies cannot be written. IsolationError: as `complete`.
        """
        if self._preparing.locked():
            return
        async with self._preparing:
            waiting, self._waiting = self._waiting, []
            for snapshot in waiting:
                prepared = await self._outcomes([snapshot], say)
                if fingerprint(snapshot.entry.path) == snapshot.files:  # point 3
                    self._prepared |= prepared

    def _look(self, settings: Settings) -> tuple[list[_Snapshot], list[Unready]]:
        """All bots of the file, and what else its patterns hit. Sets aside those that are new or have changed."""
        before, self._bots = self._bots, {}
        files, tools = cache(fingerprint), cache(_tools)
        self._level = Level(settings.match.isolation)
        jailed = self._level is not Level.NONE

        def find(word: str) -> Bot:
            current_files = files(Path(word))
            before_files, bot = before.get(word, (None, None))
            # The cache may have lost an unpacked ZIP file.
            if bot is None or before_files != current_files or not bot.cwd.is_dir():
                bot = bots.find(word)
            self._bots[word] = current_files, bot
            return bot

        def snapshot_of(entry: Listed) -> _Snapshot:
            if entry.content is not None:  # a copy does not change
                return _Snapshot(entry, (), (), None)
            if (unbuilt := entry.bot.unbuilt) is None:
                return _Snapshot(entry, files(entry.path), (), None)
            sdks = tuple(files(folder) for folder in (unbuilt.sdk, unbuilt.game_sdk) if folder is not None)
            programs = tuple(command[:1] for command in unbuilt.build)
            language = None if entry.bot.language is None else entry.bot.language.name
            return _Snapshot(entry, files(entry.path), sdks, tools(language, programs, jailed=jailed))

        entries, strays = list_bots(self._folder, settings, self._game, find, self._load)
        if self._home != self._folder and any(entry.content is not None for entry in entries):
            raise UsageError(f"{self._folder / FILE}: bot: a shard makes its own copies: name paths, not contents")
        everyone = [snapshot_of(entry) for entry in entries]
        sources = {entry.source for entry in entries}
        self._prepared = {source: prepared for source, prepared in self._prepared.items() if source in sources}
        for snapshot in everyone:
            source, bot, seeding, _, content = snapshot.entry
            if content is not None:
                self._prepared[source] = snapshot, Candidate(bot.name, content, seeding, source)
        self._waiting = [snapshot for snapshot in everyone if not self._is_prepared(snapshot)]
        return everyone, strays

    def _is_prepared(self, snapshot: _Snapshot) -> bool:
        before, outcome = self._prepared.get(snapshot.entry.source, (None, None))
        return before == snapshot and (not isinstance(outcome, Candidate) or has_copy(self._home, outcome.content))

    def _list(self, everyone: Sequence[_Snapshot], strays: Sequence[Unready]) -> tuple[list[Candidate], list[Unready]]:
        """The ready and the unready bots, as they were when they became so."""
        ready, unready = list[Candidate](), list(strays)
        for snapshot in everyone:
            _, outcome = self._prepared.get(snapshot.entry.source, (None, None))
            if isinstance(outcome, Candidate):
                ready.append(outcome)
            elif outcome is not None:
                unready.append(outcome)
        return ready, unready

    async def _outcomes(self, waiting: Sequence[_Snapshot], say: Callable[[str], None]) -> dict[str, _Prepared]:
        results = await building.build_each([snapshot.entry.bot for snapshot in waiting], level=self._level, say=say)
        outcomes = dict[str, _Prepared]()
        for snapshot, result in zip(waiting, results, strict=True):
            source, bot, seeding, *_ = snapshot.entry
            try:
                if isinstance(result, BotError):
                    raise result
                copy = partial(copy_bot, self._home, replace(result.bot, lifetime=bot.lifetime), result.key)
                content = await trio.to_thread.run_sync(copy)
                outcomes[source] = snapshot, Candidate(bot.name, content, seeding, source)
            except BotError as wrong:
                outcomes[source] = snapshot, Unready(bot.name, source, _why(wrong))
        return outcomes


def fingerprint(path: Path) -> Fingerprint:
    """Tells whether files are unchanged from their names, modes, sizes, times and inodes: nothing is read.

    A link is followed, but none inside. What is never staged does not count, nor what cannot be looked at. Of more files than a
    bot may have, the uppermost count: the bot may have listed its own `files`, beside a folder of many others.
    """
    files: list[tuple[Any, ...]] = []
    names = [""]
    for name in islice(names, Limits().folder_files + 1):  # the list grows meanwhile
        with suppress(OSError):
            status = os.stat(f"{path}{name}", follow_symlinks=not name)
            if stat.S_ISDIR(status.st_mode):
                files.append((name, status.st_mode))
                names += [f"{name}/{inner}" for inner in os.listdir(f"{path}{name}") if inner not in LEFT_OUT]
            else:
                times = status.st_mtime_ns, status.st_ctime_ns
                files.append((name, status.st_mode, status.st_size, *times, status.st_ino, status.st_dev))
    return tuple(sorted(files))


def _why(wrong: BotError) -> str:
    """Why a bot cannot play, in a line; then what its compiler said."""
    if not isinstance(wrong, building.BuildFailed):
        return str(wrong)
    line = f"{wrong.says}; {wrong.advice}" if wrong.advice else wrong.says
    return "\n".join([line, *wrong.excerpt])


def _tools(name: str | None, programs: Sequence[Command], *, jailed: bool) -> Any:
    """The tools in the key of a build, or what is missing."""
    from referee.building.tools import toolchain

    language = None if name is None else languages.find(name)
    try:
        return jailed, toolchain("", language, programs, jailed=jailed)[1]
    except BotError as wrong:
        return jailed, str(wrong)
