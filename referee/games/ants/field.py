"""The field of Ants: what lies where, and what an ant senses of it. Numbers in brackets are the rules of README.md.

Theory, which is also the fast path of a match (40,000 requests of nine cells each):
1. The field has a ring of wall cells around it, so that every 3×3 around an ant is there and a step is an addition: the
   cell (x, y) has the index (y + 1) * stride + x + 1, with stride = size + 2.
2. `cells[i]` is one byte that holds all flags of a cell: a bit for each seat that has an ant there, one for food, and whose
   hill it is. What a seat senses of it is one look into a table of 161 ready texts (`sights`). The byte changes only when
   the first ant of a team comes, the last one goes, or food begins or ceases to lie there.
3. `scents[i]` is 0 on a cell that was never marked and the intensity + 1 elsewhere; `translate` fades all of them in
   one call (5). The hue is kept as the text that is sent.
4. Which ants stand on a cell is searched when somebody bites there: bites are rare, and so no list has to be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from referee.game import Request
from referee.games.ants.position import FRESH, PositionModel

ANTS_HERE: Final = 0b1111
"""The bits of `cells` that tell which seats have ants on a cell."""
FOOD_HERE: Final = 0b10000
HILL: Final = 0b100000
"""`cells` has (1 + seat) * HILL on a seat's hill."""
WALL: Final = 5 * HILL

STRENGTH: Final = (b"0", *(b"%d" % intensity for intensity in range(FRESH + 1)))
"""The intensity as it is sent, by the value of `scents`."""
_FADED: Final = bytes([0, 1, *range(1, 255)])


class Ant:
    """An ant, and the observation of its requests: it is asked about itself and the nine cells around it.

    Attributes:
        seat, number: whose it is, and how many of its team appeared before it.
        cell: where it is, as an index of the field.
        food: whether it carries 1 mg. memory: 64 small hex digits.
        disabled: how many of its next turns it loses (6).
        field: what it walks on.
        due: the request for its turn, ready to be handed out.
    """

    __slots__ = ("cell", "disabled", "due", "field", "food", "memory", "number", "seat")

    def __init__(
        self, field: Field, seat: int, number: int, cell: int, food: bool, memory: bytes, disabled: int
    ) -> None:
        self.field = field
        self.seat, self.number, self.cell = seat, number, cell
        self.food, self.memory, self.disabled = food, memory, disabled
        self.due: tuple[Request[Ant | None]] = (Request(seat, "getAction", self),)


class Field:
    """Everything that lies on the field, and where how many ants are. Each method leaves all of it agreeing.

    Attributes:
        size: the side in cells, without the ring of walls.
        steps: what to add to an index for up, left, down and right.
        places: the cell (x, y) of each index. hills: their indices, by seat.
        food: mg by index, where there is any.
        crowd: `crowd[seat][index]` ants of the seat are there.
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
        """The same field, sharing nothing that changes."""
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
        """The cell [x, y] of an index, as events and positions have it."""
        return [*self.places[index]]

    def enter(self, seat: int, cell: int) -> None:
        """One more ant of the seat is on a cell."""
        self.crowd[seat][cell] += 1
        self.cells[cell] |= 1 << seat

    def walk(self, ant: Ant, target: int) -> None:
        """The ant goes to a cell of the field."""
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
        """A new smell, in the place of the old one (5)."""
        self.hues[cell] = b"%d " % hue
        self.scents[cell] = FRESH + 1

    def fade(self) -> None:
        """Every intensity above 0 falls by 1 (5)."""
        self.scents[:] = self.scents.translate(_FADED)

    def add_food(self, cell: int) -> None:
        """1 mg more lies on a cell."""
        self.food[cell] = self.food.get(cell, 0) + 1
        self.cells[cell] |= FOOD_HERE

    def take_food(self, cell: int) -> None:
        """1 mg of those on a cell is gone."""
        left = self.food[cell] - 1
        if left:
            self.food[cell] = left
        else:
            del self.food[cell]
            self.cells[cell] ^= FOOD_HERE

    def stores(self) -> list[int]:
        """The milligrams on each seat's hill: the scores (9)."""
        return [self.food.get(hill, 0) for hill in self.hills]

    def food_list(self) -> list[list[int]]:
        """All food as [x, y, mg], by rows."""
        return [[*self.xy(cell), self.food[cell]] for cell in sorted(self.food)]

    def smell_list(self) -> list[list[int]]:
        """All cells that were ever marked as [x, y, hue, intensity], by rows."""
        return [[*self.xy(cell), int(self.hues[cell]), scent - 1] for cell, scent in enumerate(self.scents) if scent]


@cache
def sights(seat: int) -> Sequence[bytes]:
    """What a seat senses of a cell beside the smell (7), by the value of `cells`: flags, each with a blank before it."""
    found = []
    for cell in range(WALL + 1):
        hill, here = divmod(cell, HILL)
        friend = here >> seat & 1
        enemy = here & ANTS_HERE & ~(1 << seat) != 0
        food = here & FOOD_HERE != 0
        flags = (friend, enemy, hill == 1 + seat, hill not in (0, 1 + seat), food, 0)
        found.append(b" %d %d %d %d %d %d\n" % (flags if cell != WALL else (0, 0, 0, 0, 0, 1)))
    return found
