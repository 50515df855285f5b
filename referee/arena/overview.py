"""The current state of an arena, read from the files of its parts: for commands, and for the site (`web/site.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from referee.arena import finals
from referee.arena.accounts import Accounts
from referee.arena.drafts import Drafts
from referee.arena.season import plan_of
from referee.arena.seasons import Seasons
from referee.arena.settings import ArenaFiles
from referee.arena.state import ArenaState, after_dates, now, read_state
from referee.arena.versions import Versions


def make_databases(files: ArenaFiles) -> None:
    """Make the databases of all parts, so that each part can read those of the others, whichever is started first.

    Raises:
        UsageError: one cannot be made, or has other tables.
    """
    Accounts(files.accounts, now=now).close()
    Drafts(files.drafts, writes=True).close()
    Versions(files.versions, writes=True).close()


class Overview:
    """The files of an arena, opened.

    Attributes:
        now: gives seconds since 1970. seats: of a match.
    """

    def __init__(self, files: ArenaFiles, *, now: Callable[[], float]) -> None:
        self.files, self.settings, self.now = files, files.settings, now
        self.seats = plan_of(files).rules.seats
        self.accounts = Accounts(files.accounts, now=now)
        self.versions = Versions(files.versions, writes=False)
        self.seasons = Seasons(files)
        self._states: tuple[int, Mapping[str, int]] = (-1, {})

    def close(self) -> None:
        """Close the files."""
        for opened in (self.accounts, self.versions, self.seasons):
            opened.close()

    def at_present(self) -> ArenaState:
        """The state after all dates that have passed.

        Raises:
            UsageError: its file is damaged.
        """
        return after_dates(read_state(self.files), self.settings, self.now())

    def table_of(self, folder: str) -> Sequence[Mapping[str, Any]]:
        """The table of a final that is over, by its folder."""
        tournament = self.seasons.season(folder)
        return tournament.table()["table"] if tournament is not None else ()

    def final_progress(self, name: str | None = None) -> str | None:
        """The progress of a final, by its folder, or of the current one; None if there is none."""
        state = self.at_present()
        final = name or state.final
        if state.state != "final" and final is None:
            return None
        if final is not None and (season := self.seasons.season(final)) is not None and season.ledger.begun:
            return finals.progress(season, partial(self.table_of, final), goes_on=state.plays(final))
        names = [version.name for version in self.versions.all("state = 'active'")]
        return finals.waiting_reason(self.files, names, self.waiting())

    def waiting(self) -> int:
        """How many uploads are to be built or checked."""
        unchecked = "waiting", "building", "checking"
        checked = sum(count for state, count in self._versions_by_state().items() if state not in unchecked)
        return max(0, self.accounts.number("SELECT count(*) FROM uploads") - checked)

    def _versions_by_state(self) -> Mapping[str, int]:
        """How many versions are in each state. They are counted once after each change, since a count reads all versions."""
        if (stamp := self.versions.stamp) != self._states[0]:
            self._states = stamp, self.versions.states()
        return self._states[1]

    def document(self) -> dict[str, Any]:
        """The answer to GET /arena. Seasons are texts, as in matches: a final has a name."""
        state = self.at_present()
        return {
            "name": self.settings.name,
            "game": self.settings.game,
            "state": state.state,
            "season": str(state.season),
            "seats": self.seats,
            "matches": self.seasons.match_count(str(state.season)),
            "entrants": self._versions_by_state().get("active", 0),
            "waiting": self.waiting(),
            "final_progress": self.final_progress(),
        }
