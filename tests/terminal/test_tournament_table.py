"""The table of a tournament: nothing is cut in a pipe, and 80 columns are enough on a terminal."""

import io
from typing import Any

import pytest
from rich.console import Console

from referee.terminal.console import Terminal
from referee.terminal.palette import Look
from referee.terminal.tournament_table import show

ROW = {
    "rank": 1, "number": 0, "name": "A bot with a long name", "called": None, "entrant": "c", "matches": 12345,
    "series": 3000, "score": 1.0, "possible": 3, "percent": 98.76, "points": 1234567.0, "mean": 98.2, "wins": 12345,
    "faults": {"exit": 12, "timeout": 3}, "rating": -0.2, "rating_low": -123.4, "rating_high": 123.0,
    "p50_ms": 1.0, "p99_ms": 987.6,
}  # fmt: skip
OWN = {"tour_points": 12.25, "byes": 2, "out": None}


def printed(row: dict[str, Any], columns: int | None, *notes: str) -> list[str]:
    """The lines on a terminal of this many columns, or in a pipe."""
    out = io.StringIO()
    console = Console(file=out, width=columns or 80, force_terminal=columns is not None, color_system=None)
    document = {
        "name": "Cup", "game": "snakecore", "format": "swiss", "over": False, "matches": 9, "series": 3, "table": [row],
    }  # fmt: skip
    show(document, Terminal(console, Look(), interactive=False), notes)
    return out.getvalue().splitlines()


def test_a_pipe_gets_every_column_in_full() -> None:
    title, head, line = printed(ROW | OWN, None)
    assert title == "Cup: snakecore, swiss, 9 matches in 3 series, not over yet"
    assert head.split("  ")[0] == "rank"
    assert line.split("  ")[-1].strip() == "-"
    figures = ("A bot with a long name", "98.8", "1234567", "98.2", "12345", " 15 ", " 0 ", "123", "987.6", "12.25")
    for figure in figures:
        assert figure in line


def test_a_pipe_gets_long_names_and_ids_in_full() -> None:
    name, id_ = "Clara Émilie " * 12, "clara.santos@students.example.org"
    _, _, line = printed(ROW | OWN | {"id": id_, "name": name, "called": "Питон"}, None)
    assert f"{name} (Питон)" in line
    assert id_ in line


@pytest.mark.parametrize(("row", "spared"), [(ROW, False), (ROW | OWN, True), (ROW | {"id": "e" * 60}, False)])
def test_a_terminal_of_80_columns_shows_the_figures_in_full(row: dict[str, Any], *, spared: bool) -> None:
    _, head, line = printed(row, 80)
    assert len(line) <= 80
    assert "…" not in head
    for figure in ("98.8", " 15 ", "123"):
        assert figure in line
    assert ("mean" in head) is not spared
    assert "points" not in head.replace("tour points", ""), "the mean says the same"
    assert "id" not in head.split(), "it is long, and in --json"


def test_a_name_that_the_player_answers_stands_beside_another_one_and_notes_stand_below() -> None:
    _, _, line, note = printed(ROW | {"name": "fs", "called": "Питон №1"}, None, "Same content: fs, gs.")
    assert "fs (Питон №1)" in line
    assert note == "Same content: fs, gs."
    assert "fs#2  " in printed(ROW | {"name": "fs#2", "called": "fs"}, None)[2], "a number makes no other name"
