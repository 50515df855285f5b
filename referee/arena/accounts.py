"""Users, their keys, sessions and invitations: `web/arena.sqlite`, and what users have asked for.

1. There are no passwords. A key has 192 bits and is shown once. The file has its SHA-256: nobody can guess such a key, so no
   salt or slow hash is needed. Sessions (256 bits) and invitations are stored in the same way.
2. Names are unique without regard to case. The name of a deleted user stays taken.
3. The site and the commands write: each change is one transaction.
4. `uploads` has a row for each accepted upload. Its id is also that of the version (`versions.py`).
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from referee.arena.rows import DAY, SCHEMA, Role, Sent, Upload, User, check_name, digest
from referee.tournament.database import Database
from referee.web.refusals import Refusal

KEY_BYTES: Final = 24
SESSION_BYTES: Final = 32
SESSION_TERM: Final = 30 * DAY
"""Seconds that a session lasts."""
USER_SESSIONS: Final = 50
"""The most sessions of a user. The oldest ones end."""
WANTED_TERM: Final = 60
"""Seconds after which the request for a page is forgotten."""
_UPLOAD: Final = """
SELECT uploads.id, users.name, users.id, users.class, bots.name, bots.id, uploads.number, uploads.file, uploads.note,
    uploads.sha256, uploads.bytes, uploads.created, bots.deleted IS NOT NULL
