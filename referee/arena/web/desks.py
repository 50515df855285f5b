"""The processes that say what programs mean: two for all users, so that nothing of a user is computed in the site's own.

A user's questions are answered one after the other, and users take turns. A question has `SECONDS`, so one that hangs keeps
others waiting no longer than that.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import anyio

from referee.arena.access import without_places
from referee.arena.settings import ArenaFiles
from referee.studio.desk import Desk
from referee.web.answers import Refusal

DESKS: Final = 2
SECONDS: Final = 10.0
"""For an answer."""
OWN: Final = 8
"""The most questions of a user that wait, or are answered."""
ALL: Final = 40
"""The same of all users."""


class Desks:
    """The processes. They start with the first questions."""

    def __init__(self, files: ArenaFiles) -> None:
        """Those of an arena."""
        self._root, saved = files.root, (files.seasons, files.debugged)
        self._free = [Desk(files.seasons, confined=saved, deadline=SECONDS) for _ in range(DESKS)]
        self._slots = anyio.Semaphore(DESKS)
        self._asked = Counter[int]()
        self._turns = dict[int, anyio.Lock]()

    async def ask(self, user: int, kind: str, **question: Any) -> dict[str, Any]:
        """The answer to a question of a user; see `Desk.ask`.

        Raises:
            Refusal: there is none, or too many questions wait.
        """
        if self._asked[user] >= OWN or self._asked.total() >= ALL:
            raise Refusal("too_many", "too many questions wait: ask again in some seconds", retry_after=int(SECONDS))
        self._asked[user] += 1
        try:
            async with self._turns.setdefault(user, anyio.Lock()), self._slots:
                desk = self._free.pop()  # the one that was used last knows the saved game of its last question
                try:
                    return await desk.ask(kind, **question)
                finally:
                    self._free.append(desk)
        except Refusal as wrong:
            message = without_places(str(wrong), self._root)
            raise Refusal(wrong.code, message, status=wrong.status, **wrong.details) from None
        finally:
            self._asked[user] -= 1
            if not self._asked[user]:
                del self._asked[user], self._turns[user]

    async def close(self) -> None:
        """End the processes."""
        for desk in self._free:
            await desk.close()
