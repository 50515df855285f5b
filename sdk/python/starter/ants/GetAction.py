"""@NAME@: a first bot for ants. It knows its way home, and each ant searches the field at a different slope.

PlayGetAction talks to the referee and calls `GetAction` for each turn of each ant: start reading there. Printed output
goes to the bot's log. Nothing else may be kept between two calls, so the ants' memories hold everything that this bot
knows.
"""

from InterGetAction import ActionType, AntAction  # by hand: PYTHONPATH=$(referee sdk path python)

NAME = "@NAME@"

# An ant's memory, by index: its number, from 1, or 0 before its first turn; its distance from its hill to the right and
# down (255 is one cell to the left or up); its heading, 1 for right and down; and the steps of its search.
NUMBER, X, Y, HEADS_RIGHT, HEADS_DOWN, STEPS = range(6)
SLOPE = 11
"""Out of this many steps of a search, an ant makes as many sideways as its number says, and the others up or down."""

UP, LEFT, DOWN, RIGHT = (0, -1), (-1, 0), (0, 1), (1, 0)
MOVES = {UP: "MOVE_UP", LEFT: "MOVE_LEFT", DOWN: "MOVE_DOWN", RIGHT: "MOVE_RIGHT"}


def GetAction(ant, sensors):  # noqa: N802
    """The action of this turn. sensors[x][y] are the cells around: [0][0] is the top left, [1][1] the ant's own."""
    here = sensors[1][1]
    if ant.memory[NUMBER] == 0:
        begin(ant, sensors)
        return AntAction(search(ant, sensors), True, ant.memory[NUMBER])  # the mark is for the next ant to be born
    if ant.hasFood:
        return AntAction(ActionType["PUT"] if here.isMyHill else go_home(ant), False, 0)
    if here.isFood and not here.isMyHill:
        return AntAction(ActionType["GET"], False, 0)
    return AntAction(search(ant, sensors), False, 0)


def begin(ant, sensors):
    """The first turn, on the hill: ants are identical at birth, and number themselves by the mark on the hill."""
    here = sensors[1][1]
    ant.memory[NUMBER] = here.smell % 255 + 1 if here.smellIntensity > 0 else 1
    ant.memory[HEADS_RIGHT] = not sensors[2][1].isWall
    ant.memory[HEADS_DOWN] = not sensors[1][2].isWall


def go_home(ant):
    """A step towards the hill, sideways first."""
    x, y = signed(ant.memory[X]), signed(ant.memory[Y])
    if x:
        return step(ant, LEFT if x > 0 else RIGHT)
    return step(ant, UP if y > 0 else DOWN)


def search(ant, sensors):
    """A step to food beside the ant, or along its slope, which turns back at walls."""
    for dx, dy in MOVES:
        cell = sensors[1 + dx][1 + dy]
        if cell.isFood and not cell.isMyHill:
            return step(ant, (dx, dy))
    if sensors[2][1].isWall or sensors[0][1].isWall:
        ant.memory[HEADS_RIGHT] = sensors[0][1].isWall
    if sensors[1][2].isWall or sensors[1][0].isWall:
        ant.memory[HEADS_DOWN] = sensors[1][0].isWall
    ant.memory[STEPS] = (ant.memory[STEPS] + 1) % SLOPE
    if ant.memory[STEPS] < ant.memory[NUMBER]:
        return step(ant, RIGHT if ant.memory[HEADS_RIGHT] else LEFT)
    return step(ant, DOWN if ant.memory[HEADS_DOWN] else UP)


def step(ant, move):
    """Makes a move, and counts it."""
    ant.memory[X] = (ant.memory[X] + move[0]) % 256
    ant.memory[Y] = (ant.memory[Y] + move[1]) % 256
    return ActionType[MOVES[move]]


def signed(byte):
    """A byte from -128 to 127."""
    return byte - 256 if byte > 127 else byte
