"""Write a SnakeCore bot in Python: this one file, nothing else to install (Python 3.9 or newer).

A complete bot, which collects blocks and delivers when it has four:

    from snake import AreaInfo, run


    def choose(area: AreaInfo) -> str:
        if area.me.length > 4 or not area.free_blocks:
            return area.step_towards(area.reactors)
        return area.step_towards(area.free_blocks)


    run("Ten Lines", choose)

Cells are pairs (x, y): x grows to the right, y grows DOWNWARDS, (0, 0) is the top left. So "U" is y - 1, "D" is y + 1.
Rule numbers are those that `referee rules` prints. Nothing here is random: equal boards give equal answers.
"""

from __future__ import annotations

import sys
import time
from itertools import compress

# Importing `typing`, `re`, `functools` and `contextlib` would make the start of a bot half as long again. So editors see
# the imports here, and Python a short class for what is needed of them.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from functools import cached_property
    from typing import Any
else:

    class cached_property:  # noqa: N801
        """An attribute that is computed when it is first read."""

        def __init__(self, compute):
            self.compute = compute
            self.__doc__ = compute.__doc__

        def __get__(self, area, kind=None):
            if area is None:
                return self
            value = area.__dict__[self.compute.__name__] = self.compute(area)
            return value


__all__ = ["ACTIONS", "DIRECTIONS", "Action", "AreaInfo", "Cell", "Outcome", "Python", "neighbour", "run"]

Cell = tuple[int, int]

ACTIONS = "ULDRNA"
"""The six letters that `choose` may return (rule 8)."""

DIRECTIONS: dict[str, tuple[int, int]] = {"U": (0, -1), "L": (-1, 0), "D": (0, 1), "R": (1, 0)}
"""The four moves and what they add to (x, y). Ties between equally good paths are broken in this order."""

FIRST_LIMIT, ANSWER_LIMIT, TOTAL_LIMIT = 15.0, 1.0, 120.0  # seconds, rule 18
SHIELD_TURNS = 10  # rule 14


class Action:
    """Readable names for the six letters."""

    UP, LEFT, DOWN, RIGHT, WAIT, SHIELD = "U", "L", "D", "R", "N", "A"


class Outcome(tuple[str, Cell, int, str, "int | None"]):
    """What an action would do (rules 8-15).

    kind: "move", "eat", "bite", "deliver", "shield", "wait" or "skip".
    target: the cell that the action aims at, possibly off the field; the head's own cell for "N" and "A".
    points: what it scores; 0 for a bite into its own body and for a delivery without a body.
    why: for a skip, the obstacle: "edge", "wall", "head", "tail", "shield" or "no-energy"; else "".
    victim: for a bite, the index of the bitten python (possibly the biter itself); otherwise None.
    """

    __slots__ = ()
    __match_args__ = ("kind", "target", "points", "why", "victim")

    def __new__(cls, kind: str, target: Cell, points: int = 0, why: str = "", victim: int | None = None) -> Outcome:
        return tuple.__new__(cls, (kind, target, points, why, victim))

    def __getnewargs__(self) -> tuple[Any, ...]:  # for copies
        return tuple(self)

    def __repr__(self) -> str:
        named = ", ".join(f"{name}={value!r}" for name, value in zip(self.__match_args__, self))  # noqa: B905
        return f"Outcome({named})"

    @property
    def kind(self) -> str:
        return self[0]

    @property
    def target(self) -> Cell:
        return self[1]

    @property
    def points(self) -> int:
        return self[2]

    @property
    def why(self) -> str:
        return self[3]

    @property
    def victim(self) -> int | None:
        return self[4]


