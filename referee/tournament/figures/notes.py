"""What a reader of a table must know about it, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from referee.text.words import harmless, shorten

SHOWN: Final = 4
"""Names in a list, and groups of names."""


def notes(document: Mapping[str, Any]) -> Iterator[str]:
    """Bots of the same content, and ratings that compare bots which nothing links.

    Args:
        document: as `referee tournament table --json` prints it.
    """
    names = {row["number"]: shorten(harmless(row["name"]), 40) for row in document["table"]}
    for row in document["table"]:
        if row["twins"] and row["number"] < min(row["twins"]):
            yield f"Same content: {_list([names[number] for number in (row['number'], *row['twins'])], ', ')}."
    links = [(pair["a"], pair["b"]) for pair in document["cross"]]
    groups = [sorted(names[number] for number in group & names.keys()) for group in linked(links)]
    groups = [group for group in groups if group]
    if len(groups) > 1:
        texts = [_list(group, ", ") for group in groups]
        more = " More series of each bot link them: a new tournament with a larger `each`." if document["over"] else ""
        yield (
            f"No matches link these {len(groups)} groups of bots, so ratings compare strangers: {_list(texts, ' | ')}."
            f"{more}"
        )


def linked(links: Iterable[tuple[int, int]]) -> list[set[int]]:
    """Numbers in groups, in the order of the lowest: two are in one group if a chain of links leads from one to the other."""
    groups: dict[int, set[int]] = {}
    for start, end in links:
        first, second = (groups.setdefault(number, {number}) for number in (start, end))
        if first is not second:
            first |= second
            groups |= dict.fromkeys(second, first)
    return [group for number, group in sorted(groups.items()) if number == min(group)]


def _list(texts: Sequence[str], between: str) -> str:
    more = len(texts) - SHOWN
    return between.join(texts[:SHOWN]) + (f"{between}{more} more" if more > 0 else "")
