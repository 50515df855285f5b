"""SnakeCore's rules, pure. Numbers in brackets are the rules of snakecore.md.

Theory of the board, which is also the fast path of a match:
1. `board` is one bytearray: a guard row of line feeds, the rows as the protocol writes them, each with its line feed, and
   another guard row. The cell (x, y) has the index (y + 1) * stride + x with stride = size + 1, so a step is an addition
   and every way off the field ends on a line feed.
2. Rows hold what players are sent: `W R b e p .`, linked blocks by their kind. A turn patches the cells it changes, and
   the wire copies the rows as they stand: a request is never rebuilt from objects.
3. `owner[cell]` is 1 + the seat whose body lies there, 0 elsewhere: who is bitten is one look, not a search.
4. A body moves by popping its tail and pushing its head. Kinds travel with the chain: where a body has both kinds the
   cells between are patched too, else its two ends are all that changes (9).
5. A returning block draws cells of the field until one is empty: every empty cell is equally likely (16) and nothing has
   to be kept up to date for it. After `DRAWS` misses (a nearly full board) the empty cells are listed instead.
6. The shield clock of (7) goes down when the turn's answer is handed in, and the request shows the player its own counter
   as it will be then: so a position between two turns has a counter that has not gone down yet, as replay.md has it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final

from referee.game import Event, Fault, Frame, Outcome, Position, Request, State, rank
from referee.games.snakecore.position import PositionModel, read_position, write_position
from referee.games.snakecore.view import draw
from referee.grid import DIRECTIONS, Cell
from referee.names import shown_name

EMPTY, WALL, REACTOR, ORDINARY, ENERGY, HEAD, EDGE = b".WRbep\n"
KIND: Final = {ORDINARY: "b", ENERGY: "e"}
SHIELD_TURNS: Final = 10
DRAWS: Final = 64
"""Draws for a returning block before the empty cells are listed: with one cell in eight empty that is one time in 5,000."""


@dataclass(slots=True)
class Python:
    """A head and its chain: `cells` as board indices, head first; `kinds` of the body, from the head.

    `energy` counts the energy blocks of the body. `line` is the wire's copy of the chain, None once it has changed.
    """

    cells: deque[int]
    kinds: deque[int]
    shield: int
    score: int
    disqualified: str | None
    energy: int
    line: bytes | None = None


class SnakeCore(State["SnakeCore", str]):
    """One game. Actions are names and then the letters `U L D R N A`; a request's observation is the state itself."""

    __slots__ = (
        "_active", "_asks", "_due", "_foretold", "_rng", "_steps", "_unnamed", "board", "names", "owner", "pythons",
        "rounds", "seat", "size", "stride", "turn_round",
    )  # fmt: skip

    def __init__(self, setup: PositionModel, rng_seed: int) -> None:
        n = self.size = setup.size
        stride = self.stride = n + 1
        self.rounds, self.turn_round, self.seat = setup.rounds, setup.round, setup.seat
        guard = "\n" * stride
        self.board = bytearray((guard + "".join(row + "\n" for row in setup.field) + guard).encode())
        self.owner = bytearray(len(self.board))
        self.pythons: list[Python] = []
        for seat, model in enumerate(setup.pythons):
            cells = deque((y + 1) * stride + x for x, y in model.cells)
            kinds = deque(model.blocks.encode())
            self.pythons.append(
                Python(cells, kinds, model.shield, model.score, model.disqualified, model.blocks.count("e"))
            )
            self.board[cells[0]] = HEAD
            for cell, kind in zip(islice(cells, 1, None), kinds, strict=True):
                self.board[cell] = kind
                self.owner[cell] = seat + 1
        self.names = [""] * len(self.pythons)
        self._steps = {letter: dy * stride + dx for letter, (dx, dy) in DIRECTIONS.items()}
        self._rng = Random(rng_seed)
        self._foretold: list[object] = []
        self._active = [python.disqualified is None for python in self.pythons].count(True)
        self._unnamed = [seat for seat, python in enumerate(self.pythons) if python.disqualified is None]
        self._asks = tuple((Request(seat, "getAction", self),) for seat in range(len(self.pythons)))
        self._due: tuple[Request[SnakeCore], ...] = ()
        self._settle()

    # -- the contract --------------------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        """The round under way, 0 while names are asked."""
        return 0 if self._unnamed else self.turn_round

    def requests(self) -> Sequence[Request[SnakeCore]]:
        """The one seat to move; while names are asked, the next seat without one."""
        return self._due

    def advance(self, actions: Sequence[str | Fault]) -> Sequence[Event]:
        """One turn by the rules, or one name."""
        (action,) = actions
        if self._unnamed:
            return self._name(action)
        seat = self.seat
        python = self.pythons[seat]
        if python.shield:  # (7)
            python.shield -= 1
        if isinstance(action, Fault):
            events = [self._disqualify(seat, action)]
        else:
            step = self._steps.get(action)
            if step is not None:
                events = self._move(seat, python, step)
            elif action == "N":
                events = [{"event": "wait", "seat": seat}]
            elif action == "A":
                events = self._activate(seat, python)
            else:
                raise ValueError(f"{action!r} is no action of SnakeCore: the codec lets U L D R N A through")
        self._pass_turn()
        self._settle()
        return events

    def foretell(self, events: Sequence[Event]) -> None:
        """The places of blocks that come back are the only chance in this game."""
        self._foretold = [event.get("at") for event in reversed(events) if event.get("event") == "return"]

    def outcome(self) -> Outcome | None:
        """`rounds` when all are played, `nobody-left` when everybody is disqualified (6, 17)."""
        return None if self._due else self.standing()

    def standing(self) -> Outcome:
        """The ranking by points (17)."""
        ranking = rank(
            [python.score for python in self.pythons],
            [python.disqualified for python in self.pythons],
            [shown_name(name, seat) for seat, name in enumerate(self.names)],
        )
        if self._due:
            reason, rounds = "interrupted", self.round
        elif self.turn_round > self.rounds:
            reason, rounds = "rounds", self.rounds
        else:
            reason, rounds = "nobody-left", self._last_round()
        return Outcome(reason, rounds, ranking)

    def position(self) -> Position:
        """This moment, as replay.md writes it."""
        return write_position(self)

    def draw(self) -> Frame:
        """The board and the seats' figures."""
        return draw(self)

    # -- looking -------------------------------------------------------------------------------------------------

    def xy(self, index: int) -> Cell:
        """The cell (x, y) of a board index."""
        y, x = divmod(index, self.stride)
        return x, y - 1

    def field_rows(self) -> list[str]:
        """Walls, reactors and independent blocks, a string a row: the board without the pythons."""
        board = bytearray(self.board)
        for python in self.pythons:
            for cell in python.cells:
                board[cell] = EMPTY
        return board.decode().split()

    # -- turns ---------------------------------------------------------------------------------------------------

    def _name(self, action: str | Fault) -> list[Event]:
        seat = self._unnamed.pop(0)
        if isinstance(action, Fault):
            events = [self._disqualify(seat, action)]
        else:
            self.names[seat] = action
            events = [{"event": "named", "seat": seat, "name": action}]
        self._settle()
        return events

    def _disqualify(self, seat: int, fault: Fault) -> Event:
        self.pythons[seat].disqualified = str(fault.kind)
        self._active -= 1
        return {"event": "disqualified", "seat": seat, "why": str(fault.kind), "detail": fault.detail}

    def _pass_turn(self) -> None:
        self.seat += 1
        if self.seat == len(self.pythons):
            self.seat = 0
            self.turn_round += 1

    def _settle(self) -> None:
        """Find who is due. The turns of the disqualified pass here, each taking its shield clock along (7)."""
        if not self._active:
            self._unnamed.clear()
            self._due = ()
        elif self._unnamed:
            self._due = (Request(self._unnamed[0], "getName", self),)
        else:
            while self.turn_round <= self.rounds and (python := self.pythons[self.seat]).disqualified is not None:
                if python.shield:
                    python.shield -= 1
                self._pass_turn()
            self._due = self._asks[self.seat] if self.turn_round <= self.rounds else ()

    def _last_round(self) -> int:
        """The round of the last turn that began: `seat` and `turn_round` already stand at the next."""
        return self.turn_round - 1 if self.seat == 0 else self.turn_round

    def _move(self, seat: int, python: Python, step: int) -> list[Event]:
        board, cells = self.board, python.cells
        head = cells[0]
        target = head + step
        there = board[target]
        if there == EMPTY or (there in KIND and target == cells[-1]):  # (9), (12)
            self._crawl(seat, python, target)
            return [{"event": "move", "seat": seat}]
        if there in KIND:
            victim_seat = self.owner[target] - 1
            if victim_seat < 0:  # (10)
                self._grow(seat, python, target, there)
                return [{"event": "eat", "seat": seat, "kind": KIND[there]}]
            return [self._bite(seat, python, victim_seat, target)]
        if there == REACTOR:
            return self._deliver(seat, python)
        why = "edge" if there == EDGE else "wall" if there == WALL else "head"
        return [{"event": "skip", "seat": seat, "why": why}]

    def _crawl(self, seat: int, python: Python, target: int) -> None:
        board, owner, cells, kinds = self.board, self.owner, python.cells, python.kinds
        head = cells[0]
        tail = cells.pop()
        cells.appendleft(target)
        board[tail] = EMPTY
        owner[tail] = 0
        if kinds:
            board[head] = kinds[0]
            owner[head] = seat + 1
            if 0 < python.energy < len(kinds):
                for cell, kind in zip(islice(cells, 1, None), kinds, strict=True):
                    board[cell] = kind
        board[target] = HEAD
        python.line = None

    def _grow(self, seat: int, python: Python, target: int, kind: int) -> None:
        """The head goes to `target`, a free cell by now, a block of this kind takes its place, the rest stays (10, 11)."""
        head = python.cells[0]
        self.board[head] = kind
        self.owner[head] = seat + 1
        self.board[target] = HEAD
        python.cells.appendleft(target)
        python.kinds.appendleft(kind)
        python.energy += kind == ENERGY
        python.line = None

    def _bite(self, seat: int, python: Python, victim_seat: int, target: int) -> Event:
        victim = self.pythons[victim_seat]
        cells, kinds = victim.cells, victim.kinds
        if target == cells[-1]:  # (15): a rival's; the own tail was a move
            return {"event": "skip", "seat": seat, "why": "tail"}
        if victim.shield:
            return {"event": "skip", "seat": seat, "why": "shield"}
        bitten = cells.index(target)
        length = len(cells) - bitten
        kind = kinds[bitten - 1]
        for _ in range(length):  # (11): what lay behind is independent where it lies
            self.owner[cells.pop()] = 0
            victim.energy -= kinds.pop() == ENERGY
        victim.line = None
        self._grow(seat, python, target, kind)
        points = 0 if victim_seat == seat else length
        python.score += points
        return {"event": "bite", "seat": seat, "victim": victim_seat, "length": length, "points": points}

    def _deliver(self, seat: int, python: Python) -> list[Event]:
        kinds = list(python.kinds)
        points = len(kinds) * (len(kinds) + 1) // 2  # (13)
        python.score += points
        for _ in kinds:
            cell = python.cells.pop()
            self.board[cell] = EMPTY
            self.owner[cell] = 0
        python.kinds.clear()
        python.energy = 0
        python.line = None
        events: list[Event] = [{"event": "deliver", "seat": seat, "length": len(kinds), "points": points}]
        events += [self._return(seat, kind) for kind in kinds]
        return events

    def _activate(self, seat: int, python: Python) -> list[Event]:
        if not python.energy:
            return [{"event": "skip", "seat": seat, "why": "no-energy"}]
        python.kinds.remove(ENERGY)  # (14): the first one, nearest to the head
        python.energy -= 1
        tail = python.cells.pop()
        self.board[tail] = EMPTY
        self.owner[tail] = 0
        for cell, kind in zip(islice(python.cells, 1, None), python.kinds, strict=True):
            self.board[cell] = kind
        python.line = None
        python.shield += SHIELD_TURNS
        return [{"event": "shield", "seat": seat, "left": python.shield}, self._return(seat, ENERGY)]

    def _return(self, seat: int, kind: int) -> Event:
        """A block comes back on an empty cell, each equally likely (16; theory, point 5)."""
        cell = self._told_cell() or self._drawn_cell()
        self.board[cell] = kind
        return {"event": "return", "seat": seat, "kind": KIND[kind], "at": list(self.xy(cell))}

    def _drawn_cell(self) -> int:
        board, n, stride, chance = self.board, self.size, self.stride, self._rng.random
        for _ in range(DRAWS):
            y, x = divmod(int(chance() * n * n), n)
            cell = (y + 1) * stride + x
            if board[cell] == EMPTY:
                return cell
        empty = [index for index, there in enumerate(board) if there == EMPTY]
        return empty[int(chance() * len(empty))]

    def _told_cell(self) -> int | None:
        """The next cell that was foretold, where it is an empty cell of the field."""
        match self._foretold.pop() if self._foretold else None:
            case [int(x), int(y)] if 0 <= x < self.size and 0 <= y < self.size:
                cell = (y + 1) * self.stride + x
                return cell if self.board[cell] == EMPTY else None
        return None


def start(setup: Position, rng_seed: int) -> SnakeCore:
    """A game from a position.

    Raises:
        SetupError: the position breaks a rule of the game; the message names the key.
    """
    return SnakeCore(read_position(setup), rng_seed)
