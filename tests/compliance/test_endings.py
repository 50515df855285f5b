"""Which line of a log is told of a program that ended."""

import pytest

from referee.compliance.endings import telling

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
        (CPP, "terminate called after throwing an instance of 'std::out_of_range'"),
        (RUST, "thread 'main' panicked at main.rs:3:5:"),
        (PASCAL, "ERangeError: Range check error"),
        ("one\ntwo\n  three", "two"),
        ("  one\n  two", "  two"),
        ("", ""),
    ],
    ids=["python", "java", "node", "cpp", "rust", "pascal", "margin", "none", "blank"],
)
def test_the_line_that_says_most(log, line):
    assert telling(log.split("\n")) == line
