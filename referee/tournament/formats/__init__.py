"""Formats: who plays whom next. Pure.

A format is asked for the next tour when all series of the earlier tours have ended. It sees the whole history, so it keeps no
state of its own, and entrants may come and go between tours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from referee.tournament.words import Entrant, Results, Tour


class Format(Protocol):
    """A format with its settings."""

    def next_tour(self, field: Sequence[Entrant], history: Sequence[Tour], results: Results) -> Tour | None:
        """The tour that follows, or None if the tournament is over.

        Args:
            field: all entrants, also those that left, by number.
            history: all earlier tours, in order.
            results: of all their series.

        Raises:
            UsageError: the format cannot be played with this field; the message says why and what to change.
        """

    def outline(self, count: int) -> str:
        """The plan for so many entrants, in words, such as `5 tours of 23 teams`."""

    def ranked(
        self, order: Sequence[int], field: Sequence[Entrant], history: Sequence[Tour], results: Results
    ) -> list[int]:
        """The present entrants, best first; `order` has the same numbers in the order of the table by percent."""

    def columns(
        self, field: Sequence[Entrant], history: Sequence[Tour], results: Results
    ) -> Mapping[int, Mapping[str, Any]]:
        """Further columns of the table for each entrant, such as byes; empty if the format has none."""
