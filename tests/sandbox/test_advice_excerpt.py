"""Which line of a log is quoted for a program that ended, and which lines are shown."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.sandbox.advice import LINES, excerpt, most_telling_line

PYTHON = """\
Traceback (most recent call last):
  File "/bot/main.py", line 3, in <module>
    area.me.body[0]
IndexError: tuple index out of range"""
JAVA = """\
Exception in thread "main" java.lang.IndexOutOfBoundsException: Index 0 out of bounds for length 0
\tat java.base/java.util.Objects.checkIndex(Objects.java:385)
\tat Crash.getAction(Crash.java:3)
\tat JBot.main(JBot.java:55)"""
NODE = """\
/bot/main.js:7
  return area.me.body[0].x;
                         ^

TypeError: Cannot read properties of undefined (reading 'x')
    at choose (/bot/main.js:7:26)

Node.js v20.20.2"""
CPP = """\
terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 0) >= this->size() (which is 0)"""
RUST = """\
thread 'main' panicked at main.rs:3:5:
index out of bounds: the len is 0 but the index is 0
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"""
NODE_MEMORY = "\n".join([
    "<--- JS stacktrace --->",
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    "----- Native stack trace -----",
    *[f"{number:2}: 0xe52b06 node::OOMErrorHandler [/usr/bin/node]" for number in range(1, 20)],
])  # fmt: skip
OUT_OF_MEMORY = "Caused by: java.lang.OutOfMemoryError: Java heap space"
PASCAL = """\
An unhandled exception occurred at $0000000000401A2B:
ERangeError: Range check error
  $0000000000401A2B"""


@pytest.mark.parametrize(
    ("log", "line"),
    [
        (PYTHON, "IndexError: tuple index out of range"),
        (JAVA, 'Exception in thread "main" java.lang.IndexOutOfBoundsException: Index 0 out of bounds for length 0'),
        (NODE, "TypeError: Cannot read properties of undefined (reading 'x')"),
        (CPP, " ".join(line.strip() for line in CPP.split("\n"))),
        (RUST, " ".join(RUST.split("\n")[:2])),
        (NODE_MEMORY, NODE_MEMORY.split("\n")[1]),
        (PASCAL, "ERangeError: Range check error"),
        (f"{JAVA}\nCaused by: java.lang.OutOfMemoryError: Java heap space\n\tat A.b(A.java:1)\n\t... 3 more", OUT_OF_MEMORY),
        ("\n".join([NODE.split("\n\n")[1], *["    at f (/bot/main.js:1:1)"] * 9, "Node.js v20.20.2"]), NODE.split("\n")[4]),
        ("/bot/x.js:3\nthrow 'boom'\n^\nboom\n(Use `node --trace-uncaught ...` to show where)\n\nNode.js v20.20.2", "boom"),
        ("Runtime error 201 at $00401106\n  $0000000000401106\n$0000000000401222", "Runtime error 201 at $00401106"),
        ("out of luck\nat Bot.choose(Bot.java:3)\n... 12 more\n{\n});\n   ^\n^~~~", "out of luck"),
        ("panic: no way\n\ngoroutine 1 [running]:\nmain.main()\n\t/bot/main.go:7 +0x1d", "panic: no way"),
        (f"an error long ago\n{chr(10).join(['thinking'] * 12)}", "thinking"),
        ("one\ntwo\n  three", "two"),
        ("  one\n  two", "  two"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_quoted_line_of_a_log(log, line):
    assert most_telling_line(log.split("\n")) == line


def test_a_short_log_is_shown_as_it_is_and_an_empty_one_gives_nothing():
    assert most_telling_line([]) == ""
    assert excerpt([], lines=6, width=80) == []
    assert excerpt(PYTHON.split("\n"), lines=6, width=80) == PYTHON.split("\n")
    assert excerpt(["one", "two", "three"], lines=2, width=80) == ["two", "three"]


def test_equal_lines_in_a_row_are_shown_once():
    log = ["started", *["no path"] * 500, "retry", "no path"]
    assert excerpt(log, lines=6, width=80) == ["started", "no path (500 times)", "retry", "no path"]


def test_an_excerpt_starts_at_the_cause_if_the_last_lines_do_not_include_it():
    frames = [f"\tat Deep.call(Deep.java:{number})" for number in range(1024)]
    log = ["thinking", "java.lang.StackOverflowError", *frames]
    assert excerpt(log[-LINES:], lines=6, width=80) == [
        "java.lang.StackOverflowError",
        "    at Deep.call(Deep.java:0)",
        "    at Deep.call(Deep.java:1)",
        "… (1019 left out)",
        "    at Deep.call(Deep.java:1021)",
        "    at Deep.call(Deep.java:1022)",
        "    at Deep.call(Deep.java:1023)",
    ]
    assert excerpt(log[:7], lines=6, width=80)[0] == "java.lang.StackOverflowError"
    assert len(excerpt(log[:7], lines=6, width=80)) == 6


def test_calls_inside_libraries_are_left_out_after_a_cause():
    calls = [f"\tat java.base/java.util.ArrayList.get(ArrayList.java:{number})" for number in range(5)]
    own, tail = "\tat Bot.choose(Bot.java:3)", [f"\tat Bot.play(Bot.java:{number})" for number in range(7)]
    assert excerpt([JAVA.split("\n")[0], *calls, own, *tail], lines=6, width=120) == [
        line.expandtabs(4) for line in (JAVA.split("\n")[0], own, tail[0], "… (8 left out)", *tail[-3:])
    ]


def test_a_place_above_a_cause_is_shown_if_no_call_names_one():
    """Node names a line that it cannot parse only there."""
    calls = [f"    at Module.load (node:internal/modules/cjs/loader:{number})" for number in range(7)]
    place, cause = "/bot/main.js:20", "SyntaxError: Unexpected token"
    log = ["loading", place, "  let best", "  ^^^", cause, *calls, "Node.js v20.20.2"]
    assert excerpt(log, lines=6, width=80) == [place, cause, "… (6 left out)", *log[-4:]]


LIBRARY = '  File "/usr/lib/python3.11/subprocess.py", line 1026, in __init__\n    self._execute_child(args)'


def test_an_excerpt_starts_at_the_bots_line_if_the_last_calls_are_inside_libraries():
    log = [*PYTHON.split("\n")[:3], *(LIBRARY.split("\n") * 4), "PermissionError: [Errno 1] Operation not permitted"]
    assert excerpt(log, lines=6, width=80) == [*PYTHON.split("\n")[1:3], "… (5 left out)", *log[-4:]]
    late = [*log, "Traceback (most recent call last):", *(LIBRARY.split("\n") * 4), log[-1]]
    assert excerpt(late, lines=6, width=80) == late[-6:]  # the bot's line belongs to an earlier traceback


def test_a_long_line_keeps_both_ends():
    assert excerpt(["IndexError: " + "x" * 500 + " in main.py"], lines=6, width=60) == [
        "IndexError: xxxxxxxxxxxxxxxxxx … xxxxxxxxxxxxxxxxxxx in main.py (523 characters)"
    ]


@given(st.lists(st.text() | st.sampled_from(["\tat f", "Error: x", "}", "\x1b[31m"]), max_size=40), st.integers(2, 12))
def test_an_excerpt_is_printable_and_within_its_limit(words, lines):
    words = [line for line, _ in groupby(words)]
    shown = excerpt(words, lines=lines, width=40)
    assert len(shown) == len(words) if len(words) <= lines else lines <= len(shown) <= lines + 1
    assert all(line.isprintable() or not line for line in shown)
    if words:
        assert excerpt([most_telling_line(words)], lines=1, width=40)[0] in shown


def test_a_short_excerpt_begins_with_the_cause_and_not_with_its_place():
    words = ["/bot/main.js:3", "let x = ;", "SyntaxError: Unexpected token ';'", *(f"    at call{k}" for k in range(9))]
    assert excerpt(words, lines=3, width=80)[0] == "SyntaxError: Unexpected token ';'"
    assert excerpt(words, lines=4, width=80)[0] == "/bot/main.js:3"
