"""How a program plays: the first chart that has a candidate decides. Each game defines how a chart chooses (`Meaning`)."""

from __future__ import annotations

from referee.contract.game import Request
from referee.tailbite.matching import scene
from referee.tailbite.patterns import Program
from referee.tailbite.sight import LETTERS, Options, Sight, possible
from referee.tailbite.verdicts import Meaning


class Decider:
    """A compiled program. `decide` is a pure function of the window and the options."""

    __slots__ = ("_charts", "_choose", "_meaning", "_options", "_program", "name")

    def __init__(self, program: Program, meaning: Meaning) -> None:
        self.name = program.name
        self._program, self._meaning, self._choose = program, meaning, meaning.choose
        self._compile(Options())

    def decide(self, request: Request[Sight]) -> str:
        """The candidates of the first chart that has any, in the order U L D R; all possible moves if no chart has one."""
        _, _, sight = request
        window, options = sight.window, sight.options
        if options is not self._options:  # once in a match
            self._compile(options)
        moves = possible(window)
        bits = scene(window)
        for chart in self._charts:
            if letters := self._choose(chart, moves, bits, options):
                return letters
        return moves or LETTERS

    def _compile(self, options: Options) -> None:
        charts = [chart for chart in self._program.charts if not self._meaning.skips(chart)]
        self._charts = [self._meaning.compiled(chart, options) for chart in charts]
        self._options = options
