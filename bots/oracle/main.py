"""Oracle: looks ahead.

1. For each of its actions, it takes the board after the action, the action's score, and the cost of the worst bite that a
   rival could answer with.
2. From that board, a beam search looks at its own next moves: paths over free blocks, prey and reactors. Later gains count
   less, and so do blocks that a rival reaches sooner. A path that ends in a trap counts as a loss.
3. A delivery of n blocks scores n(n + 1)/2 points, (n + 1)/2 for each. So the worth of a carried block depends on the target
   of the next delivery, and delivering gains if the load exceeds the target. The target depends on shields, supply and time.
4. Time may run out. A delivery counts only if it is made in time, so the last trip goes home with as much as it can.

All limits are numbers of boards, never times: the same requests get the same answers on every machine.
"""

from functools import lru_cache
from typing import NamedTuple

from snake import ACTIONS, DIRECTIONS, AreaInfo, Cell, neighbour, run

SHORT, ROUNDS = 30, 300
"""The protocol does not say how long a game is. So it has a load delivered by the end of a short one, and of a usual one."""

SPARE = 6
"""Turns reserved for the last trip home, plus a quarter of the length, because a long body winds."""

MOVES_PER_BLOCK = 4
"""The moves needed to find a block, if little time is left."""

AIM, AIM_PER_SHIELD = 14, 2
"""The target load of a delivery: without a shield available, and more for each available shield."""

SHARE = 0.6
"""The target is at most this share of its own and the free blocks, because the last ones take too long to find."""

DEPTH, WIDTH = 20, 7
"""How many moves the beam looks ahead, and how many paths it keeps at each depth."""

FADE = 0.95
"""The share of a gain that remains after a move of delay."""

FEAR = 0.7
"""The assumed probability that a rival uses its chance of a bite."""

CATCH = 0.6
"""The share of a hunt's gain that remains after each move towards the prey, which moves on meanwhile."""

CONTESTED, ENERGY = 0.5, 1.1
"""The worth of a block to which a rival is nearer, and of an energy block, relative to an ordinary one."""

SELF_BITE = 0.4
"""The extra cost of a block bitten off its own body: the time to eat it again."""

WAIT = 0.3
"""The cost of a turn of waiting, in blocks."""

CAUGHT = 0.5
"""The share of the body that counts as lost if there is no way out."""

FAR = 10**6

Near = dict[Cell, tuple[Cell, ...]]


class Way(NamedTuple):
    """A path: its gain, its cells up to the head's, and the load at its end."""

    gained: float
    path: tuple[Cell, ...]
    blocks: int


def choose(area: AreaInfo) -> str:
    outlook = Outlook(area)
    values = {action: outlook.value(action) for action in ACTIONS if area.outcome(action).kind != "skip"}
    return max(values, key=lambda action: values[action])


