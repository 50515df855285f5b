"""Patterns of files: what `*`, `**` and a folder's name stand for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.bots.patterns import belongs, check


@pytest.mark.parametrize(
    ("pattern", "fits", "fits_not"),
    [
        ("main.py", ["main.py"], ["a/main.py", "main.pyc", "xmain.py", "mainxpy"]),
        ("*.py", ["a.py", ".py"], ["a/b.py", "a.pyc"]),
        ("data", ["data", "data/a", "data/b/c"], ["data2", "x/data"]),
        ("data/", ["data/a"], ["database"]),
        ("data/*.txt", ["data/a.txt"], ["data/b/a.txt", "a.txt"]),
        ("**/*.h", ["a.h", "a/b.h", "a/b/c.h"], ["a.hpp"]),
        ("src/**", ["src/a", "src/a/b"], ["srcs/a"]),
        ("a?c", ["abc", "a.c"], ["ac", "a/c", "abbc"]),
        ("[a].py", ["[a].py"], ["a.py"]),
        ("a**b", ["ab", "axxb"], ["a/b"]),
    ],
)
def test_what_fits(pattern, fits, fits_not):
    check(pattern)
    assert [name for name in [*fits, *fits_not] if belongs(name, [pattern])] == fits


@pytest.mark.parametrize("pattern", ["", "/", "/a", "a//b", "./a", "a/../b", "..", "a\nb", "x" * 201])
def test_what_is_no_pattern(pattern):
    with pytest.raises(ValueError, match="name"):
        check(pattern)


@given(st.text(alphabet="ab*/?.", min_size=1, max_size=12), st.text(alphabet="ab/.", min_size=1, max_size=12))
def test_a_pattern_without_stars_fits_itself_and_what_is_below(pattern, name):
    try:
        check(pattern)
    except ValueError:
        return
    if not set(pattern) & set("*?"):
        own = pattern.removesuffix("/")
        assert belongs(name, [pattern]) == (name == own or name.startswith(f"{own}/"))
    else:
        belongs(name, [pattern])
