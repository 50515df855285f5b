"""The closing table: it never truncates figures, for any names and any width of the terminal."""

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
from referee.contract.clock import Clock, TimeControl
from referee.contract.ranking import Ranked
from referee.match.tally import SeatResult
from referee.terminal.closing_table import print_closing_table

Row = tuple[Ranked, SeatResult]


def row(
    seat: int, rank: float, name: str, points: float, figures: Sequence[int], moves: int, used: float, slowest: float,
    disqualified: str | None = None,
) -> Row:  # fmt: skip
    clock = Clock(TimeControl(1, 1, None))
    clock.used, clock.slowest = used, slowest
    return Ranked(seat, name, rank, points, disqualified), SeatResult(clock, list(figures), moves)


ROWS = [
    row(2, 1, "Greedy", 1234567, (12, 3), 1200, 31.4, 0.412),
    row(0, 2, "[bold]Bee[/]", 3.5, (0, 0), 17, 0.5, 0.00041, "timeout: \x1b[2Jno answer within 1 s [/red]"),
]

TITLES = ("delivered", "bitten")
ANTS = ("taken", "put down", "dropped", "bites")
CROWD = [
    row(0, 1, "Trailblazer", 142, (201, 145, 56, 254), 7103, 10.3, 0.041),
    row(11, 2.5, "A name as long as it may be", 120.25, (159, 130, 22, 2299), 9377, 1.0, 0.0003),
    row(2, 2.5, "Forager", 120.25, (109, 73, 36, 0), 4581, 0.5, 0.001),
]


def printed(console: Console, rows: list[Row], titles: Sequence[str] = TITLES, **more: bool) -> str:
    seats: Any = {line.seat: seat for line, seat in rows}
    print_closing_table([line for line, _ in rows], seats, titles, console, **more)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_the_closing_table_on_a_pipe(plain: Callable[..., Console]) -> None:
    assert printed(plain(110), ROWS).splitlines() == [
        "rank  name             points  delivered  bitten  moves   time  slowest",
        "   1  3 Greedy        1234567         12       3   1200  31.4s    412ms",
        "   2  1 [bold]Bee[/]      3.5          0       0     17  500ms   0.41ms",
        "1 [bold]Bee[/]: disqualified: timeout: \ufffd[2Jno answer within 1 s [/red]",
    ]


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_name_cannot_imitate_a_row(plain: Callable[..., Console], ascii_only: bool) -> None:
    line, seat = ROWS[0]
    rows = [(replace(line, name="1 bot  | winner"), seat), (replace(line, seat=3, name="x | 99\u3000 | 7"), seat)]
    text = printed(plain(110), rows, ascii_only=ascii_only)
    bar = "?" if ascii_only else "¦"
    assert f" 1 bot {bar} winner " in text
    assert f" x {bar} 99 {bar} 7 " in text


@pytest.mark.parametrize("width", [1, 20, 40, 60, 80, 200])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_numbers_and_verdicts_are_complete_at_any_width(plain, width, ascii_only):
    text = printed(plain(width), ROWS, ascii_only=ascii_only)
    for figure in ("1234567", "1200", "31.4s", "412ms", "0.41ms", "delivered", "Greedy"):
        assert figure in text
    assert "noanswerwithin1s[/red]" in "".join(text.split())


def test_a_wide_table_wraps_its_headings_and_truncates_its_names(plain: Callable[..., Console]) -> None:
    assert printed(plain(100), CROWD, ANTS).splitlines() == [
        "rank  name                            points  taken  put down  dropped  bites  moves   time  slowest",
        "   1  1 Trailblazer                      142    201       145       56    254   7103  10.3s     41ms",
        "  2=  12 A name as long as it may be  120.25    159       130       22   2299   9377  1.00s   0.30ms",
        "  2=  3 Forager                       120.25    109        73       36      0   4581  500ms   1.00ms",
    ]
    assert printed(plain(80), CROWD, ANTS).splitlines() == [
        "                                      put",
        "rank  name            points  taken  down  dropped  bites  moves   time  slowest",
        "   1  1 Trailblazer      142    201   145       56    254   7103  10.3s     41ms",
        "  2=  12 A name as …  120.25    159   130       22   2299   9377  1.00s   0.30ms",
        "  2=  3 Forager       120.25    109    73       36      0   4581  500ms   1.00ms",
    ]


def test_names_keep_eight_columns_even_if_lines_exceed_a_narrow_terminal(plain: Callable[..., Console]) -> None:
    assert printed(plain(40), CROWD, ANTS).splitlines()[2:] == [
        "   1  1 Trailbl…      142    201   145       56    254   7103  10.3s     41ms",
        "  2=  12 A name …  120.25    159   130       22   2299   9377  1.00s   0.30ms",
        "  2=  3 Forager    120.25    109    73       36      0   4581  500ms   1.00ms",
    ]


@pytest.mark.parametrize("name", games.names())
@settings(max_examples=12)
@given(st.data(), st.integers(100, 130), st.booleans(), st.booleans())
def test_any_table_of_any_game_fits_a_wide_terminal(name, data, width, terminal, ascii_only):
    titles = [column.title for column in games.find(name).columns]
    names = st.text(max_size=32) | st.text("日本語表示名前", max_size=16) | st.text("\u0301\u200bx", max_size=32)
    figure = st.integers(0, 99_999)
    rows_of = st.builds(
        row, seat=st.integers(0, 63), rank=st.sampled_from([1, 2.5, 64]), name=names,
        points=figure | st.sampled_from([0.33, 12.25]), figures=st.tuples(*[figure] * len(titles)), moves=figure,
        used=st.floats(0, 9999), slowest=st.floats(0, 999), disqualified=st.none() | st.just("timeout"),
    )  # fmt: skip
    rows = data.draw(st.lists(rows_of, min_size=1, max_size=8, unique_by=lambda drawn: drawn[0].seat))
    console = Console(
        file=io.StringIO(), width=width, force_terminal=terminal, color_system="truecolor" if terminal else None
    )
    text = Text.from_ansi(printed(console, rows, titles, ascii_only=ascii_only)).plain
    assert max(map(cell_len, text.splitlines())) <= width
    if ascii_only:
        assert text.isascii()
    words = text.split()
    assert {"rank", "name", "points", "moves", "time", "slowest", *" ".join(titles).split()} <= set(words)
    for _, seat in rows:
        assert {str(figure) for figure in (*seat.figures, seat.moves)} <= set(words)


def test_the_table_has_colour_only_if_the_console_has(plain: Callable[..., Console]) -> None:
    colour = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor", no_color=False)
    assert "\x1b[" in printed(colour, ROWS)
    mono = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor", no_color=True)
    assert "38;2" not in printed(mono, ROWS)