class Python:
    """One python. `cells` begins with the head and ends with the tail; `blocks` has the kinds of the body in the same
    order.

    index: in `AreaInfo.pythons`; 0 is me, the others follow in the order of their moves.
    shield: the remaining turns of protection, as in the request. My counter has already been decreased for this turn;
    the others' are decreased when their turns begin (rule 7). Above 0, this python cannot be bitten.
    """

    index: int
    shield: int
    cells: tuple[Cell, ...]
    blocks: str

    def __init__(self, index: int, shield: int, cells: tuple[Cell, ...], blocks: str) -> None:
        self.__dict__.update(index=index, shield=shield, cells=cells, blocks=blocks)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"the {name} of a python cannot be changed: boards share it")

    def __eq__(self, other: object) -> bool:
        return self.__dict__ == other.__dict__ if isinstance(other, Python) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.index, self.shield, self.cells, self.blocks))

    def __repr__(self) -> str:
        return f"Python(index={self.index}, shield={self.shield}, cells={self.cells}, blocks={self.blocks!r})"

    @property
    def head(self) -> Cell:
        return self.cells[0]

    @property
    def tail(self) -> Cell:
        """The cell of the last block, or of the head if there is no body."""
        return self.cells[-1]

    @property
    def body(self) -> tuple[Cell, ...]:
        """The cells of the blocks, from the one behind the head to the tail."""
        return self.cells[1:]

    @property
    def length(self) -> int:
        """Head and blocks together: 1 for a head alone (rule 5)."""
        return len(self.cells)

    @property
    def energy(self) -> int:
        """The number of energy blocks in its body, which is how many shields it can still raise."""
        return self.blocks.count("e")

    @property
    def value(self) -> int:
        """Points for delivering the whole body now: n(n + 1)/2 for n blocks (rule 13)."""
        return len(self.blocks) * (len(self.blocks) + 1) // 2


