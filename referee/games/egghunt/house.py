"""Players of the house: they fill up the seats of a match with fewer than seven bots (rule 1 of README.md).

1. Each sees what a bot in its seat would see, six lines, and nothing else. What it has to remember is in its memory: a
   heading from 0 to 7 and a count of its turns, in two numbers; a memory that is something else is none.
2. Chance is drawn for each turn anew, from the match's seed, the seat and those six lines: the same match goes the same way,
   from wherever it is taken up. The count makes two turns with the same around differ.
3. They are no champions: they know no more of the field than what they see.
4. Each hesitates now and then (`HESITATES`): otherwise two players that want the same egg would meet there for ever.
5. A decision is part of a match's time: 12 µs, of which 8 are for a generator with a seed of its own. So the around stays the
   text that it is, where a neighbour is an addition, and ways are searched only where an egg is in sight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from referee.game import Request
from referee.games.egghunt.board import VIEW
from referee.games.egghunt.rules import Action, EggHunt
from referee.games.egghunt.wire import encode_turn

HESITATES: Final = 0.125
"""How often a player leaves an egg alone for a turn."""

STEPS: Final = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""By heading: direction d of the wire is heading d − 1, clockwise from up-left."""

STRAIGHT: Final = (1, 3, 5, 7)

_ROW: Final = VIEW + 1
"""Characters of a row, its line feed with it."""
_SEEN: Final = VIEW * _ROW
_MIDDLE: Final = VIEW // 2 * _ROW + VIEW // 2


def _neighbours(cell: int) -> list[int]:
    """The cells around one, by heading, as far as they are in around: beyond it nothing is known, as good as a wall."""
    y, x = divmod(cell, _ROW)
    around = [(x + dx, y + dy) for dx, dy in STEPS]
    return [y * _ROW + x for x, y in around if 0 <= x < VIEW and 0 <= y < VIEW]


_NEAR: Final = [_neighbours(cell) for cell in range(_SEEN)]
_BESIDE: Final = _NEAR[_MIDDLE]


class Surroundings(NamedTuple):
    """What a player of the house knows: five rows of five characters, its heading (None at first), and its own chance.

    `seen` is the rows as they are sent, each with its line feed.
    """

    seen: str
    heading: int | None
    rng: Random

    def beside(self, heading: int) -> str:
        """What is on the cell that lies this way."""
        return self.seen[_BESIDE[heading % 8]]

    def is_open(self, heading: int) -> bool:
        """Whether a step this way leads to a blank or an egg."""
        return self.beside(heading) in " o"

    def any_open(self) -> int | None:
        """One of the ways to a blank or an egg at random, None without one."""
        seen = self.seen
        headings = [heading for heading, cell in enumerate(_BESIDE) if seen[cell] in " o"]
        return headings[int(self.rng.random() * len(headings))] if headings else None


Way = Callable[[Surroundings], int | None]
"""Where to go, as a heading; None to stay."""


def rabbit(around: Surroundings) -> int | None:
    """To the nearest egg in sight, around walls and others; without one on and on, until something is in the way."""
    hesitates = around.rng.random() < HESITATES
    if not hesitates and (to_egg := _to_nearest_egg(around)) is not None:
        return to_egg
    if around.heading is not None and around.is_open(around.heading) and not hesitates:
        return around.heading
    return around.any_open()


def mouse(around: Surroundings) -> int | None:
    """Along the wall at its left hand; an egg beside it it takes, others it does not look for."""
    if (egg := _beside(around)) is not None:
        return egg
    ahead = around.heading if around.heading in STRAIGHT else 1
    left, right, behind = ahead - 2, ahead + 2, ahead + 4
    # Where a wall that it followed ends, it turns around the corner; in the open there is nothing to follow.
    follows = around.beside(ahead - 3) in "#X" or around.rng.random() < 0.0625
    order = (left, ahead, right, behind) if follows else (ahead, right, left, behind)
    return next((heading % 8 for heading in order if around.is_open(heading)), None)


def lamb(around: Surroundings) -> int | None:
    """An egg beside it if there is one, else anywhere."""
    egg = _beside(around)
    return around.any_open() if egg is None else egg


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
        heading, count = _remembered(six[_SEEN:-1].decode())
        rng = Random(b"egghunt house %d %d " % (self.rng_seed, self.seat) + six)
        around = Surroundings(six[:_SEEN].decode(), heading, rng)
        chosen = self.way(around)
        if chosen is None:
            return Action(9, "N", f"{1 if heading is None else heading} {count + 1}")
        stance = "N" if around.beside(chosen) == "o" else "A"
        return Action(chosen + 1, stance, f"{chosen} {count + 1}")


KINDS: Final[Sequence[tuple[str, Way]]] = (("House rabbit", rabbit), ("House mouse", mouse), ("House lamb", lamb))


def house(seat: int, rng_seed: int) -> HousePlayer:
    """The player of the house for a seat of the match with this seed."""
    name, way = KINDS[seat % len(KINDS)]
    return HousePlayer(name, way, seat, rng_seed)


def _remembered(memory: str) -> tuple[int | None, int]:
    heading, _, count = memory.partition(" ")
    if _is_number(heading) and _is_number(count):
        return int(heading) % 8, int(count)
    return None, 0


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _beside(around: Surroundings) -> int | None:
    """The way to an egg on a neighbour cell; None without one, or while the player hesitates."""
    if around.rng.random() < HESITATES or "o" not in around.seen:
        return None
    return next((heading for heading in range(8) if around.beside(heading) == "o"), None)


def _to_nearest_egg(around: Surroundings) -> int | None:
    """The first step of a shortest way to an egg through what is seen, None without one."""
    seen = around.seen
    if "o" not in seen:
        return None
    edge = [(cell, heading) for heading, cell in enumerate(_BESIDE)]
    reached = {_MIDDLE, *_BESIDE}
    for cell, first in edge:  # grows while it is gone through
        if seen[cell] == "o":
            return first
        if seen[cell] == " ":
            for near in _NEAR[cell]:
                if near not in reached:
                    reached.add(near)
                    edge.append((near, first))
    return None
