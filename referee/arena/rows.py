"""The tables of users and uploads, their rows, and which names users and bots may have. Pure."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.bots import HOUSE, HUMAN, samples
from referee.text.words import counted, shorten
from referee.web.refusals import Refusal

Role: TypeAlias = Literal["author", "teacher", "admin"]
DAY: Final = 86_400
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
"""Names of users and of bots."""
SCHEMA: Final = """
CREATE TABLE users (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, role TEXT NOT NULL, class TEXT,
    disabled INTEGER NOT NULL DEFAULT 0, created REAL NOT NULL
);
CREATE TABLE keys (user INTEGER PRIMARY KEY REFERENCES users, digest TEXT NOT NULL UNIQUE, created REAL NOT NULL);
CREATE TABLE sessions (digest TEXT PRIMARY KEY, user INTEGER NOT NULL REFERENCES users, expires REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE invitations (
    digest TEXT PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, role TEXT NOT NULL, class TEXT, expires REAL NOT NULL,
    used REAL
) WITHOUT ROWID;
CREATE TABLE bots (
    id INTEGER PRIMARY KEY, user INTEGER NOT NULL REFERENCES users, name TEXT NOT NULL COLLATE NOCASE, deleted REAL,
    UNIQUE (user, name)
);
CREATE TABLE uploads (
    id INTEGER PRIMARY KEY, bot INTEGER NOT NULL REFERENCES bots, number INTEGER NOT NULL, file TEXT NOT NULL,
    note TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, created REAL NOT NULL, UNIQUE (bot, number)
);
CREATE TABLE duels (
    id INTEGER PRIMARY KEY, user INTEGER NOT NULL REFERENCES users, version INTEGER NOT NULL REFERENCES uploads,
    against INTEGER NOT NULL REFERENCES uploads, created REAL NOT NULL
);
CREATE TABLE wanted (page TEXT PRIMARY KEY, asked REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE audit (id INTEGER PRIMARY KEY, at REAL NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL)
"""


@dataclass(frozen=True, slots=True)
class User:
    """A user; `group` is the class."""

    id: int
    name: str
    role: Role
    group: str | None
    disabled: bool


class Sent(NamedTuple):
    """What a user has sent as a version of a bot; its fields are those of `Upload`."""

    bot: str
    file: str
    note: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Upload:
    """An accepted upload: a version of a bot.

    Attributes:
        number: counts the bot's versions, from 1. file: the name of the author's file. created: seconds since 1970.
    """

    id: int
    author: str
    author_id: int
    group: str | None
    bot: str
    bot_id: int
    number: int
    file: str
    note: str
    sha256: str
    bytes: int
    created: float
    deleted: bool


def digest(secret: str) -> str:
    """The stored form of a key, a session or an invitation."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def check_name(name: str, whose: Literal["user", "bot"]) -> None:
    """Check the name of a user or a bot.

    Raises:
        Refusal: it cannot be one.
    """
    if NAME.fullmatch(name) is None:
        allowed = "1 to 32 letters from A to Z, digits, dots, dashes and underscores, a letter or digit first"
        raise Refusal("unprocessable", f"{shorten(repr(name))} cannot be the name of a {whose}: write {allowed}")
    if name.lower() in _reserved_names():
        raise Refusal("conflict", f"{name} is a name of the referee's own: choose another one")


def too_many_a_day(limit: str, first: float, now: float) -> Refusal:
    """The refusal of what exceeds a daily limit, until a day has passed since the first of the counted actions.

    Args:
        limit: in words, such as `you may upload 10 versions`.
    """
    wait = max(1, ceil(first + DAY - now))
    return Refusal("too_many", f"{limit} a day: wait {counted(ceil(wait / 3600), 'hour')}", retry_after=wait)


@cache
def _reserved_names() -> frozenset[str]:
    """The names that mean players in commands."""
    return frozenset({HUMAN, HOUSE, *samples()})
