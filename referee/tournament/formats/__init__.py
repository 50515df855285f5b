"""Formats: who plays whom next. Pure.

A format is asked for the next tour when all series of the earlier tours have ended. It asks for what it needs of the past
(`past.py`), so it keeps no state of its own, and entrants may come and go between tours. `settings.KINDS` has all formats by
name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from referee.errors import UsageError
from referee.tournament.formats.past import Past
from referee.tournament.model import Competitor, Rules, Tour


@dataclass(frozen=True, slots=True)
class Format(ABC):
    """A format with its settings.

    Attributes:
        keys: what `[format]` may say of it, besides `kind`.
        teams: whether entrants are teams, which keep their number when they are edited.
        fixed: whether its schedule is the same whatever the results are.
        by_rating: whether its table is in the order of the ratings, unless the settings have another.
        table_order: the order of its table, in words; empty if the settings decide it.
    """

    keys: ClassVar[frozenset[str]]
    teams: ClassVar[bool] = False
    fixed: ClassVar[bool] = False
    by_rating: ClassVar[bool] = False
    table_order: ClassVar[str] = ""

    rules: Rules

    @classmethod
    def of(cls, rules: Rules, keys: Mapping[str, Any], field: Sequence[Competitor]) -> Self:
        """The format with these keys of `[format]`, for this field."""
        return cls(rules, **{key: tuple(value) if isinstance(value, list) else value for key, value in keys.items()})

    @abstractmethod
    def next_tour(self, field: Sequence[Competitor], past: Past) -> Tour | None:
        """The tour that follows, or None if the tournament is over.

        Args:
            field: all entrants, also those that left, by number. For the first tour, at least as many as a match has seats are
                present (`planning.make_plan`).

        Raises:
            UsageError: the format cannot be played with this field (`mistakes`).
        """

    def mistakes(self, field: Sequence[Competitor]) -> Iterator[str]:
        """Why the format cannot be played with this field: the key of `tournament.toml`, and what to change."""
        return iter(())

    def check(self, field: Sequence[Competitor]) -> None:
        """Check that there are no `mistakes`. Raises: UsageError: the first."""
        if (mistake := next(self.mistakes(field), None)) is not None:
            raise UsageError(mistake)

    def asks_widths(self, past: Past) -> bool:
        """Whether the next tour depends on intervals of ratings (`Past.widths`). In a large field, they take seconds."""
        return False

    @staticmethod
    def closed(key: str) -> bool:
        """Whether an entrant that joins after the tour with this key is too late to play."""
        return False

    @abstractmethod
    def outline(self, field: Sequence[Competitor]) -> str:
        """The plan for this field, in words, such as `5 tours of 23 teams`."""

    def rank(self, order: Sequence[int], field: Sequence[Competitor], past: Past) -> list[int]:
        """The present entrants, best first; `order` has the same numbers in the order of the table by percent."""
        return list(order)

    def columns(self, field: Sequence[Competitor], past: Past) -> Mapping[int, Mapping[str, Any]]:
        """Further columns of the table for each entrant, such as byes; empty if the format has none."""
        return {}
