"""Players that are Python functions or objects, in the process of the referee."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from referee.bots import Bot
from referee.contract import game as contract
from referee.contract.game import Lifetime
from referee.errors import InvalidReply, UsageError
from referee.library.board import Board
from referee.players.wire import decode_answer
from referee.text.words import harmless, shorten

_LONGEST_NAME: Final = 900
"""In characters: a saved game has room for 1,000, with the number that tells players of the same name apart."""


class Policy(Protocol):
    """An object that plays in the referee's own process and sees the whole board: a baseline, or a search.

    >>> class Greedy:
    ...     name = "Greedy"
    ...
    ...     def decide(self, board, seat):
    ...         def points(answer):
    ...             after = board.copy()
    ...             after.push(answer)
    ...             return after.scores[seat]
    ...
    ...         return max(board.legal_actions(seat), key=points)
    >>> board = referee.Game("snakecore").board(
    ...     {
    ...         "size": 4,
    ...         "rounds": 9,
    ...         "field": ["....", "...R", "....", "...."],
    ...         "pythons": [{"cells": [[2, 1], [1, 1], [0, 1]], "blocks": "bb"}, {"cells": [[0, 3]]}],
    ...     }
    ... )
    >>> Greedy().decide(board, 0)
    'R'
    >>> referee.play([Greedy(), "random"], setup=board, seed=7).names
    ['Greedy', 'Random']

    `name` is the player's name. Without it, the name is that of the class.
    """

    def decide(self, board: Board, seat: int) -> str:
        """The answer of a seat, as a bot writes it.

        Args:
            board: a copy of the position: trying something on it does not change the match. It also shows what bots of this
                game cannot see, and answers tried on it have the random events of the match.
            seat: the seat to decide for, from 0; it is due.
        """


Player: TypeAlias = str | Path | Callable[[str], str] | Policy
"""A player of `play`."""


class PolicySeat:
    """A caller's policy in one seat of one match, as the referee's own players see it.

    Attributes:
        board: the match; set before it begins.
    """

    board: Board | None = None

    def __init__(self, player: Callable[[str], str] | Policy, game: contract.Game[Any, Any]) -> None:
        self._player = player
        self._game = game
        self.name = _name_of(player)

    def decide(self, request: contract.Request[Any]) -> Any:
        """The action in the policy's answer.

        Raises:
            UsageError: it did not answer with text. InvalidReply: the text is not an answer. Whatever the policy raises.
        """
        if callable(self._player):
            text = self._player(self._game.encode(request).decode(errors="replace"))
        else:
            assert self.board is not None
            text = self._player.decide(self.board.copy(), request.seat)
        if not isinstance(text, str):
            raise UsageError(f"{self.name} must answer with a text, not with {type(text).__name__}")
        try:
            return decode_answer(self._game, request.ask, text)
        except InvalidReply as wrong:
            raise InvalidReply(f"{self.name}: {wrong}") from None


def bot_of(player: Callable[[str], str] | Policy, game: contract.Game[Any, Any]) -> Bot:
    """A policy as a bot of a match. It stays for the whole match, if the game allows it."""
    lifetime: Lifetime = "game" if "game" in game.lifetimes else game.lifetimes[0]
    policy = PolicySeat(player, game)
    return Bot(policy.name, (), Path(), games=(game.name,), lifetime=lifetime, policy=policy)


def _name_of(player: object) -> str:
    named = getattr(player, "name", None)
    if not isinstance(named, str):
        named = getattr(player, "__name__", type(player).__name__).strip("<>")  # of <lambda>
    name = harmless(named)
    return name if len(name) <= _LONGEST_NAME else shorten(name, _LONGEST_NAME)
