"""The points of each seat over a whole saved match, as a line of small bars in its row of the table.

1. The scores are taken at `SAMPLES` steps. Taking one may play hundreds of steps, so a view takes one at a time.
2. All seats have the same scale: from 0, or the least score if that is below 0, to the highest score of all.
3. Bars up to the current step are in the seat's colour, later ones are dim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from referee.errors import SavedGameError
from referee.moments.timeline import Timeline
from referee.terminal.palette import DIM, Look, seat_ink

SAMPLES: Final = 24
LEAST: Final = 8
"""The fewest columns of a sparkline."""
_BARS: Final = "▁▂▃▄▅▆▇█"
_ASCII_BARS: Final = "_.:-=+*#"


class Points:
    """The scores of a match: `scores[seat]` has one for each sample that was taken; none is left if it is `complete`."""

    def __init__(self, timeline: Timeline) -> None:
        self._saved = timeline.saved
        self.scores: list[list[float]] = [[] for _ in range(timeline.seats)]
        self.complete = not self._saved.steps

    def take(self) -> None:
        """Take the next sample, unless all have been taken, or a step does not follow from the rules."""
        if self.complete:
            return
        number = len(self.scores[0]) + 1
        try:
            state = self._saved.state_at(round(number * len(self._saved.steps) / SAMPLES))
        except SavedGameError:
            self.complete = True
            return
        # The ranking lacks the seats of the house.
        for line, scores in zip(state.draw().seats, self.scores, strict=True):
            scores.append(line.score)
        self.complete = number == SAMPLES


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
