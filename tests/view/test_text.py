from __future__ import annotations

import io
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from referee.view.text import ClosingRow, frame_text, print_closing_table

ROWS = [
    ClosingRow(2, 1, "Greedy", 1234567, (12, 3), 1200, 31.4, 0.412),
    ClosingRow(0, 2, "[bold]Bee[/]", 3.5, (0, 0), 17, 0.5, 0.00041, "timeout: \x1b[2Jno answer within 1 s [/red]"),
]


def printed(console: Console, rows: list[ClosingRow], **more: bool) -> str:
    print_closing_table(rows, ("delivered", "bitten"), console, **more)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_a_frame_as_text(toy: SimpleNamespace) -> None:
    assert frame_text(toy.board(6, 5, 2, ["Greedy", "\x1b[31mБи"])) == (
        "round 12 of 300\n"
        "############\n"
        " .1_1.1> . .\n"
        " . . . . . .\n"
        " .2_2.2> . .\n"
        "############\n"
        "seat  name     points  length  energy\n"
        "   1  Greedy        1       0      12  to move\n"
        "   2  \ufffd[31mБи      10       1      12\n"
    )


def test_a_frame_as_text_has_no_escape_codes_and_can_be_ascii(toy: SimpleNamespace) -> None:
    text = frame_text(toy.board(31, 31, 8, ["\x1b[0m\x9b1m", "日本"]), ascii_only=True)
    assert text.isascii()
    assert "\x1b" not in text
    assert "disqualified: timeout" in text


def test_the_closing_table_on_a_pipe(plain: Callable[..., Console]) -> None:
    text = printed(plain(110), ROWS)
    lines = text.splitlines()
    assert lines[1].replace("|", " ").split() == [
        "rank", "name", "points", "delivered", "bitten", "moves", "time", "slowest", "verdict",
    ]  # fmt: skip
    assert lines[3].replace("|", " ").split() == ["1", "3", "Greedy", "1234567", "12", "3", "1200", "31.4s", "412ms"]
    assert "1 [bold]Bee[/]" in text
    assert "timeout:" in text
    assert "\x1b" not in text
    assert text.replace("\ufffd", "").isascii()


@pytest.mark.parametrize("width", [1, 20, 40, 60, 80, 200])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_numbers_and_verdicts_are_whole_at_any_width(
    plain: Callable[..., Console], width: int, ascii_only: bool
) -> None:
    text = printed(plain(width), ROWS, ascii_only=ascii_only)
    for figure in ("1234567", "1200", "31.4s", "412ms", "0.41ms", "delivered", "Greedy"):
        assert figure in text
    column = "".join(line.split("|")[-2] if "|" in line else line for line in text.splitlines())
    assert "noanswerwithin1s[/red]" in column.replace(" ", "")


def test_a_narrow_terminal_has_its_verdicts_below(plain: Callable[..., Console]) -> None:
    text = printed(plain(86), ROWS)
    assert "verdict" not in text
    assert text.splitlines()[-1] == "1 [bold]Bee[/]: timeout: \ufffd[2Jno answer within 1 s [/red]"


@pytest.mark.parametrize("width", [1, 20, 50, 72, 80, 200])
def test_numbers_are_whole_on_any_terminal(width: int) -> None:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system="truecolor", no_color=True)
    text = printed(console, ROWS)
    for figure in ("1234567", "1200", "31.4s", "412ms", "0.41ms", "delivered", "slowest", "moves", "Greedy"):
        assert figure in text
    assert "…" not in text


@pytest.mark.parametrize("width", range(84, 130))
@pytest.mark.parametrize("color_system", [None, "truecolor"])
def test_no_line_is_wider_than_a_terminal_that_has_room(width: int, color_system: Any) -> None:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=color_system, no_color=False)
    text = Text.from_ansi(printed(console, ROWS)).plain
    assert all(cell_len(line) <= width for line in text.splitlines())


def test_without_a_verdict_there_is_no_such_column(plain: Callable[..., Console]) -> None:
    text = printed(plain(40), ROWS[:1])
    assert "verdict" not in text
    assert "1234567" in text


def test_colour_only_where_there_is_some(plain: Callable[..., Console]) -> None:
    colour = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor", no_color=False)
    assert "\x1b[" in printed(colour, ROWS)
    mono = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor", no_color=True)
    assert "38;2" not in printed(mono, ROWS)
