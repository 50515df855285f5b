"""Values as text of a known width: numbers, seconds, and untrusted text, escaped and cut.

Widths are terminal columns, not characters: a name may have wide, combining and zero-width characters.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from math import ceil
from typing import Final

from rich.cells import cell_len, chop_cells

from referee.text.words import harmless, row_name

_MARK: Final = re.compile(r"#\d{1,3}$")


def number(value: float) -> str:
    """A score or a rank: whole numbers without a point, others with at most two decimals."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    return str(int(value)) if value == int(value) else f"{value:.2f}".rstrip("0").rstrip(".")


def lapse(seconds: float) -> str:
    """A time span in at most six columns (up to 99,999 s): `0.41ms`, `12ms`, `1.24s`, `31.5s`, `118s`."""
    if seconds < 0.009995:
        return f"{seconds * 1000:.2f}ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f}ms"
    if seconds < 9.995:
        return f"{seconds:.2f}s"
    return f"{seconds:.1f}s" if seconds < 99.95 else f"{seconds:.0f}s"


def clean(text: str, ascii_only: bool = False) -> str:
    """Untrusted text for one line: without control characters, and with `ascii_only` in printable ASCII."""
    text = harmless(text)
    return text.encode("ascii", "replace").decode() if ascii_only else text


def clean_name(name: str, ascii_only: bool = False) -> str:
    """An untrusted name for a row of a table, where it must not look like other cells."""
    return clean(row_name(name), ascii_only)


def cut_name(name: str, width: int, ascii_only: bool = False) -> str:
    """A name cut to at most `width` columns; a number such as `#2` at its end stays."""
    mark = _MARK.search(name)
    if mark is None or cell_len(name) <= width or width <= len(mark[0]) + 1:
        return cut(name, width, ascii_only)
    return cut(name[: mark.start()], width - len(mark[0]), ascii_only) + mark[0]


def cut(text: str, width: int, ascii_only: bool = False) -> str:
    """At most `width` columns of `text`; the last column of a cut text is `…`, or `~` in ASCII."""
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    kept: list[str] = []
    used = 1
    for character in text:
        used += cell_len(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + ("~" if ascii_only else "…")


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


def aligned(rows: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Rows of cells as lines with aligned columns; the columns `left` are aligned to the left, the others to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            fit(cell, width, right=column not in left)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def bar(part: float, width: int, ascii_only: bool = False) -> tuple[str, str]:
    """A bar of `width` columns as its full and its empty part, rounded up: only 0 is empty."""
    part = min(1.0, max(0.0, part))
    full = ceil(part * width)
    return ("#" if ascii_only else "█") * full, ("-" if ascii_only else "░") * (width - full)
