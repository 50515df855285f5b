"""Players of the house: they fill up the seats of a match with fewer than seven bots (rule 1 of README.md).

1. Each sees what a bot in its seat would see, six lines, and nothing else. What it has to remember is in its memory: a
   heading from 0 to 7 and a count of its turns, in two numbers; a memory that is something else is none.
2. Chance is drawn for each turn anew, from the match's seed, the seat and those six lines: the same match goes the same way,
   from wherever it is taken up. The count makes two turns with the same view differ.
3. They are no champions: they know no more of the field than what they see.
4. Each hesitates now and then (`HESITATES`): two who want the same egg and never do would meet there for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from referee.game import Request
from referee.games.egghunt.rules import Action, EggHunt
from referee.games.egghunt.wire import encode_turn

MIDDLE: Final = (2, 2)

HESITATES: Final = 0.125
"""How often a player leaves an egg alone for a turn."""

STEPS: Final = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""By heading: direction d of the wire is heading d − 1, clockwise from up-left."""

STRAIGHT: Final = (1, 3, 5, 7)


class View(NamedTuple):
    """What a player of the house knows: five rows of five characters, its heading (None at first), and its own chance."""

    rows: Sequence[str]
    heading: int | None
    rng: Random

    def at(self, x: int, y: int) -> str:
        """What is on a cell of the view; beyond it nothing is known, which is as good as a wall."""
        return self.rows[y][x] if 0 <= x < 5 and 0 <= y < 5 else "#"

    def beside(self, heading: int) -> str:
        """What is on the cell that lies this way."""
        dx, dy = STEPS[heading % 8]
        return self.at(MIDDLE[0] + dx, MIDDLE[1] + dy)

    def is_open(self, heading: int) -> bool:
        """Whether a step this way leads to a blank or an egg."""
        return self.beside(heading) in " o"

    def any_of(self, headings: Sequence[int]) -> int | None:
        """One of these at random, None of none."""
        return headings[int(self.rng.random() * len(headings))] if headings else None


Way = Callable[[View], int | None]
"""Where to go, as a heading; None to stay."""


def rabbit(view: View) -> int | None:
    """To the nearest egg in sight, around walls and others; without one on and on, until something is in the way."""
    hesitates = view.rng.random() < HESITATES
    if not hesitates and (to_egg := _to_nearest_egg(view)) is not None:
        return to_egg
    if view.heading is not None and view.is_open(view.heading) and not hesitates:
        return view.heading
    return view.any_of([heading for heading in range(8) if view.is_open(heading)])


def mouse(view: View) -> int | None:
    """Along the wall at its left hand; an egg beside it it takes, others it does not look for."""
    if (egg := _beside(view)) is not None:
        return egg
    ahead = view.heading if view.heading in STRAIGHT else 1
    left, right, behind = ahead - 2, ahead + 2, ahead + 4
    # Where a wall that it followed ends, it turns around the corner; in the open there is nothing to follow.
    follows = view.beside(ahead - 3) in "#X" or view.rng.random() < 0.0625
    order = (left, ahead, right, behind) if follows else (ahead, right, left, behind)
    return next((heading % 8 for heading in order if view.is_open(heading)), None)


def lamb(view: View) -> int | None:
    """An egg beside it if there is one, else anywhere."""
    egg = _beside(view)
    return view.any_of([heading for heading in range(8) if view.is_open(heading)]) if egg is None else egg


@dataclass(frozen=True, slots=True)
class HousePlayer:
    """A player of the house: the `Policy` of the contract."""

    name: str
    way: Way
    seat: int
    rng_seed: int

    def decide(self, request: Request[EggHunt]) -> Action:
        """What it does in answer to `getAction`."""
        six = encode_turn(request)
        *rows, memory, _ = six.decode().split("\n")
        heading, count = _remembered(memory)
        rng = Random(b"egghunt house %d %d " % (self.rng_seed, self.seat) + six)
        view = View(rows, heading, rng)
        chosen = self.way(view)
        if chosen is None:
            return Action(9, "N", f"{1 if heading is None else heading} {count + 1}")
        stance = "N" if view.beside(chosen) == "o" else "A"
        return Action(chosen + 1, stance, f"{chosen} {count + 1}")


KINDS: Final[Sequence[tuple[str, Way]]] = (("House rabbit", rabbit), ("House mouse", mouse), ("House lamb", lamb))


def house(seat: int, rng_seed: int) -> HousePlayer:
    """The player of the house for a seat of the match with this seed."""
    name, way = KINDS[seat % len(KINDS)]
    return HousePlayer(name, way, seat, rng_seed)


def _remembered(memory: str) -> tuple[int | None, int]:
    words = memory.split(" ")
    if len(words) == 2 and all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        return int(words[0]) % 8, int(words[1])
    return None, 0


def _beside(view: View) -> int | None:
    """The way to an egg on a neighbour cell; None without one, and for whoever hesitates."""
    if view.rng.random() < HESITATES:
        return None
    return next((heading for heading in range(8) if view.beside(heading) == "o"), None)


def _to_nearest_egg(view: View) -> int | None:
    """The first step of a shortest way to an egg through what is seen, None without one."""
    edge = [(MIDDLE[0] + dx, MIDDLE[1] + dy, heading) for heading, (dx, dy) in enumerate(STEPS)]
    seen = {MIDDLE, *((x, y) for x, y, _ in edge)}
    for x, y, first in edge:  # grows while it is gone through
        there = view.at(x, y)
        if there == "o":
            return first
        if there == " ":
            for dx, dy in STEPS:
                cell = (x + dx, y + dy)
                if cell not in seen:
                    seen.add(cell)
                    edge.append((*cell, first))
    return None
