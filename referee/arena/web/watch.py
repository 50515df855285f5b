"""Publishes what the other parts of an arena have done, as live events. It looks at their files and waits for none of them.

A file of SQLite says by a number (`data_version`) whether another process has written, so a look costs almost nothing.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import anyio

from referee.arena.seasons import names_of
from referee.arena.web.site import Site
from referee.errors import RefereeError

EVERY: Final = 0.5
"""Seconds between two looks."""
MATCHES: Final = 5
"""The most matches that are published at a time: of hundreds a second, nobody reads more."""


class Watch:
    """What was seen at the last look."""

    def __init__(self, site: Site) -> None:
        """Begin with what is there now: it is not news."""
        self.site = site
        self._versions = self._ledger = -1
        self._since = site.now()
        self._season, self._tables = "", self._stamps()
        self._known: set[tuple[str, str]] | None = None

    async def run(self) -> None:
        """Look for ever. A file that cannot be read now is looked at again."""
        while True:
            with suppress(RefereeError):
                self.look()
            await anyio.sleep(EVERY)

    def look(self) -> None:
        """Publish what is new."""
        self._changed_versions()
        self._new_matches()
        if (tables := self._stamps()) != self._tables:
            self._tables, standings = tables, self.site.standings
            self.site.events.publish("standings", {"as_of": standings["as_of"], "season": standings["season"]})

    def _stamps(self) -> tuple[Any, ...]:
        """What changes with the tables, and with whether the arena is open."""
        return self.site.tables_stamp, self.site.state

    def _changed_versions(self) -> None:
        if (stamp := self.site.versions.stamp) == self._versions:
            return
        self._versions = stamp
        if self._since > (now := self.site.now()):  # the clock was put back: some news comes twice, none is lost
            self._since = now - 2 * EVERY
        for version in self.site.versions.all("changed > ?", [self._since]):
            self._since = max(self._since, version.changed)
            if (upload := self.site.accounts.upload(version.id)) is not None:
                self.site.events.publish("version", self.site.describe(upload, version))

    def _new_matches(self) -> None:
        names = self.site.seasons.names()
        season = self.site.seasons.season(names[0]) if names else None
        if season is None:
            return
        state = names[0], season.ledger.stamp
        if state == (self._season, self._ledger):
            return
        self._season, self._ledger = state
        newest: list[dict[str, Any]] = self.site.seasons.newest(MATCHES).matches
        known, self._known = self._known, {(match["season"], match["id"]) for match in newest}
        if known is None:
            return
        for match in reversed([match for match in newest if (match["season"], match["id"]) not in known]):
            event = {key: match[key] for key in ("season", "id", "map", "started")}
            self.site.events.publish("match", event | {"names": list(names_of(match))})
