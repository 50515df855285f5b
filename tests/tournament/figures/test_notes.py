"""What a reader of a table must know: bots of the same content, and ratings that compare strangers."""

from __future__ import annotations

from typing import Any

from referee.tournament.figures.table import linked, notes


def document(names: str, met: str, twins: dict[int, list[int]] | None = None) -> dict[str, Any]:
    """A table of bots with one-letter names, and the pairs that met, such as `ab cd`."""
    rows = [
        {"number": number, "name": name, "twins": (twins or {}).get(number, []), "matches": 2}
        for number, name in enumerate(names)
    ]
    return {"over": False, "table": rows, "cross": [{"a": names.index(a), "b": names.index(b)} for a, b in met.split()]}


def test_bots_that_all_met_need_no_note() -> None:
    assert list(notes(document("abc", "ab bc"))) == []


def test_pairs_that_nothing_links() -> None:
    assert list(notes(document("abcd", "ac bd"))) == [
        "No matches link these 2 groups of bots, so ratings compare strangers: a, c | b, d."
    ]
    many = document("abcdefghijkl", "ab cd ef gh ij kl")
    assert list(notes(many)) == [
        "No matches link these 6 groups of bots, so ratings compare strangers: a, b | c, d | e, f | g, h | 2 more."
    ]


def test_at_the_end_the_note_says_what_links_them() -> None:
    [note] = notes({**document("abcd", "ac bd"), "over": True})
    assert note.endswith(": a, c | b, d. More series of each bot link them: a new tournament with a larger `each`.")


def test_a_bot_that_left_links_its_rivals() -> None:
    left = document("abc", "ab bc")
    del left["table"][1]
    assert list(notes(left)) == []


def test_bots_of_the_same_content_are_named_once() -> None:
    assert list(notes(document("abc", "ab bc", {0: [2], 2: [0]}))) == ["Same content: a, c."]


def test_groups_are_linked_by_chains() -> None:
    assert linked([(0, 5), (2, 3), (5, 3), (1, 4)]) == [{0, 2, 3, 5}, {1, 4}]
