"""The field of Ants: what is where, and what an ant senses. Numbers in brackets are the rules of README.md.

Theory. A match has 40,000 requests of nine cells each, so all of this is built for speed.
1. A ring of wall cells surrounds the field. So the 3×3 cells around an ant always exist, and a step is an addition. The cell
   (x, y) has the index (y + 1) * stride + x + 1, with stride = size + 2.
2. `cells[i]` is one byte with all flags of a cell: one bit for each seat that has ants there, one bit for food, and the owner
   of the hill. What a seat senses there is one lookup in a table of 161 ready texts (`sights`). The byte changes only when the
   first ant of a team comes, when its last ant leaves, or when food appears or disappears.
3. `scents[i]` is 0 on a cell that was never marked, and the intensity + 1 on all others. One call of `translate` fades all
   smells (5). The hue is stored as the text that is sent.
4. No list of the ants on a cell is kept. A bite searches for them, because bites are rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from referee.contract.game import Request
from referee.games.ants.position import FRESH, PositionModel

ANTS_HERE: Final = 0b1111
"""The bits of `cells` for the seats that have ants on a cell."""
FOOD_HERE: Final = 0b10000
HILL: Final = 0b100000
"""On the hill of a seat, `cells` contains (1 + seat) * HILL."""
WALL: Final = 5 * HILL

STRENGTH: Final = (b"0", *(b"%d" % intensity for intensity in range(FRESH + 1)))
"""The text of an intensity, by the value of `scents`."""
_FADED: Final = bytes([0, 1, *range(1, 255)])


class Ant:
    """An ant. It is also the observation of its own requests.

    Attributes:
        seat: the number of the ant's team. number: its own number, in the order in which the team's ants appeared; both from 0.
        cell: its cell, as an index of the field.
        food: whether it carries 1 mg. memory: 64 hex digits in lower case.
        disabled: how many of its next turns it loses (6).
        field: the field that the ant is on.
        due: the prepared request for its turns.
    """

    __slots__ = ("cell", "disabled", "due", "field", "food", "memory", "number", "seat")

    def __init__(
        self, field: Field, seat: int, number: int, cell: int, food: bool, memory: bytes, disabled: int
    ) -> None:
        self.field, self.seat, self.number, self.cell = field, seat, number, cell
        self.food, self.memory, self.disabled = food, memory, disabled
        self.due: tuple[Request[Ant | None]] = (Request(seat, "getAction", self),)


class Field:
    """Everything on the field, and the number of ants on each cell. Every method keeps all of this consistent.

    Attributes:
        size: cells a side, without the ring of walls.
        steps: what to add to an index to go up, left, down or right.
        places: the cell (x, y) of each index. hills: the index of each seat's hill.
        food: the mg of food by index, for cells that have any.
        crowd: `crowd[seat][index]` is the number of the seat's ants there.
    """

    __slots__ = ("cells", "crowd", "food", "hills", "hues", "places", "scents", "size", "steps", "stride")

    def __init__(self, setup: PositionModel) -> None:
        n = self.size = setup.size
        stride = self.stride = n + 2
        self.steps = (-stride, -1, stride, 1)
        walls = bytes([WALL])
        self.cells = bytearray(walls * stride + (walls + bytes(n) + walls) * n + walls * stride)
        self.places = [(cell % stride - 1, cell // stride - 1) for cell in range(len(self.cells))]
        self.scents = bytearray(len(self.cells))
        self.hues: list[bytes] = [b"0 "] * len(self.cells)
        self.food: dict[int, int] = {}
        self.crowd = [bytearray(len(self.cells)) for _ in setup.hills]
        self.hills = tuple(self.index(x, y) for x, y in setup.hills)
        for seat, hill in enumerate(self.hills):
            self.cells[hill] = (1 + seat) * HILL
        for x, y, amount in setup.food:
            self.food[self.index(x, y)] = amount
            self.cells[self.index(x, y)] |= FOOD_HERE
        for x, y, hue, intensity in setup.smells:
            self.hues[self.index(x, y)] = b"%d " % hue
            self.scents[self.index(x, y)] = intensity + 1

    def copy(self) -> Field:
        """A copy that shares only what never changes."""
        other = Field.__new__(Field)
        other.size, other.stride, other.steps, other.hills = self.size, self.stride, self.steps, self.hills
        other.places = self.places
        other.cells, other.scents = self.cells[:], self.scents[:]
        other.hues, other.food = self.hues[:], self.food.copy()
        other.crowd = [crowd[:] for crowd in self.crowd]
        return other

    def index(self, x: int, y: int) -> int:
        """The index of a cell."""
        return (y + 1) * self.stride + x + 1

    def xy(self, index: int) -> list[int]:
        """The cell [x, y] of an index, in the form of events and positions."""
        return [*self.places[index]]

    def enter(self, seat: int, cell: int) -> None:
        """Add an ant of this seat to a cell."""
        self.crowd[seat][cell] += 1
        self.cells[cell] |= 1 << seat

    def walk(self, ant: Ant, target: int) -> None:
        """Move an ant to a cell of the field."""
        cells, crowd, cell = self.cells, self.crowd[ant.seat], ant.cell
        left = crowd[cell] - 1
        crowd[cell] = left
        if not left:
            cells[cell] ^= 1 << ant.seat
        there = crowd[target]
        if not there:
            cells[target] |= 1 << ant.seat
        crowd[target] = there + 1
        ant.cell = target

    def mark(self, cell: int, hue: int) -> None:
        """Replace the smell of a cell by a new one (5)."""
        self.hues[cell] = b"%d " % hue
        self.scents[cell] = FRESH + 1

    def fade(self) -> None:
        """Reduce every intensity above 0 by 1 (5)."""
        self.scents[:] = self.scents.translate(_FADED)

    def add_food(self, cell: int) -> None:
        """Add 1 mg to a cell."""
        self.food[cell] = self.food.get(cell, 0) + 1
        self.cells[cell] |= FOOD_HERE

    def take_food(self, cell: int) -> None:
        """Remove 1 mg from a cell that has food."""
        left = self.food[cell] - 1
        if left:
            self.food[cell] = left
        else:
            del self.food[cell]
            self.cells[cell] ^= FOOD_HERE

    def stores(self) -> list[int]:
        """The mg on the hill of each seat, which are the scores (9)."""
        return [self.food.get(hill, 0) for hill in self.hills]

    def food_list(self) -> list[list[int]]:
        """All food as [x, y, mg], row by row."""
        return [[*self.xy(cell), self.food[cell]] for cell in sorted(self.food)]

    def smell_list(self) -> list[list[int]]:
        """All cells that were ever marked, as [x, y, hue, intensity], row by row."""
        return [[*self.xy(cell), int(self.hues[cell]), scent - 1] for cell, scent in enumerate(self.scents) if scent]


@cache
def sights(seat: int) -> Sequence[bytes]:
    """The text of a cell's flags as a seat senses them (7), by the value of `cells`. A space precedes each flag."""
    texts = []
    for cell in range(WALL + 1):
        hill, here = divmod(cell, HILL)
        friend = here >> seat & 1
        enemy = here & ANTS_HERE & ~(1 << seat) != 0
        food = here & FOOD_HERE != 0
        flags = (friend, enemy, hill == 1 + seat, hill not in (0, 1 + seat), food, 0)
        texts.append(b" %d %d %d %d %d %d\n" % (flags if cell != WALL else (0, 0, 0, 0, 0, 1)))
    return texts
