"""The part of a compiler's output that is shown: short output completely, long output from the first error, with the log's
name."""

import re
from pathlib import Path

import pytest

from referee.building.failure import SHOWN, WIDTH, excerpt

ERROR = re.compile("error:")
LOG = Path("/cache/build.log")


def numbered(first: int, last: int) -> list[str]:
    return [f"line {number}" for number in range(first, last + 1)]


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ([], []),
        (["a", "b"], ["a", "b"]),
        (["note", "x: error: y", "z"], ["note", "x: error: y", "z"]),
        (["note"] * SHOWN + ["x: error: y"], ["x: error: y", "… 20 more lines in /cache/build.log"]),
        (numbered(1, SHOWN), numbered(1, SHOWN)),
        (numbered(1, SHOWN + 7), [*numbered(1, SHOWN), "… 7 more lines in /cache/build.log"]),
        ([*numbered(1, 100), "error: last"], ["error: last", "… 100 more lines in /cache/build.log"]),
    ],
)
def test_what_is_shown(lines, shown):
    assert excerpt("".join(f"{line}\n" for line in lines), ERROR, LOG) == shown


def test_long_lines_are_cut_and_controls_are_shown_harmless():
    (line,) = excerpt("error: " + "x" * 10_000 + "\x1b[2J", ERROR, LOG)
    assert len(line) < WIDTH + 50
    assert line.isprintable()


def test_without_a_log_no_place_is_told():
    assert excerpt("a\n" * 30, ERROR, None)[-1] == "… 10 more lines"
