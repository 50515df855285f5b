"""Publishes the changes in the files of the other parts, as live events.

SQLite has a number (`data_version`) that changes when another process has written, so a check costs almost nothing.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import anyio

from referee.arena.seasons import names_of
from referee.arena.web.site import Site
from referee.errors import RefereeError

POLL: Final = 0.5
"""Seconds between two checks."""
MOST_MATCHES: Final = 5
"""Matches that are published at a time: of hundreds a second, nobody reads more."""


class Watch:
    """The state at the last check. At first, it is the present one, so nothing is news."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._since = site.now()
        self._versions: int | None = None
        self._tables = self._tables_stamp()
        self._ledger: tuple[str, int] | None = None
        self._matches: set[tuple[str, str]] | None = None

    async def run(self) -> None:
        """Check for ever. A file that cannot be read now is checked again."""
        while True:
            with suppress(RefereeError):
                self.check()
            await anyio.sleep(POLL)

    def check(self) -> None:
        """Publish the changes since the last check."""
        self._publish_versions()
        self._publish_matches()
        if (tables := self._tables_stamp()) != self._tables:
            self._tables, standings = tables, self.site.standings
            self.site.events.publish("standings", {"as_of": standings["as_of"], "season": standings["season"]})

    def _tables_stamp(self) -> object:
        """It changes with the tables and with the stage of the arena."""
        return self.site.tables_stamp, self.site.state

    def _publish_versions(self) -> None:
        if (stamp := self.site.versions.stamp) == self._versions:
            return
        self._versions = stamp
        if self._since > (now := self.site.now()):  # the clock was set back: some news comes twice, none is lost
            self._since = now - 2 * POLL
        for version in self.site.versions.all("changed > ?", [self._since]):
            self._since = max(self._since, version.changed)
            if (upload := self.site.accounts.upload(version.id)) is not None:
                self.site.events.publish("version", self.site.describe(upload, version))

    def _publish_matches(self) -> None:
        names = self.site.seasons.names()
        season = self.site.seasons.season(names[0]) if names else None
        if season is None or (stamp := (names[0], season.ledger.stamp)) == self._ledger:
            return
        self._ledger = stamp
        newest = {(match["season"], match["id"]): match for match in self.site.seasons.newest(MOST_MATCHES).matches}
        before, self._matches = self._matches, set(newest)
        for key in reversed([key for key in newest if before is not None and key not in before]):
            event = {part: newest[key][part] for part in ("season", "id", "map", "started")}
            self.site.events.publish("match", event | {"names": list(names_of(newest[key]))})
