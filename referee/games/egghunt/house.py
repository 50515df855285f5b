"""Players of the house: they fill up the seats of a match with fewer than seven bots (rule 1 of README.md).

1. A player gets the six lines that a bot in its seat would get, and nothing else. Its memory is two numbers: a heading from
   0 to 7 and a count of its turns. Any other memory counts as none.
2. Each turn has its own random generator, seeded with the match's seed, the seat and those six lines. So a match goes
   the same way from wherever it is resumed. The count makes turns with the same view differ.
3. Players know only the part of the field that they see, and do not play well.
4. Players hesitate now and then (`HESITATES`). Otherwise two players that want the same egg would meet there for ever.
5. A decision takes 12 µs of the match, 8 of them for seeding. So the view stays a text, in which a neighbour is an addition,
   and paths are searched only if an egg is in sight.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from referee.contract.game import Request
from referee.games.egghunt.board import STEPS, VIEW
from referee.games.egghunt.rules import Action, EggHunt
from referee.games.egghunt.wire import encode_turn

HESITATES: Final = 0.125
"""The probability that a player leaves an egg alone for a turn."""
HEADINGS: Final = STEPS[1:9]
"""The step (dx, dy) of each heading: direction d of the wire is heading d − 1, clockwise from up-left."""
STRAIGHT: Final = (1, 3, 5, 7)

_MEMORY: Final = re.compile("([0-9]{1,9}) ([0-9]{1,9})")
_ROW: Final = VIEW + 1
"""Characters of a row, with its line feed."""
_SEEN: Final = VIEW * _ROW
_MIDDLE: Final = VIEW // 2 * _ROW + VIEW // 2


def _neighbours(cell: int) -> list[int]:
    """The cells around a cell, by heading, as far as they are in the view. Cells beyond it count as walls."""
    y, x = divmod(cell, _ROW)
    around = [(x + dx, y + dy) for dx, dy in HEADINGS]
    return [y * _ROW + x for x, y in around if 0 <= x < VIEW and 0 <= y < VIEW]


_NEAR: Final = [_neighbours(cell) for cell in range(_SEEN)]
_BESIDE: Final = _NEAR[_MIDDLE]


class Surroundings(NamedTuple):
    """What a player of the house knows: its view, its heading (None at first) and its random generator.

    `rows` is the five rows as they are sent, each with its line feed.
    """

    rows: str
    heading: int | None
    rng: Random

    def neighbour(self, heading: int) -> str:
        """The character of the neighbour in this direction."""
        return self.rows[_BESIDE[heading % 8]]

    def is_open(self, heading: int) -> bool:
        """Whether a step in this direction leads to a blank or an egg."""
        return self.neighbour(heading) in " o"

    def any_open(self) -> int | None:
        """A random heading to a blank or an egg; None if there is none."""
        rows = self.rows
        headings = [heading for heading, cell in enumerate(_BESIDE) if rows[cell] in " o"]
        return headings[int(self.rng.random() * len(headings))] if headings else None


Strategy = Callable[[Surroundings], int | None]
"""Chooses a heading, or None to stay."""


def rabbit(around: Surroundings) -> int | None:
    """To the nearest egg in sight, around walls and players; without an egg straight on, until something is in the way."""
    hesitates = around.rng.random() < HESITATES
    if not hesitates and (to_egg := _to_nearest_egg(around)) is not None:
        return to_egg
    if around.heading is not None and around.is_open(around.heading) and not hesitates:
        return around.heading
    return around.any_open()


def mouse(around: Surroundings) -> int | None:
    """Along the wall on its left; takes eggs only from neighbour cells."""
    if (egg := _heading_to_egg(around)) is not None:
        return egg
    ahead = around.heading if around.heading in STRAIGHT else 1
    left, right, behind = ahead - 2, ahead + 2, ahead + 4
    # It turns left where its wall ends; in the open there is no wall to follow.
    follows = around.neighbour(ahead - 3) in "#X" or around.rng.random() < 0.0625
    order = (left, ahead, right, behind) if follows else (ahead, right, left, behind)
    return next((heading % 8 for heading in order if around.is_open(heading)), None)


def lamb(around: Surroundings) -> int | None:
    """To an egg on a neighbour cell, or else anywhere."""
    egg = _heading_to_egg(around)
    return around.any_open() if egg is None else egg


@dataclass(frozen=True, slots=True)
class HousePlayer:
    """A player of the house: the `Policy` of the contract."""

    name: str
    strategy: Strategy
    seat: int
    rng_seed: int

    def decide(self, request: Request[EggHunt]) -> Action:
        """The action in answer to `getAction`."""
        six = encode_turn(request)
        heading, count = _read_memory(six[_SEEN:-1].decode())
        rng = Random(b"egghunt house %d %d " % (self.rng_seed, self.seat) + six)
        around = Surroundings(six[:_SEEN].decode(), heading, rng)
        chosen = self.strategy(around)
        if chosen is None:
            return Action(9, "N", f"{1 if heading is None else heading} {count + 1}")
        stance = "N" if around.neighbour(chosen) == "o" else "A"
        return Action(chosen + 1, stance, f"{chosen} {count + 1}")


KINDS: Final[Sequence[tuple[str, Strategy]]] = (("House rabbit", rabbit), ("House mouse", mouse), ("House lamb", lamb))


def house(seat: int, rng_seed: int) -> HousePlayer:
    """The house player for a seat of the match with this seed."""
    name, strategy = KINDS[seat % len(KINDS)]
    return HousePlayer(name, strategy, seat, rng_seed)


def _read_memory(memory: str) -> tuple[int | None, int]:
    """The heading and the count in a memory."""
    match = _MEMORY.fullmatch(memory)
    return (int(match[1]) % 8, int(match[2])) if match else (None, 0)


def _heading_to_egg(around: Surroundings) -> int | None:
    """The heading to an egg on a neighbour cell; None without one, or while the player hesitates."""
    if around.rng.random() < HESITATES or "o" not in around.rows:
        return None
    return next((heading for heading in range(8) if around.neighbour(heading) == "o"), None)


def _to_nearest_egg(around: Surroundings) -> int | None:
    """The first heading of a shortest path to an egg in sight; None without one."""
    rows = around.rows
    if "o" not in rows:
        return None
    edge = [(cell, heading) for heading, cell in enumerate(_BESIDE)]
    reached = {_MIDDLE, *_BESIDE}
    for cell, first in edge:  # grows during the loop
        if rows[cell] == "o":
            return first
        if rows[cell] == " ":
            for near in _NEAR[cell]:
                if near not in reached:
                    reached.add(near)
                    edge.append((near, first))
    return None
