"""Text cut, wrapped and filled to a known width.

Widths are terminal columns, not characters: a name may have wide, combining and zero-width characters.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from rich.cells import cell_len, chop_cells

GAP: Final = 2
"""Blanks between the columns of a table."""


def cut(text: str, width: int, ascii_only: bool = False) -> str:
    """At most `width` columns of `text`; the last column of a cut text is `…`, or `~` in ASCII."""
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    # Not by `chop_cells`: its pieces are too wide if a zero-width joiner stands alone.
    start = ""
    used = 1
    for character in text:
        used += cell_len(character)
        if used > width:
            break
        start += character
    return start + ("~" if ascii_only else "…")


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken at blanks, or within words that are longer. At least one line."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = chop_cells(word, width) or [""]
        lines += full
    return [*lines, line] if line or not lines else lines


def fit(text: str, width: int, ascii_only: bool = False, *, right: bool = False) -> str:
    """Exactly `width` columns of `text`: cut, or filled with blanks, on the left with `right`."""
    text = cut(text, width, ascii_only)
    fill = " " * (width - cell_len(text))
    return fill + text if right else text + fill


def align(rows: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Rows of cells as lines with aligned columns; the columns `left` are aligned to the left, the others to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [fit(cell, widths[column], right=column not in left) for column, cell in enumerate(row)]
        lines.append((" " * GAP).join(cells).rstrip())
    return lines
