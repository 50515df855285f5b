"""The part that processes uploads: it builds and checks them, enters them into the season, and plays duels. It starts seasons.

1. It does one thing at a time: withdrawals, then uploads, then games that users debug programs in, then the duels of new
   versions, then challenges. An upload or such a game interrupts a duel, which goes on later. A final is made as soon as no
   upload waits. Then all unfinished duels are ended.
2. Users are served in turn: the next upload is the oldest one of the user who was served longest ago.
3. Each change of a version is one transaction, written after the files that it refers to. So a killed intake does the last step
   again, and each step may be done twice. An upload fails if three times intake ends while it builds or checks it, or the
   machine is too busy for that. Otherwise such an upload would keep all others waiting.
4. A file in the inbox without a row was never accepted. It is removed at the start.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

import trio

from referee.arena import duels, finals, season
from referee.arena.access import entrant_name
from referee.arena.accounts import Accounts
from referee.arena.admission import Admission, admit
from referee.arena.debugging import DebugGames
from referee.arena.drafts import Drafts
from referee.arena.duels import Duel
from referee.arena.part import POLL, main, say, unless
from referee.arena.rows import Upload
from referee.arena.settings import ArenaFiles, has_room
from referee.arena.state import change_state, now, read_state
from referee.arena.uploads import stored_name
from referee.arena.versions import MOST_TRIES, State, Submission, Version, Versions, check_unchanged
from referee.errors import IsolationError, RefereeError, UsageError, disk_is_full, ungrouped
from referee.players.fairness import HostStalled
from referee.sandbox.tempdir import remove

SEASON_POLL: Final = 10.0
"""Seconds between two checks whether the season is full."""
PENDING: Final = ("waiting", "building", "checking", "ready")
ENDED: Final = ("replaced", "withdrawn", "failed")


def is_pending(submission: Submission) -> bool:
    """Whether an upload is still to be checked or entered."""
    return not submission.upload.deleted and submission.version.state in PENDING


def next_upload(submissions: Iterable[Submission]) -> Submission | None:
    """The upload that is served next (theory, point 2); None if none is pending."""
    served, pending = defaultdict[int, float](float), list[Submission]()
    for submission in submissions:
        author, version = submission.upload.author_id, submission.version
        if version.state == "ready":
            return submission
        if is_pending(submission):
            pending.append(submission)
        else:
            served[author] = max(version.changed, served[author])
    return min(pending, key=lambda it: (served[it.upload.author_id], it.upload.id), default=None)


def to_withdraw(submissions: Iterable[Submission]) -> list[Version]:
    """The versions of deleted bots that are still in the contest."""
    return [version for upload, version in submissions if upload.deleted and version.state not in ENDED]


class Intake:
    """Processes the uploads of an arena."""

    def __init__(self, files: ArenaFiles, accounts: Accounts, drafts: Drafts, versions: Versions) -> None:
        self._files, self._accounts, self._versions = files, accounts, versions
        self._submissions: dict[int, Submission] = {}
        self._challenges: list[Duel] = []
        self._debug_games = DebugGames(files, drafts, versions)
        self._stamp: object = None
        self._idle = False
        self.refresh()

    def refresh(self) -> bool:
        """Read the uploads, withdrawals and challenges of users. Returns whether there are new ones."""
        if (stamp := self._accounts.submission_stamp()) == self._stamp:
            return False
        self._stamp, self._idle = stamp, False
        versions = {version.id: version for version in self._versions.all()}
        for upload in self._accounts.uploads():
            name = entrant_name(self._files.settings, upload)
            version = versions.get(upload.id) or Version(upload.id, changed=now(), name=name)
            self._submissions[upload.id] = Submission(upload, version)
        self._challenges = [Duel(f"c{number}", new, old) for number, new, old, _ in self._accounts.challenges()]
        return True

    def clean(self) -> None:
        """Remove files that were never accepted (theory, point 4)."""
        self._files.inbox.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._files.sources.mkdir(parents=True, exist_ok=True)
        # The site accepts no upload during this transaction: each file has its row by now, or never gets one.
        with self._accounts.transaction():
            rows = {stored_name(upload.id, upload.file) for upload in self._accounts.uploads()}
            for path in self._files.inbox.iterdir():
                if path.name not in rows and not path.name.startswith("."):
                    with suppress(OSError):
                        path.unlink()

    async def step(self) -> bool:
        """Do the next thing. Returns whether there was any."""
        self.refresh()
        if self._make_final():
            return True
        if self._idle and self._debug_games.next() is None:
            return False
        if (work := self._urgent_work()) is not None:
            await work()
            return True
        if (duel := self._next_duel()) is None:
            self._idle = True
            return False
        if read_state(self._files).state == "final":
            remove(duels.folder_of(self._files, duel))
            self._versions.put_game(duel.key, "ended", {"error": duels.ENDED})
        else:
            await self._play_duel(duel)
        return True

    def check_season(self) -> None:
        """Begin the next season if this one is full, or if the settings have changed."""
        number = read_state(self._files).season
        folder = self._files.season(number)
        if season.is_full(self._files, folder) or not season.fits(self._files, folder):
            season.begin(self._files, self._files.season(number + 1), self._active())
            change_state(self._files, lambda state: replace(state, season=number + 1))
            say(f"season {number + 1} begins")
        else:
            self._write_season()

    def _urgent_work(self) -> Callable[[], Awaitable[None]] | None:
        """The next work that goes before duels; None if there is none."""
        if deleted := to_withdraw(self._submissions.values()):
            return partial(self._withdraw, deleted[0])  # one at a time: the season keeps its last bot (`season.write`)
        if (submission := next_upload(self._submissions.values())) is not None:
            return partial(self._serve, *submission)
        if self._debug_games.next() is not None:
            return partial(self._debug_games.play, self._submissions)
        return None

    async def _withdraw(self, version: Version) -> None:
        self._put(_into(version, "withdrawn"))
        self._write_season()

    async def _serve(self, upload: Upload, version: Version) -> None:
        if version.state == "ready":
            self._activate(version)
        elif version.tries >= MOST_TRIES:
            why = f"in {MOST_TRIES} tries the arena ended or was too busy: upload it again, or tell its organisers"
            self._put(_into(version, "failed", error=why))
        else:
            await self._try(upload, version)

    async def _try(self, upload: Upload, version: Version) -> None:
        """Build and check an upload, and let it play if it is ready."""
        building = _into(version, "building", tries=version.tries + 1)
        self._put(building)
        try:
            with ungrouped():
                result = await self._build_and_check(upload, building)
        except HostStalled:
            return
        except (RefereeError, OSError) as failed:
            if self._lacks_room(failed) or isinstance(failed, IsolationError):
                self._put(version)  # it is not the author's fault, so the try does not count
            raise
        state: State = "failed" if result.content is None else "ready"
        checked = _into(building, state, content=result.content, error=result.error)
        self._put(checked, evidence=result.evidence)
        if checked.state == "ready":
            self._activate(checked)

    def _activate(self, version: Version) -> None:
        """Let a version play in the season, in place of the one before."""
        self._write_season({version.name: version.content or ""})
        for duel in duels.of_versions(self._submissions.values()):
            if duel.new == version.id:
                self._versions.put_game(duel.key, "waiting")
        old = [it for _, it in self._submissions.values() if it.state == "active" and it.name == version.name]
        self._put(*(_into(it, "replaced") for it in old), _into(version, "active"))

    async def _build_and_check(self, upload: Upload, version: Version) -> Admission:
        folder = self._files.season(read_state(self._files).season)
        name = stored_name(upload.id, upload.file)
        source = self._files.sources / name
        with suppress(FileNotFoundError):  # intake was killed after this step
            os.replace(self._files.inbox / name, source)

        def checking() -> None:
            self._put(_into(version, "checking"))

        result = await admit(source, upload.file, version.name, self._files, folder, checking)
        if result.content is None and self._lacks_room():  # that may be why it was not built
            raise UsageError("the disk is full: free space")
        return result

    def _make_final(self) -> bool:
        """Make the final if it is due. Returns whether it was made."""
        state = read_state(self._files)
        if state.state != "final" or state.final is not None or any(map(is_pending, self._submissions.values())):
            return False
        folder, entries = self._files.seasons / finals.next_name(self._files), self._active()
        try:
            plan = season.final_of(self._files, entries)
        except UsageError:  # there are too few bots (`finals.waiting_reason`)
            return False
        season.begin(self._files, folder, entries, "round-robin")
        change_state(self._files, lambda it: replace(it, final=folder.name) if it.state == "final" else it)
        say(f"the final of {len(entries)} bots has {plan.matches:,} matches")
        return True

    def _next_duel(self) -> Duel | None:
        over = self._versions.games("done", "failed", "ended")
        all_duels = [*duels.of_versions(self._submissions.values()), *self._challenges]
        return next((duel for duel in all_duels if duel.key not in over), None)

    async def _play_duel(self, duel: Duel) -> None:
        """Play a duel until its end, or until more urgent work arrives."""
        self._versions.put_game(duel.key, "playing")
        try:
            with ungrouped():
                results = await unless(self._has_urgent_work, duels.play(duel, self._submissions, self._files))
            self._versions.put_game(duel.key, "done" if results else "waiting", *results)
        except RefereeError as failed:
            if self._lacks_room(failed):
                raise
            say(f"duel {duel.key}: {failed}")
            self._versions.put_game(duel.key, "failed")

    def _has_urgent_work(self) -> bool:
        """Whether there is work that goes before duels. It looks through the uploads only if some are new."""
        is_new = self.refresh()
        if self._debug_games.next() is not None or read_state(self._files).state == "final":
            return True
        return is_new and self._urgent_work() is not None

    def _lacks_room(self, failed: Exception | None = None) -> bool:
        """Whether the arena's disk is full, or the one that an error is about. This is no author's fault."""
        return disk_is_full(failed) or not has_room(self._files.root)

    def _active(self) -> dict[str, str]:
        """The contents of all active versions, by the names of their entrants."""
        return {it.name: it.content for _, it in self._submissions.values() if it.state == "active" and it.content}

    def _write_season(self, new: season.Entries | None = None) -> None:
        """Write the season of all active versions. A new one replaces the older version of its name."""
        folder = self._files.season(read_state(self._files).season)
        season.begin(self._files, folder, {**self._active(), **(new or {})})

    def _put(self, *versions: Version, evidence: dict[str, Any] | None = None) -> None:
        self._versions.put(*versions, evidence=evidence)
        for it in versions:
            self._submissions[it.id] = self._submissions[it.id]._replace(version=it)


def _into(version: Version, state: State, **changes: Any) -> Version:
    return replace(version, state=state, changed=now(), **changes)


async def work(files: ArenaFiles, _options: Mapping[str, Any]) -> None:
    """Process uploads for ever."""
    check_unchanged(files)
    accounts, versions = Accounts(files.accounts, now=now), Versions(files.versions, writes=True)
    intake = Intake(files, accounts, Drafts(files.drafts, writes=False), versions)
    intake.clean()
    checked = -SEASON_POLL
    while True:
        if trio.current_time() - checked >= SEASON_POLL:
            checked = trio.current_time()
            intake.check_season()
        if not await intake.step():
            await trio.sleep(POLL)


if __name__ == "__main__":
    main(work, background=True)
