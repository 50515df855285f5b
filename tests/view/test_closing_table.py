"""The closing table of a match: figures are never cut, for all players and any width of the terminal."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from referee import games
from referee.view.closing_table import ClosingRow, print_closing_table

ROWS = [
    ClosingRow(2, 1, "Greedy", 1234567, (12, 3), 1200, 31.4, 0.412),
    ClosingRow(0, 2, "[bold]Bee[/]", 3.5, (0, 0), 17, 0.5, 0.00041, "timeout: \x1b[2Jno answer within 1 s [/red]"),
]


TITLES = ("delivered", "bitten")
ANTS = ("taken", "put down", "dropped", "bites")
CROWD = [
    ClosingRow(0, 1, "Trailblazer", 142, (201, 145, 56, 254), 7103, 10.3, 0.041),
    ClosingRow(11, 2.5, "A name as long as it may be", 120.25, (159, 130, 22, 2299), 9377, 1.0, 0.0003),
]


def printed(console: Console, rows: list[ClosingRow], titles: Sequence[str] = TITLES, **more: bool) -> str:
    print_closing_table(rows, titles, console, **more)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


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


@pytest.mark.parametrize("width", [40, 110])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_name_cannot_imitate_a_row(plain: Callable[..., Console], width: int, ascii_only: bool) -> None:
    rows = [replace(ROWS[0], name="1 bot  | winner"), replace(ROWS[0], seat=3, name="x | 99\u3000 | 7")]
    text = printed(plain(width), rows, ascii_only=ascii_only)
    bar = "?" if ascii_only else "¦"
    assert f" 1 bot {bar} winner " in text
    assert f" x {bar} 99 {bar} 7 " in text
    assert len({line.count("|") for line in text.splitlines() if "slowest" in line or "31.4s" in line}) == 1


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
    assert max(map(cell_len, text.splitlines())) <= max(width, 40)


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


@pytest.mark.parametrize("width", range(40, 130))
@pytest.mark.parametrize("color_system", [None, "truecolor"])
def test_no_line_is_wider_than_a_terminal_that_has_room(width: int, color_system: Any) -> None:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=color_system, no_color=False)
    text = Text.from_ansi(printed(console, ROWS)).plain
    assert all(cell_len(line) <= width for line in text.splitlines())


def test_names_give_way_before_the_box_does(plain: Callable[..., Console]) -> None:
    text = printed(plain(100), [replace(ROWS[0], name="x" * 32), ROWS[1]])
    assert "+------+" in text
    assert f"| 3 {'x' * 29}… |" in text
    assert {cell_len(line) for line in text.splitlines() if "|" in line} == {100}


def test_a_wide_table_folds_its_headings_and_cuts_its_names(plain: Callable[..., Console]) -> None:
    assert printed(plain(80), CROWD, ANTS).splitlines() == [
        "                                      put",
        "rank  name            points  taken  down  dropped  bites  moves   time  slowest",
        "----  --------------  ------  -----  ----  -------  -----  -----  -----  -------",
        "   1  1 Trailblazer      142    201   145       56    254   7103  10.3s     41ms",
        " 2.5  12 A name as …  120.25    159   130       22   2299   9377  1.00s   0.30ms",
    ]


def test_what_finds_no_room_stands_in_a_table_of_its_own(plain: Callable[..., Console]) -> None:
    assert printed(plain(64), CROWD, ANTS).splitlines() == [
        "                                             put",
        "rank  name                   points  taken  down  dropped  bites",
        "----  ---------------------  ------  -----  ----  -------  -----",
        "   1  1 Trailblazer             142    201   145       56    254",
        " 2.5  12 A name as long as…  120.25    159   130       22   2299",
        "",
        "name                            moves   time  slowest",
        "------------------------------  -----  -----  -------",
        "1 Trailblazer                    7103  10.3s     41ms",
        "12 A name as long as it may be   9377  1.00s   0.30ms",
    ]
    headings = [line.split() for line in printed(plain(40), CROWD, ANTS).splitlines() if line[:4] in ("rank", "name")]
    assert headings == [
        ["rank", "name", "points", "taken", "down"], ["name", "dropped", "bites", "moves"], ["name", "time", "slowest"],
    ]  # fmt: skip


def test_no_terminal_is_too_narrow_for_three_columns(plain: Callable[..., Console]) -> None:
    tables = [[line for line in printed(plain(width), CROWD, ANTS).splitlines() if line] for width in (1, 39, 40)]
    assert tables[0] == tables[1] == tables[2]


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(40, 130), st.booleans(), st.booleans())
def test_any_table_of_any_game_is_no_wider_than_the_terminal(
    data: st.DataObject, width: int, terminal: bool, ascii_only: bool
) -> None:
    titles = [column.title for column in data.draw(st.sampled_from(games.every())).columns]
    name = st.text(max_size=32) | st.text("日本語表示名前", max_size=16) | st.text("\u0301\u200bx", max_size=32)
    figure = st.integers(0, 99_999)
    row = st.builds(
        ClosingRow, seat=st.integers(0, 63), rank=st.sampled_from([1, 2.5, 64]), name=name,
        points=figure | st.sampled_from([0.33, 12.25]), figures=st.tuples(*[figure] * len(titles)), moves=figure,
        used=st.floats(0, 9999), slowest=st.floats(0, 999), verdict=st.just("") | st.just("disqualified: timeout"),
    )  # fmt: skip
    rows = data.draw(st.lists(row, min_size=1, max_size=8))
    console = Console(
        file=io.StringIO(), width=width, force_terminal=terminal, color_system="truecolor" if terminal else None
    )
    text = Text.from_ansi(printed(console, rows, titles, ascii_only=ascii_only)).plain
    assert max(map(cell_len, text.splitlines())) <= width
    if ascii_only:
        assert text.isascii()
    words = text.replace("|", " ").split()
    assert {"rank", "name", "points", "moves", "time", "slowest", *" ".join(titles).split()} <= set(words)
    for line in rows:
        assert {str(figure) for figure in (*line.figures, line.moves)} <= set(words)


def test_without_a_verdict_there_is_no_such_column(plain: Callable[..., Console]) -> None:
    text = printed(plain(40), ROWS[:1])
    assert "verdict" not in text
    assert "1234567" in text


def test_colour_only_where_there_is_some(plain: Callable[..., Console]) -> None:
    colour = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor", no_color=False)
    assert "\x1b[" in printed(colour, ROWS)
    mono = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor", no_color=True)
    assert "38;2" not in printed(mono, ROWS)