class AreaInfo:
    """The board of one request, with queries about it. Boards never change: `after` returns a new one.

    size: the field has size x size cells.
    pythons: me first, then the others in the order in which they move after me.
    turn: the number of getAction requests so far, including this one.
    """

    def __init__(self, size: int, field: bytes, pythons: Sequence[Python]) -> None:
        """Made by `parse` and `after`. `field`: a byte for each cell, row by row, inside a frame of zeros."""
        self.size = size
        self.pythons = list(pythons)
        self.turn = 1
        self._field = field
        self._ticked: int | None = 0  # the python whose shield clock is already decreased for a turn not yet played
        self._searches: dict[Cell, tuple[dict[Cell, int], list[int]]] = {}
        self._set_clocks(ANSWER_LIMIT, TOTAL_LIMIT)

    @classmethod
    def parse(cls, request: str | Iterable[str]) -> AreaInfo:
        """The board of a request given as text or lines: n, n rows, a line for each `p` on the map.

        A first line `getAction` is optional, and line ends may be CRLF. All characters except W R b e p mean empty
        cells.
        Raises: ValueError, if lines or numbers are missing, or a cell is off the field.
        """
        text = request.splitlines() if isinstance(request, str) else request
        lines = [(line + "\n").encode("latin-1", "replace") for line in text]
        source = iter(lines[1:] if lines and lines[0].strip() == b"getAction" else lines)
        area = _read_area(lambda: next(source, b""))
        if area is None:
            raise ValueError("the request ends too early: after n must come n rows and one line for each python")
        return area

    def __str__(self) -> str:
        """The board's rows as in the request, for `print(area)` (which goes to stderr while `run` is running)."""
        width = self.size + 2
        return "\n".join(self._field[y * width + 1 : (y + 1) * width - 1].decode() for y in range(1, self.size + 1))

    # Time, in seconds. The protocol sends no clocks, so the SDK measures, from the first request on.

    @property
    def time_left(self) -> float:
        """The time left of the 120 s for all my answers."""
        return self._total_ends - time.monotonic()

    def answer_time_left(self) -> float:
        """The time left for this answer, of 1 s (15 s for the first answer)."""
        return min(self._answer_ends - time.monotonic(), self.time_left)

    def _set_clocks(self, answer: float, total: float) -> None:
        now = time.monotonic()
        self._answer_ends, self._total_ends = now + answer, now + total

    # The pythons

    @property
    def me(self) -> Python:
        return self.pythons[0]

    @property
    def rivals(self) -> list[Python]:
        """All pythons except me. Those of disqualified players stay, but no longer move (rule 17)."""
        return self.pythons[1:]

    @cached_property
    def reactors(self) -> list[Cell]:
        return self._cells_with(_REACTORS)

    @cached_property
    def free_blocks(self) -> list[Cell]:
        """The free blocks of both kinds, row by row."""
        return [cell for cell in self._cells_with(_BLOCKS) if cell not in self._parts]

    @cached_property
    def free_energy(self) -> list[Cell]:
        """The free energy blocks."""
        return [cell for cell in self.free_blocks if self.is_energy(cell)]

    def owner(self, cell: Cell) -> Python | None:
        """The python whose head or block occupies the cell; None for a free block or anything else."""
        index = self._parts.get(cell)
        return None if index is None else self.pythons[index]

    # The content of a cell. All are False off the field.

    def is_inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size

    def is_wall(self, cell: Cell) -> bool:
        return self._at(cell) == "W"

    def is_reactor(self, cell: Cell) -> bool:
        return self._at(cell) == "R"

    def is_empty(self, cell: Cell) -> bool:
        return self._at(cell) == "."

    def is_head(self, cell: Cell) -> bool:
        return self._at(cell) == "p"

    def is_block(self, cell: Cell) -> bool:
        """A block of any kind, free or linked."""
        return self._at(cell) in ("b", "e")

    def is_energy(self, cell: Cell) -> bool:
        """An energy block, free or linked."""
        return self._at(cell) == "e"

    def is_linked(self, cell: Cell) -> bool:
        """A block that is part of a python's body (rule 3)."""
        return cell in self._parts and self.is_block(cell)

    def is_free_block(self, cell: Cell) -> bool:
        """A free block of any kind, which can be eaten."""
        return cell not in self._parts and self.is_block(cell)

    def _at(self, cell: Cell) -> str:
        return chr(self._field[self._spot(cell)]) if self.is_inside(cell) else ""

    def _spot(self, cell: Cell) -> int:
        return (cell[1] + 1) * (self.size + 2) + cell[0] + 1

    def _cells_with(self, kinds: bytes) -> list[Cell]:
        return list(compress(_cells_by_spot(self.size), self._field.translate(kinds)))

    @cached_property
    def _parts(self) -> dict[Cell, int]:
        return {cell: python.index for python in self.pythons for cell in python.cells}

    # Actions, by the rules

    def outcome(self, action: str, python: int = 0) -> Outcome:
        """What `action` of the python with that index (0: me) would do now, by rules 8-15.

        Raises: ValueError, if the action is not one of U L D R N A.
        """
        mover = self.pythons[python]
        if action == "N":
            return Outcome("wait", mover.head)
        if action == "A":
            return Outcome("shield", mover.head) if mover.energy else Outcome("skip", mover.head, why="no-energy")
        target = neighbour(mover.head, action)
        what = self._at(target)
        if what == ".":
            return Outcome("move", target)
        if what == "R":
            return Outcome("deliver", target, points=mover.value)
        if what in ("", "W", "p"):
            return Outcome("skip", target, why={"": "edge", "W": "wall", "p": "head"}[what])
        owner = next((other for other in self.pythons if target in other.cells), None)
        if owner is None:
            return Outcome("eat", target)
        if target == owner.tail:  # its own tail moves away in time (rule 12); a rival's cannot be bitten
            return Outcome("move", target) if owner is mover else Outcome("skip", target, why="tail")
        if self._shield_at_turn(owner) if owner is mover else owner.shield:
            return Outcome("skip", target, why="shield")
        lost = owner.length - owner.cells.index(target)
        return Outcome("bite", target, points=0 if owner is mover else lost, victim=owner.index)

    def can_move(self, direction: str, python: int = 0) -> bool:
        """Whether the head would move there, by a move, a meal or a bite. A head never enters a reactor: see
        `outcome`."""
        return self.outcome(direction, python).kind in ("move", "eat", "bite")

    def after(self, action: str, python: int = 0) -> AreaInfo:
        """The board after that action of that python. My index stays 0.

        Blocks that would return (delivered, or used for a shield) are missing, since chance decides where (rule 16).
        Shield clocks are updated. The board of a request is in the middle of my turn; every other call of `after`
        begins a turn of its python, so its counter is decreased first (rule 7). For points, see `outcome`.
        """
        done = self.outcome(action, python)
        pythons, field = list(self.pythons), bytearray(self._field)
        taken = chr(field[self._spot(done.target)])
        if done.victim is not None:
            loser = pythons[done.victim]
            left = loser.cells.index(done.target)
            pythons[done.victim] = Python(done.victim, loser.shield, loser.cells[:left], loser.blocks[: left - 1])
        mover = pythons[python]
        cells, blocks, shield = mover.cells, mover.blocks, self._shield_at_turn(mover)
        if done.kind == "move":
            cells = (done.target, *cells[:-1])
        elif done.kind in ("eat", "bite"):
            cells, blocks = (done.target, *cells), taken + blocks
        elif done.kind == "deliver":
            cells, blocks = cells[:1], ""
        elif done.kind == "shield":  # removes the energy block nearest to the head, and the chain closes up (rule 14)
            cells, blocks, shield = cells[:-1], blocks.replace("e", "", 1), shield + SHIELD_TURNS
        for cell in mover.cells:
            field[self._spot(cell)] = ord(".")
        for cell, kind in zip(cells, "p" + blocks):  # noqa: B905 - Python 3.9 has no strict=
            field[self._spot(cell)] = ord(kind)
        pythons[python] = Python(mover.index, shield, cells, blocks)
        area = AreaInfo(self.size, bytes(field), pythons)
        area.turn, area._ticked = self.turn, None
        area._answer_ends, area._total_ends = self._answer_ends, self._total_ends
        return area

    def _shield_at_turn(self, python: Python) -> int:
        return python.shield if self._ticked == python.index else max(0, python.shield - 1)

    # Paths. They lead through empty cells, free blocks and my own tail. Anything else except a wall can only be their
    # end.

    def distances(self, start: Cell) -> dict[Cell, int]:
        """The number of moves from `start` to each reachable cell, if all others stand still.

        Reactors, heads and linked blocks also have a distance, as ends of paths: the third move delivers to a reactor
        at distance 3. Do not change the dictionary: it is kept for the next call.
        Raises: ValueError, if `start` is off the field.
        """
        return self._search(start)[0]

    def path(self, to: Cell, start: Cell | None = None) -> list[Cell]:
        """A shortest path from `start` (by default, my head): its cells, without `start` and with `to`; [] if there is
        none."""
        start = self.me.head if start is None else start
        distances, before = self._search(start)
        way: list[Cell] = []
        table = _cells_by_spot(self.size)
        while to != start and to in distances:
            way.append(to)
            to = table[before[self._spot(to)]]
        return way[::-1]

    def step_towards(self, cells: Iterable[Cell]) -> str:
        """The direction of my first move to the nearest of the cells; "N" if none is reachable or I am already
        there."""
        distances = self.distances(self.me.head)
        near = min(((distances[cell], cell) for cell in cells if cell in distances), default=(0, self.me.head))
        way = self.path(near[1])
        return next((letter for letter in DIRECTIONS if way and neighbour(self.me.head, letter) == way[0]), "N")

    def first_step(self, *goals: Iterable[Cell]) -> str:
        """The direction of my first move to the first reachable goal; `any_move` if there is none.

        Each goal is a group of cells, the most important first: `area.first_step(area.free_blocks, area.reactors)`.
        The next group counts only if no cell of a group is reachable. Within a group, the nearest cell counts.
        """
        steps = (self.step_towards(cells) for cells in goals)
        return next((step for step in steps if step != "N"), None) or self.any_move()

    def any_move(self) -> str:
        """A direction in which my head can move: to an empty cell or my tail, or else to a free block, or else by a
        bite.

        So a python without a goal keeps moving, and a trapped one bites its way out. "N" if no move is possible.
        """
        kinds = {direction: self.outcome(direction).kind for direction in DIRECTIONS}
        ways = (direction for kind in ("move", "eat", "bite") for direction in DIRECTIONS if kinds[direction] == kind)
        return next(ways, "N")

    def _search(self, start: Cell) -> tuple[dict[Cell, int], list[int]]:
        if start in self._searches:
            return self._searches[start]
        if not self.is_inside(start):
            raise ValueError(f"the cell {start} is off the field of {self.size} x {self.size}")
        width, root, ways = self.size + 2, self._spot(start), self._ways
        before, distance, queue = [0] * len(ways), [0] * len(ways), [root]
        before[root] = root  # 0 means not reached: spot 0 is in the frame
        for spot in queue:
            if ways[spot] == _THROUGH or spot == root:
                for step in (-width, -1, width, 1):  # U L D R
                    beside = spot + step
                    if ways[beside] and not before[beside]:
                        before[beside], distance[beside] = spot, distance[spot] + 1
                        queue.append(beside)
        table = _cells_by_spot(self.size)
        self._searches[start] = {table[spot]: distance[spot] for spot in queue}, before
        return self._searches[start]

    @cached_property
    def _ways(self) -> bytes:
        ways = bytearray(self._field.translate(_WAYS))
        for python in self.pythons:
            for cell in python.cells:
                ways[self._spot(cell)] = _END
        if self.me.body:
            ways[self._spot(self.me.tail)] = _THROUGH
        return bytes(ways)