class Outlook:
    """Shared by all actions of one turn: distances, and the worth of blocks."""

    def __init__(self, area: AreaInfo) -> None:
        drawing = str(area).translate(ONLY_TERRAIN)
        self.area = area
        self.near, self.home = terrain(drawing)
        self.reactors = frozenset(area.reactors)
        self.mine = flood([area.me.head], self.near, DEPTH)
        self.theirs = flood([rival.head for rival in area.rivals], self.near, DEPTH)
        self.larder = flood(area.free_blocks, self.near, FAR)
        self.left = turns_left(area)
        self.aim = self.target(area)
        self.block = (self.aim + 1) / 2
        self.food = self.worth(area)

    def target(self, area: AreaInfo) -> float:
        """How many blocks the next delivery should bring; 0 if it is time for the last trip home: any load, but in time."""
        load = len(area.me.blocks)
        if self.left <= self.home.get(area.me.head, 0) + SPARE + load // 4:
            return 0.0
        supply = len(area.free_blocks) + load
        return min(AIM + AIM_PER_SHIELD * area.me.energy, SHARE * supply, load + self.left / MOVES_PER_BLOCK)

    def value(self, action: str) -> float:
        """The worth of the action in points, including later gains."""
        outcome = self.area.outcome(action)
        board = self.area.after(action)
        aboard = len(board.me.blocks) - len(self.area.me.blocks)
        value = outcome.points + aboard * self.block - self.threat(board)
        food = self.food
        if outcome.kind == "wait":
            value -= WAIT * self.block
        elif outcome.kind == "bite":
            food = self.worth(board)
            if aboard < 0:
                value += SELF_BITE * self.block * aboard
        return value + FADE * self.future(board, food)

    def threat(self, board: AreaInfo) -> float:
        """The cost of the worst bite that a rival could make on this board."""
        bites = (board.outcome(letter, rival.index) for rival in board.rivals for letter in DIRECTIONS)
        lost = max((bite.points for bite in bites if bite.victim == 0), default=0)
        load = len(board.me.blocks)
        return FEAR * (self.load(load) - self.load(load - lost))

    def worth(self, board: AreaInfo) -> dict[Cell, float]:
        """The worth of each free block to me."""
        return {
            cell: self.block
            * (CONTESTED if self.theirs.get(cell, FAR) < self.mine.get(cell, FAR) else 1.0)
            * (ENERGY if board.is_energy(cell) else 1.0)
            for cell in board.free_blocks
        }

    def load(self, blocks: int) -> float:
        """The worth of a load: its part of a delivery on target, or the points of its own delivery if it exceeds that."""
        return max(blocks * self.block, blocks * (blocks + 1) / 2)

    def delivery(self, blocks: int) -> float:
        """The gain of delivering these blocks compared with keeping them."""
        return blocks * (blocks - self.aim) / 2

    def hope(self, cell: Cell, blocks: int, left: int) -> float:
        """The possible gain after the end of a path: the next block, or a delivery in time if the target is reached."""
        hope = self.block * FADE ** self.larder.get(cell, FAR)
        if blocks > self.aim and self.home.get(cell, FAR) <= left:
            hope = max(hope, self.delivery(blocks) * FADE ** self.home.get(cell, FAR))
        return hope

    def future(self, board: AreaInfo, food: dict[Cell, float]) -> float:
        """The largest gain of a path from this board, by a beam search; rivals are assumed to stand still."""
        place = {cell: index for index, cell in enumerate(board.me.cells)}
        blocked = {cell for rival in board.rivals for cell in rival.cells}
        prey = {
            cell: rival.length - index
            for rival in board.rivals
            if rival.shield <= 1
            for index, cell in enumerate(rival.body[:-1], 1)
        }
        ways = [Way(0.0, (board.me.head,), len(board.me.blocks))]
        best, fade = 0.0, 1.0
        for depth in range(DEPTH):
            left = self.left - 1 - depth
            grown: dict[tuple[Cell, int], tuple[float, Way]] = {}
            for gained, path, blocks in ways:
                for cell in self.near[path[-1]]:
                    aboard = blocks
                    gain = 0.0
                    # A cell of its own body is free again after the tail has passed it (rule 12).
                    if cell in path:
                        if path[::-1].index(cell) < blocks:
                            continue
                    elif cell in place:
                        if depth + place[cell] < blocks:
                            continue
                    elif cell in food:
                        gain, aboard = food[cell], blocks + 1
                    elif cell in prey:
                        # After a bite, the blocks behind it are free: from there on, they are food.
                        gain = self.block if path[-1] in prey else CATCH**depth * (self.block + prey[cell])
                        aboard = blocks + 1
                    elif cell in self.reactors:
                        if not blocks or left < 0:
                            continue
                        gain, aboard, cell = self.delivery(blocks), 0, path[-1]
                    elif cell in blocked:
                        continue
                    worth = gained + fade * gain
                    value = worth + fade * FADE * self.hope(cell, aboard, left)
                    if (cell, aboard) not in grown or value > grown[cell, aboard][0]:
                        grown[cell, aboard] = value, Way(worth, (*path, cell), aboard)
            if not grown:
                return -CAUGHT * self.block * len(board.me.blocks)
            ranked = sorted(grown.values(), key=lambda pair: -pair[0])[:WIDTH]
            best, ways = ranked[0][0], [way for _, way in ranked]
            fade *= FADE
        return best


def turns_left(area: AreaInfo) -> int:
    """The turns after this one, up to the next end that it prepares for.

    With one rival, it does not prepare for a short game: an early delivery returns blocks, and so feeds the only rival.
    """
    if area.turn <= SHORT and len(area.rivals) > 1:
        return SHORT - area.turn
    return ROUNDS - area.turn if area.turn <= ROUNDS else ROUNDS


ONLY_TERRAIN = str.maketrans("bep", "...")


@lru_cache(maxsize=4)
def terrain(drawing: str) -> tuple[Near, dict[Cell, int]]:
    """For a drawing of walls and reactors: each cell's open neighbours, and its moves to the nearest reactor."""
    cells = {(x, y): what for y, row in enumerate(drawing.split()) for x, what in enumerate(row) if what != "W"}
    near = {
        cell: tuple(beside for beside in (neighbour(cell, letter) for letter in DIRECTIONS) if beside in cells)
        for cell in cells
    }
    reactors = [cell for cell, what in cells.items() if what == "R"]
    return near, flood(reactors, near, FAR)


def flood(sources: list[Cell], near: Near, limit: int) -> dict[Cell, int]:
    """Moves, up to a limit, from the nearest of the sources to each cell; bodies are ignored, because they move on."""
    moves = dict.fromkeys(sources, 0)
    front = list(moves)
    for distance in range(1, limit + 1):
        behind, front = front, []
        for cell in behind:
            for beside in near[cell]:
                if beside not in moves:
                    moves[beside] = distance
                    front.append(beside)
        if not front:
            break
    return moves


if __name__ == "__main__":
    run("Oracle", choose)
