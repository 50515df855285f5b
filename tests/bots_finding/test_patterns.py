"""Patterns of files: what `*`, `**` and a folder's name stand for."""

import pytest
from hypothesis import given, settings
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
        ("a*b*a", ["aba", "abba", "aabxa"], ["aa", "ab", "abab"]),
        ("**/a/**/b", ["a/b", "a/a/b", "x/a/x/y/b", "a/b/c"], ["b", "a", "b/a", "a/xb"]),
        ("**", ["a", "a/b"], []),
        ("*a*", ["a", "bab", "ab/x"], ["b", "b/a"]),
    ],
)
def test_what_fits(pattern, fits, fits_not):
    check(pattern)
    assert [name for name in [*fits, *fits_not] if belongs(name, [pattern])] == fits


@pytest.mark.parametrize("pattern", ["", "/", "/a", "a//b", "./a", "a/../b", "..", "a\nb", "x" * 201])
def test_what_is_no_pattern(pattern):
    with pytest.raises(ValueError, match="name"):
        check(pattern)


def fits_by_rule(names, parts):
    """The first point of patterns.py's theory, by trying all ways."""
    if not parts:
        return True  # a folder takes all that is in it
    if parts[0] == "**" and parts[1:]:
        return fits_by_rule(names, parts[1:]) or (names != [] and fits_by_rule(names[1:], parts))
    return names != [] and same_name(names[0], parts[0]) and fits_by_rule(names[1:], parts[1:])


def same_name(name, part):
    if not part:
        return not name
    if part[0] == "*":
        return same_name(name, part[1:]) or (name != "" and same_name(name[1:], part))
    return name != "" and part[0] in {"?", name[0]} and same_name(name[1:], part[1:])


@given(
    st.lists(st.one_of(st.just("**"), st.text(alphabet="ab*?", min_size=1, max_size=6)), min_size=1, max_size=5),
    st.lists(st.text(alphabet="ab\n", min_size=1, max_size=6), min_size=1, max_size=5),
)
@settings(max_examples=500)
def test_what_fits_is_what_fits_in_some_way(parts, names):
    assert belongs("/".join(names), ["/".join(parts)]) == fits_by_rule(names, parts)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [("*a" * 60 + "b", "a" * 250), ("*?" * 60 + "b", "a" * 250), ("**/" * 39 + "x", "b/" * 100 + "y")],
)
def test_a_pattern_that_could_fit_in_many_ways_is_not_tried_in_all_of_them(pattern, name):
    check(pattern)
    assert not belongs(name, [pattern])  # otherwise this does not end


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
