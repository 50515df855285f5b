"""The text of programs: what the parser reads, and every kind of mistake with its line and column."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import ProgramError
from referee.games.ava.plugin import DIALECT as AVA
from referee.games.viper.plugin import DIALECT as VIPER
from referee.tailbite.parsing import MOST_BYTES, Dialect, parse

GOOD_AVA = """\
name: Asp
description: Bites.
set A: enemy-head enemy-body
set C: empty

map: bite
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- a4 Z0 C1 -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

map: second
>> -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- V7
"""
GOOD_VIPER = """\
name: Adder

scheme and: bite
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- Zw Z- xg -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
scheme or:
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- vv
"""


def read(text: str | bytes, dialect: Dialect = AVA):
    return parse(text if isinstance(text, bytes) else text.encode(), "my.txt", dialect)


# -- Valid programs --------------------------------------------------------------------------------------------


def test_a_program_of_ava():
    program = read(GOOD_AVA)
    assert (program.name, program.description) == ("Asp", "Bites.")
    assert program.sets == {"A": ("enemy-head", "enemy-body"), "C": ("empty",)}
    first, second = program.charts
    assert (first.kind, first.description, first.head, first.facing) == ("map", "bite", (3, 4), "U")
    assert [(p.x, p.y, p.text, p.suits, p.group, p.weight) for p in first.patterns] == [
        (2, 3, "a4", 127 - 48, "4", 2),
        (3, 3, "Z0", 64, "0", 6),
        (4, 3, "C1", 1, "1", 6),
    ]
    assert (second.head, second.facing, [p.text for p in second.patterns]) == ((0, 0), "R", ["V7"])


def test_a_program_of_viper():
    program = read(GOOD_VIPER, VIPER)
    assert [(c.kind, c.description, c.head, c.facing) for c in program.charts] == [
        ("and", "bite", (3, 4), "U"),
        ("or", "", (6, 6), "D"),
    ]
    assert [(p.text, p.group, p.suits) for p in program.charts[0].patterns] == [
        ("Zw", "w", 64),
        ("Z-", "-", 64),
        ("xg", "g", 127 - 16),
    ]


@pytest.mark.parametrize(
    "changed",
    [
        GOOD_AVA.replace("\n", "\r\n"),
        "\ufeff" + GOOD_AVA,
        GOOD_AVA.removesuffix("\n"),
        "\n \n" + GOOD_AVA.replace("set C", "\n\t\nset C").replace("\n\nmap", "\n\n\n\nmap") + "\n\n",
        GOOD_AVA.replace("-- --", "--  \t--").replace("--\n", "-- \n").replace("\n--", "\n --"),
        GOOD_AVA.replace(": ", ":   ").replace(":  Asp", ":Asp"),
    ],
    ids=["CRLF", "byte order mark", "no last line end", "blank lines", "blanks in rows", "blanks after colons"],
)
def test_blanks_line_ends_and_a_byte_order_mark_make_no_difference(changed):
    assert read(changed) == read(GOOD_AVA)


def test_sets_names_and_maps_up_to_their_limits_are_valid():
    six = "empty border own-body own-tail enemy-head enemy-body"
    assert read(GOOD_AVA.replace("set C: empty", f"set C: {six}")).charts[0].patterns[2].suits == 63
    assert read(GOOD_AVA.replace("Asp", "Ж" * 16)).name == "Ж" * 16
    head, *maps = GOOD_AVA.split("\n\n")
    assert len(read("\n\n".join([head, *[maps[0]] * 9])).charts) == 9
    assert read(GOOD_AVA.replace("name: Asp", "name:")).name == ""  # legal in the protocol too


# -- Mistakes ----------------------------------------------------------------------------------------------------

MISTAKES = {
    "nothing": ("", 1, 1, "empty"),
    "blank lines alone": ("\n\n", 1, 1, "empty"),
    "no name": (GOOD_AVA.replace("name: Asp\n", ""), 1, 1, "name: NAME"),
    "a name in capitals": (GOOD_AVA.replace("name:", "Name:"), 1, 1, "name: NAME"),
    "a long name": (GOOD_AVA.replace("Asp", "Ж" * 33), 1, 39, "33 characters, 32 are allowed"),
    "a tab in the name": (GOOD_AVA.replace("Asp", "A\tp"), 1, 8, "tab"),
    "two names": (GOOD_AVA.replace("description", "name"), 2, 1, "map: was expected here, not 'name:': write name,"),
    "a long description": (GOOD_AVA.replace("Bites.", "b" * 1025), 2, 14 + 1024, "1025 characters"),
    "a long description of a map": (GOOD_AVA.replace("second", "b" * 1025), 15, 6 + 1024, "1025 characters"),
    "a set E": (GOOD_AVA.replace("set C", "set E"), 4, 5, "A, B, C, D"),
    "a set twice": (GOOD_AVA.replace("set C", "set A"), 4, 5, "set A is already defined"),
    "a separator of lines before the letter": (GOOD_AVA.replace("set C", "set \u2028C"), 4, 5, "there is no set"),
    "an empty set": (GOOD_AVA.replace("set C: empty", "set C:"), 4, 7, "empty"),
    "an unknown element": (GOOD_AVA.replace("enemy-body", "enemy-foot"), 3, 19, "'enemy-foot' is not an element"),
    "an element twice": (GOOD_AVA.replace("enemy-body", "enemy-head"), 3, 19, "enemy-head is already in this set"),
    "a set of everything": (
        GOOD_AVA.replace(": empty", ": empty border own-body own-tail enemy-head enemy-body enemy-tail"), 4, 61, "all elements",
    ),
    "no map": (GOOD_AVA.split("\n\n")[0], 4, 1, "no map"),
    "a scheme in ava": (GOOD_AVA.replace("map: second", "scheme and: second"), 15, 1, "map: was expected"),
    "ten maps": (
        "\n".join([GOOD_AVA.split("\n\n")[0], *[GOOD_AVA.split("\n\n")[1]] * 10]), 4 + 9 * 8 + 1, 1, "map 10",
    ),
    "a row too few, the file ends": (GOOD_AVA.rsplit("\n", 2)[0], 21, 1, "row 7 of map 2 is missing"),
    "a row too few, the next map": (
        GOOD_AVA.replace("-- -- -- -- -- -- --\n\nmap", "map"), 13, 1, "row 7 of map 1 is missing",
    ),
    "a blank line inside": (GOOD_AVA.replace("Z0 C1 -- --\n", "Z0 C1 -- --\n\n"), 11, 1, "row 5 of map 1 is missing"),
    "a row too many": (
        GOOD_AVA.replace("\n\nmap: second", "\n-- --\n\nmap: second"), 14, 1, "map: was expected here: write name,"
    ),
    "six cells": (GOOD_AVA.replace("-- V7", "V7"), 22, 18, "row 7 of map 2 has 6 cells, 7 are needed"),
    "eight cells": (GOOD_AVA.replace("-- V7", "-- V7 --"), 22, 24, "row 7 of map 2 has 8 cells, 7 are needed"),
    "a cell of three": (GOOD_AVA.replace("Z0", "Z00"), 10, 10, "'Z00' is not a cell"),
    "cells without blanks": (GOOD_AVA.replace("Z0 C1", "Z0C1"), 10, 10, "'Z0C1' is not a cell"),
    "an unknown letter": (GOOD_AVA.replace("Z0", "Q0"), 10, 10, "'Q' is not an element"),
    "a letter that is not ASCII": (GOOD_AVA.replace("Z0", "ſ0"), 10, 10, "is not an element"),
    "a set that is not there": (GOOD_AVA.replace("Z0", "B0"), 10, 10, "there is no set B"),
    "the opposite of a set that is not there": (GOOD_AVA.replace("Z0", "d0"), 10, 10, "there is no set D"),
    "an unknown group": (GOOD_AVA.replace("Z0", "Z8"), 10, 11, "'8' is not a group"),
    "two heads": (GOOD_AVA.replace("Z0", "vv"), 11, 10, "a second own head: map 1 already has one in row 4"),
    "no head": (GOOD_AVA.replace("^^", "--"), 6, 1, "map 1 has no own head"),
    "a control character": (GOOD_AVA.replace("Bites", "Bi\x1b[31mtes"), 2, 16, "control character, '\\x1b'"),
    "bytes that are not UTF-8": (GOOD_AVA.encode().replace(b"second", "sé".encode("latin-1")), 15, 7, "UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_reported_with_line_and_column(mistake):
    text, line, column, says = MISTAKES[mistake]
    with pytest.raises(ProgramError) as caught:
        read(text)
    assert (caught.value.file, caught.value.line, caught.value.column) == ("my.txt", line, column)
    assert str(caught.value).startswith(f"my.txt, line {line}, column {column}: ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("changed", "line", "column", "says"),
    [
        (GOOD_VIPER.replace("scheme or:", "scheme xor:"), 11, 1, "scheme and: or scheme or: was expected"),
        (GOOD_VIPER.replace("\n\n", "\nset A: empty\n", 1), 2, 1, "was expected here, not 'set A:': write name, desc"),
        (GOOD_VIPER.replace("Zw", "Aw"), 7, 7, "'A' is not an element"),
        (GOOD_VIPER.replace("Zw", "ZW"), 7, 8, "'W' is not a group: use one of - w y b g"),
        (GOOD_VIPER.replace("vv", "--"), 11, 1, "scheme 2 has no own head"),
    ],
    ids=["another type", "a set", "a set's letter", "a large group", "no head"],
)
def test_mistakes_that_exist_only_in_viper(changed, line, column, says):
    with pytest.raises(ProgramError) as caught:
        read(changed, VIPER)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert says in str(caught.value)


def test_a_file_above_the_size_limit_is_refused():
    with pytest.raises(ProgramError, match="longer than 64 KiB"):
        read(b"name: x\n" + b"\n" * MOST_BYTES)


@given(st.data())
def test_a_corrupted_program_is_valid_or_refused_with_line_and_column(data):
    text = data.draw(st.sampled_from([GOOD_AVA, GOOD_VIPER])).encode()
    at = data.draw(st.integers(0, len(text)))
    gone = data.draw(st.integers(0, 5))
    spoilt = text[:at] + data.draw(st.binary(max_size=4)) + text[at + gone :]
    for dialect in (AVA, VIPER):
        if (wrong := mistake_in(spoilt, dialect)) is not None:
            assert 1 <= wrong.line <= spoilt.count(b"\n") + 1
            assert wrong.column >= 1
            assert re.fullmatch(r"my\.txt, line \d+, column \d+: [^\n]{5,400}", str(wrong))


def mistake_in(text: bytes, dialect: Dialect) -> ProgramError | None:
    try:
        read(text, dialect)
    except ProgramError as wrong:
        return wrong
    return None
