"""Random boards and random calls, in the language of the test programs (sdk/vectors/README.md).

They test cases that the vectors miss. Boards are small and crowded with pythons, so bites, tails, shields and dead ends are
frequent. Requests have every line end, and rows that are too short or too long. Some arguments of calls are wrong.
"""

from __future__ import annotations

from random import Random
from typing import Final, TypeAlias

Cell: TypeAlias = tuple[int, int]

STEPS: Final = ((0, -1), (-1, 0), (0, 1), (1, 0))
SIZES: Final = (1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 9, 12, 25)
SHIELDS: Final = (0, 0, 0, 0, 1, 1, 2, 9, 10, 20)
PLAIN: Final = (
    *("text", "pythons", "rivals", "reactors", "free_blocks", "free_energy"),
    *("any_move", "any_move", "any_move", "size", "turn", "me"),
)
OF_A_PYTHON: Final = ("index", "shield", "cells", "blocks", "head", "tail", "body", "length", "energy", "value")
OF_A_CELL: Final = (
    *("owner", "is_inside", "is_wall", "is_reactor", "is_empty", "is_head"),
    *("is_block", "is_energy", "is_linked", "is_free_block"),
)


def random_batch(dice: Random, boards: int) -> tuple[list[str], list[tuple[str, str]]]:
    """The lines to send, and for each line that has an answer its request (for messages) and its command."""
    lines: list[str] = []
    commands: list[tuple[str, str]] = []
    for _ in range(boards):
        size = dice.choice(SIZES)
        pythons = random_chains(dice, size)
        sent = disguised(dice, random_request(dice, size, pythons), size)
        where = repr(sent)
        lines += [f"area {len(sent)}", *sent]
        commands.append((where, f"area {len(sent)}"))
        for command in calls(dice, size, len(pythons)):
            lines.append(command)
            commands.append((where, command))
    return lines, commands


def random_chains(dice: Random, size: int) -> list[list[Cell]]:
    """One or more pythons along random walks that do not cross."""
    occupied: set[Cell] = set()
    pythons = []
    for _ in range(dice.randint(1, 4)):
        free = [(x, y) for x in range(size) for y in range(size) if (x, y) not in occupied]
        if free:
            cells = [dice.choice(free)]
            occupied.add(cells[0])
            for _ in range(dice.choice((0, 1, 2, 4, 8, 16))):
                dx, dy = dice.choice(STEPS)
                cell = (cells[-1][0] + dx, cells[-1][1] + dy)
                if cell not in occupied and all(0 <= number < size for number in cell):
                    cells.append(cell)
                    occupied.add(cell)
            pythons.append(cells)
    return pythons


def random_request(dice: Random, size: int, pythons: list[list[Cell]]) -> list[str]:
    """The lines of a request with these pythons, from the size on."""
    letters = dice.choice(("....W.b.e.R", "...", "..bbe", "WWWW...bR", ".bebW"))
    rows = [[dice.choice(letters) for _ in range(size)] for _ in range(size)]
    lines = []
    for (x, y), *body in pythons:
        rows[y][x] = "p"
        for block_x, block_y in body:
            rows[block_y][block_x] = dice.choice("bbe")
        numbers = [number for cell in [(x, y), *body] for number in cell]
        lines.append(" ".join(map(str, [dice.choice(SHIELDS), len(body) + 1, *numbers])))
    return [str(size), *("".join(row) for row in rows), *lines]


def disguised(dice: Random, lines: list[str], size: int) -> list[str]:
    """The same board written differently: other line ends, unknown characters for empty cells, shorter or longer rows."""
    rows = lines[1 : size + 1]
    if dice.random() < 0.3:
        rows = [row.replace(".", dice.choice("?x B_0w,")) for row in rows]
    elif dice.random() < 0.3:
        rows = [row.rstrip(".") for row in rows]
    elif dice.random() < 0.3:
        rows = [row + dice.choice(("", "p", "bW", "  ", "\t")) for row in rows]
    end = dice.choice(("", "", "\r"))
    return [line + end for line in [*dice.choice(([], ["getAction"])), lines[0], *rows, *lines[size + 1 :]]]


def calls(dice: Random, size: int, pythons: int) -> list[str]:
    """Queries, then an action, and so on."""
    commands = []
    for _ in range(dice.randint(1, 5)):
        commands += [call(dice, size, pythons) for _ in range(dice.randint(2, 10))]
        actor = dice.choice((0, dice.randrange(pythons)))
        commands.append(f"after {letter(dice)} {actor}")
        commands += ["text", *(f"{member} {dice.randrange(pythons)}" for member in ("cells", "blocks", "shield"))]
    return commands


def call(dice: Random, size: int, pythons: int) -> str:
    python = dice.randrange(pythons)
    match dice.randrange(10):
        case 0 | 1 | 2:
            return f"outcome {letter(dice)} {python}"
        case 3:
            return dice.choice(PLAIN)
        case 4:
            return f"{dice.choice(OF_A_PYTHON)} {python}"
        case 5:
            return f"{dice.choice(OF_A_CELL)} {cell(dice, size)}"
        case 6:
            return dice.choice((f"can_move {letter(dice)} {python}", f"neighbour {cell(dice, size)} {letter(dice)}"))
        case 7:
            return f"distances {cell(dice, size)}"
        case 8:
            return f"path {cell(dice, size)}" + dice.choice(("", f" {cell(dice, size)}"))
        case _:
            groups = [
                [cell(dice, size) for _ in range(dice.choice((0, 1, 1, 2, 5)))] for _ in range(dice.randint(0, 3))
            ]
            if dice.random() < 0.5:
                return " ".join(["step_towards", *(word for group in groups for word in group)])
            return " ".join(["first_step", " / ".join(" ".join(group) for group in groups)]).strip()


def letter(dice: Random) -> str:
    return dice.choice("ULDR" * 5 + "AAN" + "Xu")


def cell(dice: Random, size: int) -> str:
    """`X Y`, sometimes off the field."""
    if dice.random() < 0.1:
        return f"{dice.randint(-2, size + 1)} {dice.randint(-2, size + 1)}"
    return f"{dice.randrange(size)} {dice.randrange(size)}"