FROM uploads JOIN bots ON bots.id = uploads.bot JOIN users ON users.id = bots.user
"""


class Accounts(Database):
    """The open file. `now` gives seconds since 1970."""

    def __init__(self, path: Path, *, now: Any) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(path, SCHEMA, writes=True, log_ahead=True)
        self._now = now

    # Users

    def users(self, condition: str = "1", *values: Any) -> list[User]:
        """Users, in the order in which they came."""
        question = f"SELECT id, name, role, class, disabled FROM users WHERE {condition} ORDER BY id"
        return [User(*row, bool(disabled)) for *row, disabled in self.query(question, values)]  # type: ignore[call-arg]

    def user(self, name: str) -> User | None:
        """The user with a name."""
        return next(iter(self.users("name = ?", name)), None)

    def by_key(self, key: str) -> User | None:
        """The user with a key, unless disabled."""
        users = self.users("id = (SELECT user FROM keys WHERE digest = ?) AND NOT disabled", digest(key))
        return next(iter(users), None)

    def by_session(self, token: str) -> User | None:
        """The user of a session, unless it has ended or the user is disabled."""
        condition = "id = (SELECT user FROM sessions WHERE digest = ? AND expires > ?) AND NOT disabled"
        return next(iter(self.users(condition, digest(token), self._now())), None)

    def invite(self, name: str, role: Role, group: str | None, seconds: float, by: str) -> str:
        """Make an invitation, and return its token.

        Raises:
            Refusal: the name cannot be one, or is taken.
        """
        token = secrets.token_urlsafe(KEY_BYTES)
        with self.transaction():
            self.check_new(name)
            row = digest(token), name, role, group, self._now() + seconds
            self.query("INSERT INTO invitations VALUES (?, ?, ?, ?, ?, NULL)", row)
            self.note(by, f"invites {name} as {role}")
        return token

    def check_new(self, name: str) -> None:
        """Check that a new user can have a name.

        Raises:
            Refusal: no user can, or somebody has it.
        """
        check_name(name, "user")
        if self.user(name) is not None:
            raise Refusal("conflict", f"there is a user {name} already: choose another name")

    def invitations(self) -> list[tuple[Any, ...]]:
        """The people who are invited and have not joined: name, role, class, and when the last such invitation expires."""
        question = """
            SELECT name, role, class, MAX(expires) FROM invitations
            WHERE used IS NULL AND expires > ? AND name NOT IN (SELECT name FROM users)
            GROUP BY name, role, class ORDER BY name"""
        return self.query(question, [self._now()])

    def uninvite(self, name: str, by: str) -> tuple[str, Role, str | None] | None:
        """End the open invitations of a name. Returns the name, role and class; None if there are none."""
        with self.transaction():
            if self.user(name) is not None:
                return None
            end = "DELETE FROM invitations WHERE name = ? AND used IS NULL AND expires > ? RETURNING name, role, class"
            ended = self.query(end, [name, self._now()])
            if ended:
                self.note(by, f"ends the invitation of {ended[0][0]}")
        return ended[0] if ended else None

    def join(self, token: str) -> tuple[User, str]:
        """Use an invitation. Returns the new user and the key.

        Raises:
            Refusal: there is no such invitation, it has been used, or it has expired.
        """
        use = "UPDATE invitations SET used = ? WHERE digest = ? AND used IS NULL AND expires >= ? RETURNING name, role, class"
        with self.transaction():
            now = self._now()
            invitation = next(iter(self.query(use, [now, digest(token), now])), None)
            if invitation is None or self.user(invitation[0]) is not None:
                why = "this invitation has been used, or its term is over: ask for a new one"
                raise Refusal("not_found", why, status=410)
            self.query("INSERT INTO users (name, role, class, created) VALUES (?, ?, ?, ?)", [*invitation, now])
            [user] = self.users("name = ?", invitation[0])
            key = self._new_key(user)
            self.note(user.name, "joins")
        return user, key

    def new_key(self, user: User, by: str) -> str:
        """Make a new key. The old one and all sessions end. A user's own keys are not in the audit log, which they could fill."""
        with self.transaction():
            key = self._new_key(user)
            if by != user.name:
                self.note(by, f"makes a new key for {user.name}")
        return key

    def sign_in(self, user: User) -> str:
        """Begin a session, and return its token."""
        token = secrets.token_urlsafe(SESSION_BYTES)
        now = self._now()
        with self.transaction():
            self.query("DELETE FROM sessions WHERE expires < ?", [now])
            newest = "SELECT digest FROM sessions WHERE user = :user ORDER BY expires DESC LIMIT :most"
            old = f"DELETE FROM sessions WHERE user = :user AND digest NOT IN ({newest})"
            self.query(old, {"user": user.id, "most": USER_SESSIONS - 1})
            self.query("INSERT INTO sessions VALUES (?, ?, ?)", [digest(token), user.id, now + SESSION_TERM])
        return token

    def sign_out(self, token: str) -> None:
        """End a session."""
        self.query("DELETE FROM sessions WHERE digest = ?", [digest(token)])

    def change(
        self, user: User, by: str, *, disabled: bool | None = None, role: Role | None = None, group: str | None = None
    ) -> None:
        """Change a user: disabled or not, which ends all sessions, the role, or the class (`""`: none)."""
        with self.transaction():
            if disabled is not None:
                self.query("UPDATE users SET disabled = ? WHERE id = ?", [int(disabled), user.id])
                self.query("DELETE FROM sessions WHERE user = ?", [user.id])
                self.note(by, f"{'disables' if disabled else 'enables'} {user.name}")
            if role is not None:
                self.query("UPDATE users SET role = ? WHERE id = ?", [role, user.id])
                self.note(by, f"makes {user.name} {role}")
            if group is not None:
                self.query("UPDATE users SET class = ? WHERE id = ?", [group or None, user.id])
                self.note(by, f"puts {user.name} into {f'class {group}' if group else 'no class'}")

    def delete(self, user: User, by: str) -> None:
        """Disable a user for ever: the key dies and all bots leave the contest. What they have played stays."""
        with self.transaction():
            self.query("UPDATE users SET disabled = 1 WHERE id = ?", [user.id])
            self.query("UPDATE bots SET deleted = ? WHERE user = ? AND deleted IS NULL", [self._now(), user.id])
            for table in ("keys", "sessions"):
                self.query(f"DELETE FROM {table} WHERE user = ?", [user.id])
            self.note(by, f"deletes {user.name}")

    # Bots and uploads

    def bots(self, user: User) -> list[tuple[Any, ...]]:
        """The bots of a user that are not deleted: id and name."""
        return self.query("SELECT id, name FROM bots WHERE user = ? AND deleted IS NULL ORDER BY id", [user.id])

    def uploads(self, condition: str = "1", values: Sequence[Any] = ()) -> list[Upload]:
        """Accepted uploads, the oldest first."""
        rows = self.query(f"{_UPLOAD} WHERE {condition} ORDER BY uploads.id", values)
        return [Upload(*row, bool(deleted)) for *row, deleted in rows]  # type: ignore[call-arg]

    def newest_uploads(self, condition: str, values: Sequence[Any]) -> list[Upload]:
        """The newest upload of each bot that meets a condition, the oldest first."""
        newest = "uploads.number = (SELECT max(number) FROM uploads AS own WHERE own.bot = bots.id)"
        return self.uploads(f"{condition} AND {newest}", values)

    def upload(self, number: int) -> Upload | None:
        """The upload with an id."""
        return next(iter(self.uploads("uploads.id = ?", [number])), None)

    def submission_stamp(self) -> tuple[Any, ...]:
        """A value that changes with each upload, withdrawal and challenge, and with nothing else. It reads a row for each bot."""
        rows = "(SELECT max(id) FROM uploads), (SELECT max(id) FROM duels), count(deleted)"
        return self.query(f"SELECT {rows} FROM bots")[0]

    def last_upload(self, user: User, bot: str) -> Upload | None:
        """The newest upload of a bot; None if it has none."""
        return next(iter(self.newest_uploads("bots.user = ? AND bots.name = ?", [user.id, bot])), None)

    def accept(self, user: User, sent: Sent) -> Upload:
        """Accept an upload. The caller has begun a transaction, in which it also puts the file into the inbox."""
        last = self.last_upload(user, sent.bot)
        number = 1 if last is None else last.number + 1
        enter = "INSERT INTO bots (user, name) VALUES (?, ?) ON CONFLICT DO UPDATE SET deleted = NULL RETURNING id"
        bot_id = self.number(enter, [user.id, sent.bot])
        row = [bot_id, number, sent.file, sent.note, sent.sha256, sent.bytes, self._now()]
        columns = "bot, number, file, note, sha256, bytes, created"
        upload_id = self.number(f"INSERT INTO uploads ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id", row)
        [upload] = self.uploads("uploads.id = ?", [upload_id])
        return upload

    def withdraw(self, user: User, bot: str, by: str) -> None:
        """Take a bot out of the contest. The owner keeps its name.

        Raises:
            Refusal: there is no such bot.
        """
        with self.transaction():
            out = "UPDATE bots SET deleted = ? WHERE user = ? AND name = ? AND deleted IS NULL RETURNING id"
            if not self.query(out, [self._now(), user.id, bot]):
                raise Refusal("not_found", f"{user.name} has no bot of that name")
            self.note(by, f"withdraws {user.name}/{bot}")

    def usage(self, user: User, since: float) -> tuple[int, int, float | None]:
        """How many uploads a user made since a moment, the bytes of all uploads, and the time of the first one since then."""
        question = """
            SELECT coalesce(sum(created > :since), 0), coalesce(sum(bytes), 0), min(CASE WHEN created > :since THEN created END)
            FROM uploads JOIN bots ON bots.id = bot WHERE user = :user"""
        [[count, size, first]] = self.query(question, {"user": user.id, "since": since})
        return count, size, first

    # Challenges and pages

    def challenge(self, user: User, version: int, against: int) -> int:
        """Ask for a duel, and return its id."""
        ask = "INSERT INTO duels (user, version, against, created) VALUES (?, ?, ?, ?) RETURNING id"
        return self.number(ask, [user.id, version, against, self._now()])

    def has_duel(self, user: User, duel: int) -> bool:
        """Whether a duel is a challenge of this user, by its id."""
        return bool(self.query("SELECT 1 FROM duels WHERE id = ? AND user = ?", [duel, user.id]))

    def challenges(self, since: float = 0.0, user: User | None = None) -> list[tuple[Any, ...]]:
        """The requested duels, of a user or of all: id, version, rival's version, time."""
        condition = "created > :since AND (:user IS NULL OR user = :user)"
        question = f"SELECT id, version, against, created FROM duels WHERE {condition} ORDER BY id"
        return self.query(question, {"since": since, "user": user.id if user else None})

    def want(self, page: str) -> None:
        """Ask for a page that is made on demand. Old requests are removed: their pages were made, or cannot be.

        Requests of a time to come are removed, too. The clock was put back since, and they would hide the new ones.
        """
        with self.transaction():
            now = self._now()
            self.query("DELETE FROM wanted WHERE asked NOT BETWEEN ? AND ?", [now - WANTED_TERM, now])
            self.query("INSERT OR REPLACE INTO wanted VALUES (?, ?)", [page, now])

    def page_requests(self, since: float) -> list[tuple[Any, ...]]:
        """The pages requested after a moment, the newest first: page, time."""
        return self.query("SELECT page, asked FROM wanted WHERE asked > ? ORDER BY asked DESC", [since])

    # Audit

    def note(self, who: str, what: str) -> None:
        """Write a line of the audit log."""
        self.query("INSERT INTO audit (at, who, what) VALUES (?, ?, ?)", [self._now(), who, what])

    def audit(self, most: int = 200) -> list[tuple[Any, ...]]:
        """The newest lines of the audit log, the newest first: time, user, action."""
        return self.query("SELECT at, who, what FROM audit ORDER BY id DESC LIMIT ?", [most])

    def _new_key(self, user: User) -> str:
        key = secrets.token_urlsafe(KEY_BYTES)
        self.query("INSERT OR REPLACE INTO keys VALUES (?, ?, ?)", [user.id, digest(key), self._now()])
        self.query("DELETE FROM sessions WHERE user = ?", [user.id])
        return key
