"""The states of uploads, duels and debug games: `intake/versions.sqlite`, which only intake writes.

1. A version is `waiting` until intake starts on it, then `building`, `checking`, `ready`, `active`, and at last `replaced` or
   `withdrawn`; or it is `failed`, with the evidence of its build or its check. Each change is one transaction.
2. If intake ends during a build or a check, it starts again on that version, three times at most.
3. The evidence (steps of the check, compiler output, the duel) is for its author, not for everybody (`access.py`).
4. A duel or a debug game without a row is due. So is one that is `waiting`: the duel of a new version, or an interrupted one.
   Others are `playing`, and at last `done`, `failed`, or `ended` by a final.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from referee.arena.rows import Upload
from referee.arena.settings import ArenaFiles
from referee.errors import UsageError
from referee.tournament import settings as tournament
from referee.tournament.database import Database

State: TypeAlias = Literal["waiting", "building", "checking", "ready", "active", "replaced", "withdrawn", "failed"]
GameState: TypeAlias = Literal["playing", "waiting", "done", "failed", "ended"]
MOST_TRIES: Final = 3
SCHEMA: Final = """
CREATE TABLE versions (
    id INTEGER PRIMARY KEY, state TEXT NOT NULL, tries INTEGER NOT NULL, changed REAL NOT NULL, name TEXT NOT NULL,
    content TEXT, error TEXT, evidence TEXT
);
CREATE TABLE games (id TEXT PRIMARY KEY, state TEXT NOT NULL, document TEXT) WITHOUT ROWID"""
COLUMNS: Final = "id, state, tries, changed, name, content, error"
PUT: Final = f"""
INSERT INTO versions ({COLUMNS}, evidence) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET state = excluded.state, tries = excluded.tries, changed = excluded.changed,
    name = excluded.name, content = excluded.content, error = excluded.error,
    evidence = coalesce(excluded.evidence, evidence)"""


@dataclass(frozen=True, slots=True)
class Version:
    """The state of an upload.

    Attributes:
        id: of the upload. name: of the entrant, `USER/BOT`.
        content: of its copy in the season (`tournament/entering.py`). error: why it failed, in one line.
    """

    id: int
    state: State = "waiting"
    tries: int = 0
    changed: float = 0.0
    name: str = ""
    content: str | None = None
    error: str | None = None


class Submission(NamedTuple):
    """An upload and its state."""

    upload: Upload
    version: Version


class Versions(Database):
    """The open file."""

    def __init__(self, path: Path, *, writes: bool) -> None:
        if writes:
            path.parent.mkdir(parents=True, exist_ok=True)  # nobody else may enter the arena's folder
        super().__init__(path, SCHEMA, writes=writes, log_ahead=True)

    def all(self, condition: str = "1", values: Sequence[Any] = ()) -> list[Version]:
        """The versions that meet a condition, the oldest first."""
        rows = self.query(f"SELECT {COLUMNS} FROM versions WHERE {condition} ORDER BY id", values)
        return [Version(*row) for row in rows]

    def get(self, number: int) -> Version | None:
        """The version of an upload, if intake has seen it."""
        return next(iter(self.all("id = ?", [number])), None)

    def evidence(self, number: int) -> dict[str, Any]:
        """The evidence of a version, which is large: `steps` as `check --json` has them; `compiler`, the lines of the build."""
        rows = self.query("SELECT evidence FROM versions WHERE id = ?", [number])
        return json.loads(rows[0][0]) if rows and rows[0][0] else {}

    def states(self) -> dict[str, int]:
        """How many versions are in each state."""
        return dict(self.query("SELECT state, count(*) FROM versions GROUP BY state"))

    def put(self, *versions: Version, evidence: dict[str, Any] | None = None) -> None:
        """Write versions, new or changed, in one transaction. Without new evidence, the old evidence stays."""
        text = json.dumps(evidence) if evidence else None
        with self.transaction():
            for version in versions:
                self.query(PUT, (*astuple(version), text))

    def game(self, key: str) -> dict[str, Any] | None:
        """The `state` of a duel or a debug game, and its document; None if it has no row (theory, point 4).

        Args:
            key: see `duels.Duel.key` and `debugging.key_of`.
        """
        rows = self.query("SELECT state, document FROM games WHERE id = ?", [key])
        return {"state": rows[0][0], **json.loads(rows[0][1] or "{}")} if rows else None

    def games(self, *states: GameState) -> set[str]:
        """The keys of all duels and debug games in these states."""
        marks = ", ".join("?" * len(states))
        return {key for (key,) in self.query(f"SELECT id FROM games WHERE state IN ({marks})", states)}

    def put_game(self, key: str, state: GameState, document: dict[str, Any] | None = None) -> None:
        """Write the state of a duel or a debug game.

        Args:
            document: as `compare --json` has it, or `error`: why it was not played.
        """
        text = None if document is None else json.dumps(document)
        self.query("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", [key, state, text])

    def remove_games(self, keys: Iterable[str]) -> None:
        """Remove the rows of duels or debug games."""
        self.write_all("DELETE FROM games WHERE id = ?", ([key] for key in keys))


def check_unchanged(files: ArenaFiles) -> None:
    """Check that `game` and `anonymous` are as they were when the first version came.

    Bots of one game cannot play another, and the names in ledgers and saved games cannot change.

    Raises:
        UsageError: one was changed.
    """
    settings = files.settings
    with Versions(files.versions, writes=False) as versions:
        others = versions.all(f"name {'NOT ' if settings.anonymous else ''}LIKE '~%'")
    changed = {"anonymous": "false" if settings.anonymous else "true"} if others else {}
    for path in files.seasons.glob(f"*/{tournament.FILE}"):
        with suppress(UsageError):  # the part that needs a damaged file reports it
            if (game := tournament.settings_in(path.parent).game) != settings.game:
                changed["game"] = game
    for key, before in changed.items():
        why = f"it was {before} when the first version came, and what was played stays as it is"
        raise UsageError(f"{files.toml}: {key}: {why}: set it back, or make another arena")
