"""Programs as text, in English and in Russian words: what is written is read as the same program."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from tailbite.sights import chart, program

from referee.errors import ProgramError
from referee.games.ava.plugin import DIALECT as AVA
from referee.games.viper.plugin import DIALECT as VIPER
from referee.tailbite.documents import text
from referee.tailbite.parsing import RUSSIAN, Dialect, parse
from referee.tailbite.patterns import ELEMENTS

EMPTY = "-- -- -- -- -- -- --\n"
ROWS = EMPTY * 2 + "-- -- -- Z{group} -- -- --\n-- -- -- ^^ -- -- --\n" + EMPTY * 3
ENGLISH = f"""\
name: Питон
description: Кусает.
set A: enemy-head хвост-противника
set B: own-body

map: хвост рядом
{ROWS.format(group="0")}
map: x
{ROWS.format(group="4").replace("Z4", "a4")}"""
RUSSIAN_AVA = (
    ENGLISH.replace("name:", "имя:")
    .replace("description:", "описание:")
    .replace("set A: enemy-head", "набор A: голова-противника")
    .replace("own-body", "свое-тело")
    .replace("map:", "карта:", 1)
)
RUSSIAN_VIPER = f"имя: Удав\n\nсхема И: x\n{ROWS.format(group='-')}\nсхема ИЛИ:\n{ROWS.format(group='w')}"


def read(source: str, dialect: Dialect = AVA):
    return parse(source.encode(), "my.txt", dialect)


def test_russian_words_mean_the_same_and_can_be_mixed_with_english_ones():
    russian, english = read(RUSSIAN_AVA), read(ENGLISH)
    assert (russian.name, russian.description) == ("Питон", "Кусает.") == (english.name, english.description)
    assert [(c.kind, c.description, c.patterns) for c in russian.charts] == [
        (c.kind, c.description, c.patterns) for c in english.charts
    ]
    assert [c.heading for c in russian.charts] == ["карта", "map"]
    assert russian.words == {"name": "имя", "description": "описание", "set A": "набор A"}
    assert russian.sets == {"A": ("голова-противника", "хвост-противника"), "B": ("свое-тело",)}
    assert english.words == {}


def test_russian_schemes():
    assert [(c.kind, c.heading) for c in read(RUSSIAN_VIPER, VIPER).charts] == [("and", "схема И"), ("or", "схема ИЛИ")]


@pytest.mark.parametrize(("source", "dialect"), [(RUSSIAN_AVA, AVA), (ENGLISH, AVA), (RUSSIAN_VIPER, VIPER)])
def test_a_program_is_written_in_the_words_that_it_was_read_in(source, dialect):
    assert text(read(source, dialect)) == source


@pytest.mark.parametrize(
    ("changed", "line", "column", "says"),
    [
        (RUSSIAN_AVA.replace("имя", "Имя"), 1, 1, "begins with the line name: NAME, not 'Имя:'"),
        (RUSSIAN_AVA.replace("set B", "набор A"), 4, 7, "набор A is already defined"),
        (RUSSIAN_AVA.replace("set B: свое-тело", "набор B:"), 4, 9, "набор B is empty"),
        (RUSSIAN_AVA.replace("набор A", "набор А"), 3, 7, "there is no set 'А': it is Cyrillic, write the Latin A"),
        (RUSSIAN_AVA.replace("карта:", "схема И:"), 6, 1, "map: was expected here, not 'схема И:'"),
        (RUSSIAN_AVA.replace("a4", "а4"), 18, 10, "'а' is not an element: it is Cyrillic, write the Latin a"),
        (RUSSIAN_VIPER.replace("схема И:", "схема и:"), 3, 1, "scheme and: or scheme or: was expected here, not 'схема и:'"),
        (RUSSIAN_VIPER.replace("\n\nсхема И:", "\nнабор A: empty\nсхема И:"), 2, 1, "was expected here, not 'набор A:'"),
    ],
)  # fmt: skip
def test_errors_quote_the_words_of_the_program(changed, line, column, says):
    with pytest.raises(ProgramError) as caught:
        read(changed, VIPER if "схема ИЛИ" in changed else AVA)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert says in str(caught.value)
    assert str(caught.value).isprintable()


def test_the_manual_lists_every_russian_word():
    page = files("referee").joinpath("docs", "programs.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([^`]+)` +\| `([^`]+)` +\|$", page, re.MULTILINE))
    assert rows == {
        **{english: russian for russian, english in RUSSIAN.items()},
        **{element.word: element.russian for element in ELEMENTS},
    }


def test_rows_are_those_of_the_file():
    rows = "-- Z0 -- -- -- -- --\n<< -- -- -- -- -- --"
    (parsed,) = read(program(chart("map:", rows)).decode()).charts
    assert [" ".join(row) for row in parsed.rows()[:2]] == rows.split("\n")
