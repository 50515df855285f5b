"""Drafts of programs and the games to debug them in: `web/drafts.sqlite`. Only the site writes it; intake reads the games.

1. Drafts and games belong to their user. Nobody else sees them, neither teachers nor admins.
2. A draft has the text of a program until it is submitted, and its tests. Callers cap their sizes, this file their number.
3. The newest `MOST_GAMES` games of each user stay. Intake stores how each ended (`debugging.py`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from referee.arena.rows import DAY, too_many_a_day
from referee.tournament.database import Database
from referee.web.refusals import Refusal

EXTRA_DRAFTS: Final = 3
"""Drafts that a user may have besides one for each bot."""
MOST_GAMES: Final = 10
"""Games of a user that stay."""
DAILY_GAMES: Final = 30
"""Games that a user may request in a day."""
SCHEMA: Final = """
CREATE TABLE drafts (
    user INTEGER NOT NULL, bot TEXT NOT NULL COLLATE NOCASE, text TEXT, tests TEXT NOT NULL, PRIMARY KEY (user, bot)
) WITHOUT ROWID;
CREATE TABLE games (
    id INTEGER PRIMARY KEY, user INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, rivals TEXT NOT NULL,
    seed INTEGER NOT NULL, created REAL NOT NULL
)
"""
_NEWEST: Final = f"""
SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY user ORDER BY id DESC) AS place FROM games)
WHERE place <= {MOST_GAMES}
"""
"""The ids of the newest games of each user. It reads no texts, which would take 0.1 s and more."""


class DebugGame(NamedTuple):
    """A game in which a user debugs a program.

    Attributes:
        name: of the program's seat. rivals: names of sample bots, and ids of the user's own versions.
    """

    id: int
    user: int
    name: str
    text: str
    rivals: Sequence[str]
    seed: int
    created: float


class Drafts(Database):
    """The open file."""

    def __init__(self, path: Path, *, writes: bool) -> None:
        super().__init__(path, SCHEMA, writes=writes, log_ahead=True)

    def bots(self, user: int) -> list[str]:
        """The bots that a user has drafts of."""
        question = "SELECT bot FROM drafts WHERE user = ? AND (text IS NOT NULL OR tests != '')"
        return [str(bot) for (bot,) in self.query(question, [user])]

    def draft(self, user: int, bot: str) -> tuple[str | None, str]:
        """The text of a draft, None if there is none, and its tests."""
        rows = self.query("SELECT text, tests FROM drafts WHERE user = ? AND bot = ?", [user, bot])
        text, tests = rows[0] if rows else (None, "")
        return text, tests

    def save(self, user: int, bot: str, most: int, *, text: str | None = None, tests: str | None = None) -> None:
        """Save the text or the tests of a draft.

        Raises:
            Refusal: the user would have more than `most` drafts.
        """
        with self.transaction():
            before = self.draft(user, bot)
            self.discard(user, bot)
            if len(self.bots(user)) >= most:
                raise Refusal("conflict", f"you may keep {most} drafts: discard one of them, at your account")
            row = user, bot, before[0] if text is None else text, before[1] if tests is None else tests
            self.query("INSERT INTO drafts VALUES (?, ?, ?, ?)", row)

    def discard(self, user: int, bot: str) -> None:
        """Remove a draft and its tests."""
        self.query("DELETE FROM drafts WHERE user = ? AND bot = ?", [user, bot])

    def remove_submitted(self, user: int, bot: str, sha256: str) -> None:
        """Remove the text of a draft that was uploaded as it is, so that the editor opens later versions. Tests stay."""
        text, _ = self.draft(user, bot)
        if text is not None and hashlib.sha256(text.encode()).hexdigest() == sha256:
            self.query("UPDATE drafts SET text = NULL WHERE user = ? AND bot = ?", [user, bot])

    def request_game(self, user: int, name: str, text: str, rivals: Sequence[str], seed: int, now: float) -> int:
        """Request a game, and return its id.

        Raises:
            Refusal: the user has requested too many today.
        """
        with self.transaction():
            today = "SELECT count(*), min(created) FROM games WHERE user = ? AND created > ?"
            [[count, first]] = self.query(today, [user, now - DAY])
            if count >= DAILY_GAMES:
                raise too_many_a_day(f"you may debug in {DAILY_GAMES} games", first, now)
            new = "INSERT INTO games (user, name, text, rivals, seed, created) VALUES (?, ?, ?, ?, ?, ?) RETURNING id"
            number = self.number(new, [user, name, text, json.dumps(list(rivals)), seed, now])
            old = f"DELETE FROM games WHERE id NOT IN ({_NEWEST}) AND created <= ?"
            self.query(old, [now - DAY])
        return number

    def games(self, user: int) -> list[DebugGame]:
        """The newest games of a user, the oldest first."""
        newest = self._games(f"user = ? ORDER BY id DESC LIMIT {MOST_GAMES}", [user])
        return newest[::-1]

    def newest_games(self) -> list[int]:
        """The ids of the newest games of each user, the oldest first."""
        return sorted(number for (number,) in self.query(_NEWEST))

    def game(self, number: int) -> DebugGame | None:
        """The game with an id."""
        return next(iter(self._games("id = ?", [number])), None)

    def _games(self, condition: str, values: Sequence[int]) -> list[DebugGame]:
        rows = self.query(f"SELECT {', '.join(DebugGame._fields)} FROM games WHERE {condition}", values)
        return [DebugGame(*row)._replace(rivals=json.loads(row[4])) for row in rows]
