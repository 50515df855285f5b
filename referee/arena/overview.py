"""An arena at this moment, read from the files of its parts: for commands, and for the site (`web/site.py`)."""

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
from referee.arena.state import ArenaState, dated, now, read_state
from referee.arena.versions import Versions


def make_databases(files: ArenaFiles) -> None:
    """Make the databases of all parts, so that each part can read those of the others, whichever is started first.

    Raises:
        UsageError: one cannot be made, or is not ours.
    """
    Accounts(files.accounts, now=now).close()
    for kind, path in ((Drafts, files.drafts), (Versions, files.versions)):
        kind(path, writes=True).close()


class Overview:
    """An arena at this moment.

    Attributes:
        now: gives seconds since 1970. seats: of a match.
    """

    def __init__(self, files: ArenaFiles, *, now: Callable[[], float]) -> None:
        """Open the arena's files.

        Raises:
            UsageError: they cannot be used.
        """
        self.files, self.settings, self.now = files, files.settings, now
        self.seats = plan_of(files).rules.seats
        self.accounts = Accounts(files.accounts, now=now)
        self.versions = Versions(files.versions, writes=False)
        self.seasons = Seasons(files)

    def close(self) -> None:
        """Close them."""
        self.accounts.close()
        self.versions.close()
        self.seasons.close()

    def at_present(self) -> ArenaState:
        """The state of the arena, after all dates that have passed.

        Raises:
            UsageError: its file is damaged.
        """
        return dated(read_state(self.files), self.settings, self.now())

    def table_of(self, folder: str) -> Sequence[Mapping[str, Any]]:
        """The rows of a final that is over, by the name of its folder."""
        tournament = self.seasons.season(folder)
        return tournament.table()["table"] if tournament is not None else ()

    def final_progress(self, name: str | None = None) -> str | None:
        """How far a final is, by the name of its folder; without one, the final that was asked for; None if there is none."""
        state = self.at_present()
        final = name or state.final
        if state.state != "final" and final is None:
            return None
        if final is not None and (season := self.seasons.season(final)) is not None and season.ledger.begun:
            return finals.progress(season, partial(self.table_of, final), goes_on=finals.goes_on(state, final))
        names = [version.name for version in self.versions.all("state = 'active'")]
        return finals.coming(self.files, names, self.waiting())

    def waiting(self) -> int:
        """How many uploads are not ready yet."""
        through = self.versions.count("state NOT IN ('waiting', 'building', 'checking')")
        return max(0, self.accounts.uploaded() - through)

    def document(self) -> dict[str, Any]:
        """The arena as GET /arena gives it. A season is named by its folder, as in matches, because a final has no number."""
        state = self.at_present()
        return {
            "name": self.settings.name,
            "game": self.settings.game,
            "state": state.state,
            "season": str(state.season),
            "seats": self.seats,
            "matches": self.seasons.played(str(state.season)),
            "entrants": self.versions.count("state = 'active'"),
            "waiting": self.waiting(),
            "final_progress": self.final_progress(),
        }
