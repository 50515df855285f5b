"""The view of Pig: a track for each seat, and events in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.contract.frame import Frame, Mark, SeatLine, Tone
from referee.contract.game import Event
from referee.text.words import shown_name

LENGTH: Final = 20
"""The number of cells of a track, for every goal."""
FREE: Final = Mark(" .", Tone.EMPTY)
GOAL: Final = Mark("||", Tone.GOAL)
LEGEND: Final = (
    (Mark("1=", Tone.BODY, 0), "points of seat 1"),
    (Mark("1+", Tone.POWER, 0), "points at stake"),
    (GOAL, "the goal"),
)


def draw(
    scores: Sequence[int], out: Sequence[str | None], names: Sequence[str],
    *, goal: int, stake: int, seat: int, title: str, to_move: Sequence[int],
) -> Frame:  # fmt: skip
    """The frame of a position."""
    cells, lines = [], []
    for who, score in enumerate(scores):
        mine = stake if who == seat else 0
        safe, risked = (min(LENGTH, points * LENGTH // goal) for points in (score, score + mine))
        body, extra = Mark(f"{who + 1}=", Tone.BODY, who), Mark(f"{who + 1}+", Tone.POWER, who)
        cells.append([*[body] * safe, *[extra] * (risked - safe), *[FREE] * (LENGTH - risked), GOAL])
        lines.append(SeatLine(who, shown_name(names[who], who), score, (str(mine),), out[who]))
    return Frame(title=title, cells=cells, figures=("stake",), seats=lines, to_move=to_move, legend=LEGEND)


def tell(event: Event, names: Sequence[str]) -> str | None:
    """An event in words, or None if it does not change the score."""
    match event["event"]:
        case "hold":
            return f"{names[event['seat']]} holds {event['points']}"
        case "roll" if event["die"] == 1:
            return f"{names[event['seat']]} rolls a 1"
    return None
