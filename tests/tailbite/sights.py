"""Helpers for tests of programs: drawn windows, programs with one chart, random windows and random charts."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from referee.contract.game import Request
from referee.tailbite.sight import SIDE, FixedSight, Options, Sight

ROWS = 7


def window(drawing: str) -> bytes:
    """The window around a drawing with an odd number of rows and the head in the middle. All other cells are empty."""
    rows = drawing.split()
    assert len(rows) % 2 == 1
    assert rows[len(rows) // 2][len(rows[0]) // 2] == "H"
    rows = [row.center(SIDE, ".") for row in rows]
    above = (SIDE - len(rows)) // 2
    whole = ["." * SIDE] * above + rows + ["." * SIDE] * above
    return "".join(whole).encode()


def asked(seen: bytes, options: Options | None = None) -> Request[Sight]:
    """The request for a move to a player that sees this window."""
    return Request(0, "getAction", FixedSight(seen, options or Options()))


def chart(heading: str, rows: str) -> str:
    """A heading and seven rows: the given rows, then empty ones."""
    lines = [" ".join(row.split()) for row in rows.strip().splitlines()]
    return "\n".join([heading, *lines, *[" ".join(["--"] * ROWS)] * (ROWS - len(lines))])


def program(*charts: str, sets: str = "", name: str = "Tried") -> bytes:
    """A program's text."""
    return "\n\n".join([f"name: {name}{sets and chr(10) + sets}", *charts, ""]).encode()


@st.composite
def windows(draw: st.DrawFn) -> bytes:
    """A window with the head in the middle. It is crowded enough for patterns to match sometimes."""
    letters = draw(st.sampled_from(["." * 8 + "WSTXYYZ", ".SZ", "....SSSWYYYZZTX", ".WSTXYZ"]))
    chance = Random(draw(st.integers(0, 1 << 32)))  # a draw for each cell would take long
    cells = [letters[int(chance.random() * len(letters))] for _ in range(SIDE * SIDE)]
    cells[len(cells) // 2] = "H"
    if draw(st.booleans()):  # two or more possible moves, as in every request of a match
        for beside in draw(st.sets(st.sampled_from([71, 83, 85, 97]), min_size=2, max_size=3)):
            cells[beside] = draw(st.sampled_from(".Z"))
    return "".join(cells).encode()


@st.composite
def charts(draw: st.DrawFn, heading: str, letters: str, groups: str) -> str:
    """A chart with few or many patterns. Its head is on any cell and points in any direction."""
    cells = [["--"] * ROWS for _ in range(ROWS)]
    cell = st.tuples(st.integers(0, ROWS - 1), st.integers(0, ROWS - 1))
    some = draw(st.sampled_from([groups, groups[:2], groups[-2:], groups[0]]))
    pattern = st.tuples(cell, st.sampled_from(letters), st.sampled_from(some))
    for (x, y), letter, group in draw(st.lists(pattern, max_size=draw(st.sampled_from([2, 6, 40])))):
        cells[y][x] = letter + group
    x, y = draw(st.sampled_from([(3, 3), (3, 6), draw(cell)]))
    cells[y][x] = draw(st.sampled_from(["^^", ">>", "vv", "<<"]))
    return "\n".join([heading, *(" ".join(row) for row in cells)])


def grids(text: str) -> list[list[list[str]]]:
    """The eight variants of a chart's seven rows: each rotation, and its mirror image."""
    grid = [row.split() for row in text.strip().splitlines()]
    result = []
    for _ in range(4):
        result.append(grid)
        result.append([[{">>": "<<", "<<": ">>"}.get(cell, cell) for cell in reversed(row)] for row in grid])
        turned = {"^^": ">>", ">>": "vv", "vv": "<<", "<<": "^^"}
        grid = [[turned.get(cell, cell) for cell in row] for row in zip(*grid[::-1], strict=True)]
    return result


def laid(grid: list[list[str]], seen: bytes) -> tuple[str, list[tuple[str, str]]]:
    """The move of a variant, and for each of its patterns the text and the letter of the window below it."""
    heads = {"^^": "U", "<<": "L", "vv": "D", ">>": "R"}
    ((hx, hy),) = [(x, y) for y in range(ROWS) for x in range(ROWS) if grid[y][x] in heads]
    pairs = [
        (grid[y][x], chr(seen[(6 + y - hy) * SIDE + 6 + x - hx]))
        for y in range(ROWS)
        for x in range(ROWS)
        if grid[y][x] != "--" and (x, y) != (hx, hy)
    ]
    return heads[grid[hy][hx]], pairs


def elements(letter: str, sets: dict[str, str]) -> set[str]:
    """The letters of a window that match a program's letter."""
    capital = letter.upper()
    matching = set(sets[capital]) if capital in sets else {"." if capital == "V" else capital}
    return matching if letter == capital else set(".WSTXYZ") - matching


def moves(seen: bytes) -> str:
    """The possible moves, computed as the rules say it."""
    beside = {"U": chr(seen[71]), "L": chr(seen[83]), "D": chr(seen[97]), "R": chr(seen[85])}
    two_long = "S" not in beside.values()
    return "".join(letter for letter, there in beside.items() if there in ".Z" or (there == "T" and not two_long))