def neighbour(cell: Cell, direction: str) -> Cell:
    """The cell one step from `cell`, possibly off the field. Raises: ValueError, for a direction other than U L D R."""
    if direction not in DIRECTIONS:
        raise ValueError(f"{direction!r} is not one of {' '.join(ACTIONS)}")
    dx, dy = DIRECTIONS[direction]
    return cell[0] + dx, cell[1] + dy


def run(name: str, choose: Callable[[AreaInfo], str]) -> None:
    """Answers the referee until it closes the input: getName with `name`, getAction with `choose(area)`.

    While this runs, print() writes to stderr, the player's own log: only answers go to the real stdout. Exceptions of
    `choose` are not caught: the program ends with a traceback on stderr and status 1, which disqualifies.
    Raises: ValueError, for a name longer than 32 characters or with control characters in it, for an answer of
    `choose` that is not one of U L D R N A, and for a request that is neither getName nor getAction.
    """
    if len(name) > 32:
        raise ValueError(f"the name {name!r} is longer than 32 characters: {len(name)}")
    if any(ord(letter) < 0x20 or 0x7F <= ord(letter) < 0xA0 for letter in name):
        raise ValueError(f"the name {name!r} contains a control character")
    stdout = sys.stdout
    requests, answers = sys.stdin.buffer, stdout.buffer
    turn, spent, limit = 0, 0.0, FIRST_LIMIT
    sys.stdout = sys.stderr
    try:
        while True:
            request = requests.readline()
            if not request:
                return
            began = time.monotonic()
            answer = name
            if request.rstrip(b"\r\n") == b"getAction":
                area = _read_area(requests.readline)
                if area is None:
                    return
                turn += 1
                area.turn = turn
                area._set_clocks(limit, TOTAL_LIMIT - spent)
                answer = choose(area)
                if not isinstance(answer, str) or len(answer) != 1 or answer not in ACTIONS:
                    raise ValueError(f"choose must return one of {' '.join(ACTIONS)}, it returned {answer!r}")
            elif request.rstrip(b"\r\n") != b"getName":
                raise ValueError(f"the referee sent an unknown request: {request!r}")
            answers.write(answer.encode("utf-8") + b"\n")
            answers.flush()
            spent, limit = spent + time.monotonic() - began, ANSWER_LIMIT
    finally:
        sys.stdout = stdout


