"""How a compiled program plays: the first chart that has a candidate decides. Each game defines how a chart chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeAlias, TypeVar

from referee.contract.game import Request
from referee.tailbite.matching import Placed, scene
from referee.tailbite.patterns import Chart, Program, variants
from referee.tailbite.sight import Options, Sight, possible

Variant = TypeVar("Variant")
"""A variant of a chart, compiled by a game."""

ByMove: TypeAlias = Mapping[str, Sequence[Variant]]
"""The variants of a chart by the move that they point to; two for each move."""


class Decider(Generic[Variant]):
    """A compiled program. `decide` is a pure function of the window and the options."""

    __slots__ = ("_charts", "_choose", "name")

    def __init__(
        self,
        program: Program,
        compiled: Callable[[Chart, list[Placed]], Variant],
        choose: Callable[[ByMove[Variant], str, int, Options], str],
        *,
        skips_empty: bool = False,
    ) -> None:
        """Compile a program. The result serves all options.

        Args:
            compiled: a function that compiles one variant from a chart and its patterns, as they are placed in the window.
            choose: a function that returns a chart's candidates among the possible moves, for a scene; an empty text for none.
            skips_empty: whether charts without conditions are skipped.
        """
        self.name = program.name
        self._choose = choose
        self._charts = [_by_move(chart, compiled) for chart in program.charts if chart.patterns or not skips_empty]

    def decide(self, request: Request[Sight]) -> str:
        """The candidates of the first chart that has any, in the order U L D R; all possible moves if no chart has one."""
        _, _, sight = request
        window, options = sight.window, sight.options
        moves = possible(window)
        bits = scene(window)
        for chart in self._charts:
            if letters := self._choose(chart, moves, bits, options):
                return letters
        return moves or "ULDR"


@lru_cache(maxsize=256)  # for each step, as `parse`
def _by_move(chart: Chart, compiled: Callable[[Chart, list[Placed]], Variant]) -> ByMove[Variant]:
    by_move: dict[str, list[Variant]] = {}
    for variant in variants(chart):
        placed = list(zip(chart.patterns, variant.cells, strict=True))
        by_move.setdefault(variant.move, []).append(compiled(chart, placed))
    return by_move
