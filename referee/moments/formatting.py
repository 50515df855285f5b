"""Values as text: numbers, places, times, bars, and untrusted text, escaped."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from referee.text.words import harmless, row_name


def number(value: float) -> str:
    """A score: whole numbers without a point, others with at most two decimals."""
    return str(int(value)) if value == int(value) else f"{value:.2f}".rstrip("0").rstrip(".")


def places(ranks: Sequence[float | None]) -> list[str]:
    """Ranks as people read them: `1`, or `2=` for each of those that share place 2. Empty for a seat that is not ranked.

    Games say a shared rank as the best of its places (2) or as their mean (2.5). Both read the same.

    Args:
        ranks: those of all seats of a match, in any order.
    """
    ranked = [rank for rank in ranks if rank is not None]
    return [
        "" if rank is None else f"{1 + sum(other < rank for other in ranked)}{'=' * (ranked.count(rank) > 1)}"
        for rank in ranks
    ]


def numeral(place: str) -> str:
    """A place before a name in a list: `1.`, `2=`, or `-` for a seat that is not ranked."""
    return f"{place}." if place.isdigit() else place or "-"


def lapse(seconds: float) -> str:
    """A time span in at most six columns (up to 99,999 s): `0.41ms`, `12ms`, `1.24s`, `31.5s`, `118s`."""
    if seconds < 0.009995:
        return f"{seconds * 1000:.2f}ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f}ms"
    if seconds < 9.995:
        return f"{seconds:.2f}s"
    return f"{seconds:.1f}s" if seconds < 99.95 else f"{seconds:.0f}s"


def duration(seconds: float) -> str:
    """A time for people: `1 h 05 min`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def milliseconds(value: float | None) -> str:
    """A time in ms without its unit: `12.3`, or one digit below 0.1, `0.03`. A dash without a time."""
    if value is None:
        return "–"
    return f"{value:.1f}" if value >= 0.1 or not value else f"{value:.1g}"


def clean(text: str, ascii_only: bool = False) -> str:
    """Untrusted text for one line: without control characters, and with `ascii_only` in printable ASCII."""
    text = harmless(text)
    return text.encode("ascii", "replace").decode() if ascii_only else text


def clean_name(name: str, ascii_only: bool = False) -> str:
    """An untrusted name for a row of a table, where it must not look like other cells."""
    return clean(row_name(name), ascii_only)


def bar(part: float, width: int, ascii_only: bool = False) -> tuple[str, str]:
    """A bar of `width` columns as its full and its empty part, rounded up: only 0 is empty."""
    part = min(1.0, max(0.0, part))
    full = ceil(part * width)
    return ("#" if ascii_only else "█") * full, ("-" if ascii_only else "░") * (width - full)