def _read_area(read_line: Callable[[], bytes]) -> AreaInfo | None:
    """The board after a `getAction` line; None if the input ends within it (`read_line` returns b"")."""
    first = read_line()
    if not first:
        return None
    size = int(first)
    if size < 1:
        raise ValueError(f"a field has 1 row or more, not {size}")
    rows = [read_line() for _ in range(size)]
    if b"" in rows:
        return None
    frame = bytes(size + 2)
    body = b"".join(b"\0" + row.rstrip(b"\r\n").translate(_KNOWN).ljust(size, b".")[:size] + b"\0" for row in rows)
    field = frame + body + frame
    pythons = []
    for index in range(field.count(b"p")):
        line = read_line()
        if not line:
            return None
        numbers = [int(number) for number in line.split()]
        if len(numbers) < 4 or len(numbers) != 2 + 2 * numbers[1]:
            raise ValueError(f"not a python's line, which is `shield length x0 y0 x1 y1 ...`: {line!r}")
        cells = tuple(zip(numbers[2::2], numbers[3::2]))  # noqa: B905 - Python 3.9 has no strict=
        if not all(0 <= number < size for number in numbers[2:]):
            raise ValueError(f"a python's cell is off the field of {size} x {size}: {line!r}")
        blocks = "".join(chr(field[(y + 1) * (size + 2) + x + 1]) for x, y in cells[1:])
        pythons.append(Python(index, numbers[0], cells, blocks))
    return AreaInfo(size, field, pythons)


def _cells_by_spot(size: int) -> list[Cell]:
    """The cell of each byte of a framed field of that size."""
    if size not in _CELLS:
        _CELLS[size] = [(x, y) for y in range(-1, size + 1) for x in range(-1, size + 1)]
    return _CELLS[size]


_CELLS: dict[int, list[Cell]] = {}
_REACTORS = bytes(chr(letter) == "R" for letter in range(256))
_BLOCKS = bytes(chr(letter) in "be" for letter in range(256))
_KNOWN = bytes(letter if letter in b"WRbep" else ord(".") for letter in range(256))
_THROUGH, _END = 1, 2
_WAYS = bytes({".": _THROUGH, "b": _THROUGH, "e": _THROUGH, "R": _END}.get(chr(letter), 0) for letter in range(256))
