"""JSON and TOML from untrusted files: what is accepted, and the errors with their line and column."""

import json
import sys
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.text.documents import Malformed, json_of, text_of, toml_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def refusal(read: Any, data: Any) -> tuple[str, int, int]:
    with pytest.raises(Malformed) as caught:
        read(data)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300
    return str(caught.value), caught.value.line, caught.value.column


# -- Text ----------------------------------------------------------------------------------------------------------


def test_utf_8_with_and_without_a_byte_order_mark() -> None:
    assert text_of("é\r\n".encode()) == text_of("é\r\n".encode("utf-8-sig")) == "é\r\n"
    assert text_of(b"") == ""


def test_invalid_utf_8_is_an_error_with_its_place() -> None:
    assert refusal(text_of, b"ab\nc\xe9d") == ("byte 2 of the line is not UTF-8: save the file as UTF-8", 2, 2)


# -- JSON ----------------------------------------------------------------------------------------------------------


@given(VALUES)
def test_json_is_read_unchanged(value: Any) -> None:
    assert json_of(json.dumps(value)) == json_of(json.dumps(value, ensure_ascii=False, indent=2)) == value


@pytest.mark.parametrize(
    ("text", "why", "line", "column"),
    [
        ("", "Expecting value", 1, 1),
        ('{"a": 1,\n "b" 2}', "Expecting ':' delimiter", 2, 6),
        ("[1] 2", "Extra data", 1, 5),
        ('{"a": 1, "b": {"a": 2, "c": 3, "c": 3}}', "the key 'c' occurs twice in one object", 0, 0),
        ("[NaN]", "NaN is not allowed in JSON", 0, 0),
        ("[1e999]", "1e999 is too large a number", 0, 0),
        (f"[1{'0' * 308}, -2{'0' * 308}]", f"-2{'0' * 16}", 0, 0),
        ("1" * 5000, "1111111", 0, 0),
        (r'"\ud800"', "half of a surrogate pair is not a character", 0, 0),
        ("[" * 100_000, "nested too deeply", 0, 0),
    ],
)
def test_invalid_json_is_an_error(text: str, why: str, line: int, column: int) -> None:
    error = refusal(json_of, text)
    assert error[0].startswith(why)
    assert error[1:] == (line, column)


def test_json_is_read_with_whole_numbers_up_to_the_largest_double_and_with_longer_texts() -> None:
    largest = int(sys.float_info.max)
    value = [largest, -largest, "9" * 400]
    assert json_of(json.dumps(value)) == value


def test_a_pair_of_surrogates_is_a_character() -> None:
    assert json_of(r'"\ud83d\udc07"') == "🐇"


def test_a_duplicate_key_among_many_is_found_fast() -> None:
    """A search that takes quadratic time would take hours."""
    text = "{" + ",".join(f'"{k}":0' for k in range(300_000)) + ',"299999":1}'
    assert refusal(json_of, text)[0] == "the key '299999' occurs twice in one object"


# -- TOML ----------------------------------------------------------------------------------------------------------


def test_toml_is_read_unchanged() -> None:
    text = "name = \"x\"\nfield = '''\n#o#\n'''\n[more]\nn = [-9223372036854775808, 9223372036854775807, 1.5]\n"
    assert toml_of(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("text", "why", "line", "column"),
    [
        ("name = x", "Invalid value", 1, 8),
        ("a = 1\na = 2\nb = 3", "Cannot overwrite a value", 2, 6),
        ('name = "', "Unterminated string (at end of document)", 0, 0),
        ("a = 0x" + "f" * 5000, "a number of thousands of digits", 0, 0),
        ("a = " + "1" * 5000, "a number of thousands of digits", 0, 0),
        ("a = 2026-02-30", "Invalid date or datetime", 0, 0),
        ("a = " + "[" * 100_000, "nested too deeply", 0, 0),
    ],
)
def test_invalid_toml_is_an_error(text: str, why: str, line: int, column: int) -> None:
    error = refusal(toml_of, text)
    assert error[0].startswith(why)
    if line:
        assert error[1:] == (line, column)
