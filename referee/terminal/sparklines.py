"""The points of each seat over a whole saved match, as a line of small bars in its row of the table.

1. The scores are taken at `SAMPLES` steps. Taking one may play hundreds of steps, so a view takes one at a time.
2. All seats have the same scale: from 0, or the least score if that is below 0, to the highest score of all.
3. Bars up to the current step are in the seat's colour, later ones are dim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rich.text import Text

from referee.errors import SavedGameError
from referee.terminal.palette import DIM, Look, seat_ink

if TYPE_CHECKING:
    from referee.moments.timeline import Saved

SAMPLES: Final = 24
LEAST: Final = 8
"""The fewest columns of a sparkline."""
_BARS: Final = "▁▂▃▄▅▆▇█"
_ASCII_BARS: Final = "_.:-=+*#"


@dataclass(slots=True)
class Points:
    """The scores of a match so far: `scores[seat]` has one for each sample that has been taken."""

    saved: Saved
    seats: int
    scores: list[list[float]] = field(init=False)
    complete: bool = False

    def __post_init__(self) -> None:
        self.scores = [[] for _ in range(self.seats)]
        self.complete = not self.saved.steps

    @property
    def count(self) -> int:
        """The number of samples so far."""
        return len(self.scores[0]) if self.scores else 0

    def take(self) -> None:
        """Take the next sample, unless all have been taken, or a step does not follow from the rules."""
        if self.complete:
            return
        step = round((self.count + 1) * len(self.saved.steps) / SAMPLES)
        try:
            lines = self.saved.state_at(step).draw().seats  # the ranking lacks the seats of the house
        except SavedGameError:
            self.complete = True
            return
        for line, scores in zip(lines, self.scores, strict=True):
            scores.append(line.score)
        self.complete = self.count == SAMPLES


def sparkline(scores: Sequence[Sequence[float]], seat: int, width: int, part: float, look: Look) -> Text:
    """A seat's sparkline in `width` columns, of which those beyond `part` (0 to 1) of the match are dim."""
    low = min([0.0, *(score for row in scores for score in row)])
    high = max([low + 1.0, *(score for row in scores for score in row)])
    bars = _ASCII_BARS if look.ascii_only else _BARS
    signs = []
    for column in range(width):
        sample = round((column + 1) * SAMPLES / width) - 1
        if sample < len(scores[seat]):
            height = (scores[seat][sample] - low) / (high - low)
            signs.append(bars[min(len(bars) - 1, int(height * len(bars)))])
    now = round(part * width)
    text = Text.assemble(("".join(signs[:now]), seat_ink(seat, look)), ("".join(signs[now:]), DIM))
    text.append(" " * (width - len(signs)))
    return text
