"""The boards of `referee check`: extremes that the rules allow, each with a title that says what it tests (`positions.Trial`).

A field is drawn with `#` for walls, `o` for eggs, `*` for players (numbered row by row) and `@` for the bot under test. All
other players stay where they are. All memories are empty, because in a match a bot finds there only what it has stored itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.boards.maptext import cells_with
from referee.contract.positions import Trial

BYSTANDERS: Final[Mapping[str, bytes]] = {"getName": b"Bystander", "getAction": b"9\nN\n"}
TURNS: Final = 6
"""How often a bot is asked on an ordinary board."""
MANY: Final = 180
"""How often it is asked on a board that tests a long run: a run of seven players has 175 turns."""


def trials() -> list[Trial]:
    """All boards, the simplest first."""
    return [
        _trial("a plain board", _PLAIN),
        _trial("walls on all sides", _BOXED),
        _trial("eggs on all sides", _FULL),
        _trial("players on all sides", _CROWDED),
        _trial("the corner of the field", _CORNER),
        _trial("a field without a border", _OPEN),
        _trial("a long corridor", ["#" * 40, "#@" + " " * 36 + "o#", "#" * 40], turns=40),
        _trial("the most players allowed", _crowded_field(64)),
        _trial("several runs", _PLAIN_OF_SEVEN, turns=3, runs=3),
        _trial("many turns in a row", _HOLED, turns=MANY),
    ]


_PLAIN: Final = [
    "#########",
    "#   o   #",
    "# @   # #",
    "#     # #",
    "#  ##  o#",
    "#o    * #",
    "#########",
]
_BOXED: Final = [
    "#######",
    "#o   *#",
    "# ### #",
    "# #@# #",
    "# ### #",
    "#     #",
    "#######",
]
_FULL: Final = ["#########", *["#ooooooo#"] * 3, "#ooo@ooo#", *["#ooooooo#"] * 3, "#########"]
_CROWDED: Final = [
    "#########",
    "#o     o#",
    "#  ***  #",
    "#  *@*  #",
    "#  ***  #",
    "#o     o#",
    "#########",
]
_CORNER: Final = ["######", "#@   #", "#    #", "#   *#", "#o   #", "######"]
_OPEN: Final = ["@    ", "     ", "  #  ", "     ", "o   *"]
_PLAIN_OF_SEVEN: Final = [
    "###########",
    "#@ o    * #",
    "#   ##    #",
    "#* o   o  #",
    "#      #* #",
    "#  *   #  #",
    "#    o   *#",
    "# *     o #",
    "###########",
]
_HOLED: Final = [
    "###########",
    "#@   o   *#",
    "#   ###   #",
    "# o #o# o #",
    "#   ###   #",
    "#*   o   *#",
    "###########",
]


def _crowded_field(players: int) -> list[str]:
    """A field with a player on every second cell of its rows, and one egg."""
    side = int(players**0.5)
    line = "# " + "* " * side + "#"
    first = "# @" + line[3:]
    return ["#" * len(line), first, *[line] * (side - 1), "#o" + " " * (len(line) - 3) + "#", "#" * len(line)]


def _trial(title: str, drawing: Sequence[str], *, turns: int = TURNS, runs: int = 1) -> Trial:
    bot, others, eggs = ([list(cell) for cell in cells_with(drawing, letter)] for letter in "@*o")
    field = [row.translate(_NOTHING) for row in drawing]
    setup = {"runs": runs, "turns": turns, "field": field, "eggs": eggs, "players": bot + others}
    return Trial(title, setup, BYSTANDERS)


_NOTHING: Final = str.maketrans("@*o", "   ")
