"""Oracle: looks ahead.

1. For each of its actions it takes the board as it will be (`after`), what the action scores, and what the rivals'
   replies could cost: the worst bite that one of them has there.
2. From that board it searches its own next moves with a beam: ways over free blocks, prey and reactors. What lies
   further ahead counts less, and so does what a rival reaches sooner. A way that ends in a trap counts as a loss.
3. n blocks deliver n(n + 1)/2 points, (n + 1)/2 for each: so a block aboard is worth as much as the next delivery is
   aimed at, and delivering gains when more than the aim is aboard. The aim follows shields, supply and time.

All limits are numbers of boards, never times: the same requests get the same answers on every machine.
"""

from functools import lru_cache
from typing import Dict, Iterable, NamedTuple, Tuple

from snake import ACTIONS, DIRECTIONS, AreaInfo, Cell, neighbour, run

ROUNDS = 300
"""The protocol does not say how long a game is; this is the usual length."""

SPARE = 6
"""Turns kept in hand for the last way home; a long body winds, so a quarter of its length comes on top."""

AIM, AIM_PER_SHIELD = 14, 2
"""How many blocks a delivery is aimed at: without a shield at hand, and more for each at hand."""

SHARE = 0.6
"""It aims at no more than this share of its own and the free blocks: the last ones take too long to find."""

DEPTH, WIDTH = 20, 7
"""How many moves the beam looks ahead, and how many ways it keeps at each."""

FADE = 0.95
"""What a move of delay leaves of a gain."""

FEAR = 0.7
"""How likely a rival is taken to use its chance of a bite."""

CATCH = 0.6
"""What each move of the way to the prey leaves of a hunt's gain: the prey moves on meanwhile."""

CONTESTED, ENERGY = 0.5, 1.1
"""What a block counts for when a rival is nearer to it; and an energy block, against an ordinary one."""

SELF_BITE = 0.4
"""What a block bitten off oneself costs above its worth: the time to eat it again."""

WAIT = 0.3
"""What a turn of waiting costs, in blocks."""

CAUGHT = 0.5
"""What part of the body counts as lost when no way out is open."""

FAR = 10**6

Near = Dict[Cell, Tuple[Cell, ...]]


class Way(NamedTuple):
    """A way looked at: the worth gained on it, its cells up to the head's, how many blocks are aboard at its end."""

    gained: float
    path: Tuple[Cell, ...]
    blocks: int


def choose(area: AreaInfo) -> str:
    outlook = Outlook(area)
    values = {action: outlook.value(action) for action in ACTIONS if area.outcome(action).kind != "skip"}
    return max(values, key=lambda action: values[action])


class Outlook:
    """What holds for all actions of one turn: distances, and what blocks are worth."""

    def __init__(self, area: AreaInfo) -> None:
        drawing = str(area).translate(ONLY_TERRAIN)
        self.area = area
        self.near, self.home = terrain(drawing)
        self.reactors = frozenset(area.reactors)
        self.mine = flood([area.me.head], self.near, DEPTH)
        self.theirs = flood([rival.head for rival in area.rivals], self.near, DEPTH)
        self.larder = flood(area.free_blocks, self.near, FAR)
        left = ROUNDS - area.turn if area.turn <= ROUNDS else ROUNDS
        last_call = left <= self.home.get(area.me.head, 0) + SPARE + len(area.me.blocks) // 4
        supply = len(area.free_blocks) + len(area.me.blocks)
        self.aim = 0.0 if last_call else min(AIM + AIM_PER_SHIELD * area.me.energy, SHARE * supply)
        self.block = (self.aim + 1) / 2
        self.food = self.worth(area)

    def value(self, action: str) -> float:
        """What the action is worth in points, the gains that it leads to included."""
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
        """What the worst bite that any rival has on this board would cost me."""
        bites = (board.outcome(letter, rival.index) for rival in board.rivals for letter in DIRECTIONS)
        return FEAR * self.block * max((bite.points for bite in bites if bite.victim == 0), default=0)

    def worth(self, board: AreaInfo) -> Dict[Cell, float]:
        """What each free block is worth to me."""
        return {
            cell: self.block
            * (CONTESTED if self.theirs.get(cell, FAR) < self.mine.get(cell, FAR) else 1.0)
            * (ENERGY if board.is_energy(cell) else 1.0)
            for cell in board.free_blocks
        }

    def delivery(self, blocks: int) -> float:
        """What delivering so many blocks gains over keeping them aboard."""
        return blocks * (blocks - self.aim) / 2

    def hope(self, cell: Cell, blocks: int) -> float:
        """What may come behind the end of a way: the next block, or the way home when the aim is reached."""
        hope = self.block * FADE ** self.larder.get(cell, FAR)
        if blocks > self.aim:
            hope = max(hope, self.delivery(blocks) * FADE ** self.home.get(cell, FAR))
        return hope

    def future(self, board: AreaInfo, food: Dict[Cell, float]) -> float:
        """The most that a way from this board gains, by a beam search; the rivals are taken to stand still."""
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
            grown: Dict[Tuple[Cell, int], Tuple[float, Way]] = {}
            for gained, path, blocks in ways:
                for cell in self.near[path[-1]]:
                    aboard = blocks
                    gain = 0.0
                    # A cell of the own body is free again when the tail has passed it (rule 12).
                    if cell in path:
                        if path[::-1].index(cell) < blocks:
                            continue
                    elif cell in place:
                        if depth + place[cell] < blocks:
                            continue
                    elif cell in food:
                        gain, aboard = food[cell], blocks + 1
                    elif cell in prey:
                        # Behind a bite the chain lies free: from there on it is food.
                        gain = self.block if path[-1] in prey else CATCH**depth * (self.block + prey[cell])
                        aboard = blocks + 1
                    elif cell in self.reactors:
                        if not blocks:
                            continue
                        gain, aboard, cell = self.delivery(blocks), 0, path[-1]
                    elif cell in blocked:
                        continue
                    worth = gained + fade * gain
                    value = worth + fade * FADE * self.hope(cell, aboard)
                    if (cell, aboard) not in grown or value > grown[cell, aboard][0]:
                        grown[cell, aboard] = value, Way(worth, (*path, cell), aboard)
            if not grown:
                return -CAUGHT * self.block * len(board.me.blocks)
            ranked = sorted(grown.values(), key=lambda pair: -pair[0])[:WIDTH]
            best, ways = ranked[0][0], [way for _, way in ranked]
            fade *= FADE
        return best


ONLY_TERRAIN = str.maketrans("bep", "...")


@lru_cache(maxsize=4)
def terrain(drawing: str) -> Tuple[Near, Dict[Cell, int]]:
    """For a drawing of walls and reactors: each cell's neighbours that are no walls, and its moves to the nearest reactor."""
    cells = {(x, y): what for y, row in enumerate(drawing.split()) for x, what in enumerate(row) if what != "W"}
    near = {
        cell: tuple(beside for beside in (neighbour(cell, letter) for letter in DIRECTIONS) if beside in cells)
        for cell in cells
    }
    reactors = [cell for cell, what in cells.items() if what == "R"]
    return near, flood(reactors, near, FAR)


def flood(sources: Iterable[Cell], near: Near, limit: int) -> Dict[Cell, int]:
    """Moves, up to a limit, from the nearest of the sources to each cell: bodies are looked through, they will move on."""
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
