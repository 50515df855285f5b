"""The file that results are kept in: a head that people write, a mark, and below it what a run writes. Pure."""

from __future__ import annotations

from typing import Final

MARK: Final = "<!-- What stands below this line is written by scripts/bench --markdown. -->"


def with_results(text: str, results: str) -> str:
    """The document with its results replaced; where it has no mark yet they are put at its end.

    Raises:
        ValueError: there is more than one mark.
    """
    if text.count(MARK) > 1:
        raise ValueError(f"there is more than one line {MARK!r}")
    head = text.partition(MARK)[0].rstrip("\n")
    return f"{head}\n\n{MARK}\n\n{results.strip()}\n".lstrip("\n")
