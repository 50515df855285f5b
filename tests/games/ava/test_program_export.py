"""Export of programs to the public AVA12 server. What is imported again decides the same."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tailbite.sights import asked, chart, charts, program, windows, with_options

from referee import games
from referee.errors import ProgramError
from referee.files import assets
from referee.games.ava.programs import PROGRAMS
from referee.tailbite.patterns import ELEMENTS
from referee.testing.assets import blocks

WORDS = [element.word for element in ELEMENTS]
SAMPLES = sorted(assets.folder("bots").glob("*/*.ava"))
OPTIONS = (with_options(), with_options("max", failed_and_groups="ignore"))
FOUR_SETS = "set A: enemy-tail empty\nset B: border\nset C: own-body own-tail\nset D: enemy-head enemy-body"


def exported(source: str | bytes) -> dict[str, Any]:
    return json.loads(PROGRAMS.export_program(source if isinstance(source, bytes) else source.encode(), "x.ava").text)


def there_and_back(source: bytes) -> str:
    return PROGRAMS.import_program(PROGRAMS.export_program(source, "x.ava").text.encode(), "x.json").text


@st.composite
def programs(draw: st.DrawFn) -> bytes:
    """A program with some sets and a few maps. Its heads point in any direction, and some of its words are Russian."""
    letters = draw(st.lists(st.sampled_from("ABCD"), unique=True))
    lines = [
        f"{draw(st.sampled_from(['set', 'набор']))} {letter}: "
        + " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True)))
        for letter in letters
    ]
    cells = "VWSTXYZvwstxyz" + "".join(letters + [letter.lower() for letter in letters])
    some = draw(
        st.lists(charts(draw(st.sampled_from(["map: x", "карта:"])), cells, "01234567"), min_size=1, max_size=3)
    )
    return program(*some, sets="\n".join(lines))


@given(programs(), st.lists(windows(), min_size=1, max_size=6), st.sampled_from(OPTIONS))
def test_a_program_that_is_exported_and_imported_decides_the_same(source, seen, options):
    before, after = PROGRAMS.compile(source, "x"), PROGRAMS.compile(there_and_back(source).encode(), "x")
    for window in seen:
        assert after.decide(asked(window, options)) == before.decide(asked(window, options))


@given(programs())
def test_the_server_accepts_what_is_exported(source):
    """The limits of that server: four sets of different elements, one head, and runs that end within the map."""
    document = exported(source)
    assert list(document) == ["SnakeName", "ProgramDescription", "Templates", "Maps"]
    assert 1 <= len(document["SnakeName"]) <= 40
    assert len(document["Templates"]) == 4
    assert all(re.fullmatch(r"[STV-Z]{1,6}", text) and len(set(text)) == len(text) for text in document["Templates"])
    for drawn in document["Maps"]:
        assert list(drawn) == ["Description", "HeadX", "HeadY", "Lines"]
        head = drawn["HeadY"] * 7 + drawn["HeadX"]
        for run in drawn["Lines"]:
            assert re.fullmatch(r"(--|[A-DSTV-Za-dstv-z][0-7]){1,49}", run["Line"])
            first = run["Y"] * 7 + run["X"]
            assert first + len(run["Line"]) // 2 <= 49
            assert not 0 <= head - first < len(run["Line"]) // 2 or run["Line"][2 * (head - first) :][:2] == "--"


@given(st.lists(charts("map: some words", "VWSTXYZABCDvabcd", "01234567"), min_size=1, max_size=9))
def test_a_program_with_four_sets_and_heads_that_face_up_keeps_its_bytes(drawn):
    text = program(*[re.sub(r">>|vv|<<", "^^", rows) for rows in drawn], sets=FOUR_SETS).decode().rstrip() + "\n"
    assert there_and_back(text.encode()) == text


def test_a_head_that_does_not_face_up_is_turned_with_a_note():
    rows = """-- -- -- -- -- -- --
              -- -- -- -- -- -- --
              -- -- -- >> Z0 b4 --
              -- -- -- V5"""
    source = program(chart("map: to the right", rows.replace("V5", "V5 -- -- --")), sets=FOUR_SETS)
    (drawn,) = exported(source)["Maps"]
    assert drawn == {
        "Description": "to the right",
        "HeadX": 2,
        "HeadY": 3,
        "Lines": [{"X": 2, "Y": 1, "Line": "b4" + "--" * 6 + "Z0" + "--" * 7 + "V5"}],
    }
    notes = PROGRAMS.export_program(source, "x.ava").notes
    assert notes[0] == "map 1 is turned so that its head faces up; it means the same"
    assert len(notes) == 2
    assert "rating = max" in notes[1]


def test_sets_that_the_program_does_not_define_are_filled_with_a_note():
    source = program(chart("map:", "^^ B0 -- -- -- -- --"), sets="set B: хвост-противника empty")
    assert exported(source)["Templates"] == ["S", "ZV", "S", "S"]
    assert PROGRAMS.export_program(source, "x.ava").notes[0].startswith("the program has no set A, C, D; ")


def test_a_map_without_conditions_has_no_runs():
    assert exported(program(chart("map:", "^^ -- -- -- -- -- --")))["Maps"][0]["Lines"] == []


@pytest.mark.parametrize(
    ("begin", "line", "column"), [("name:", 1, 6), ("\n \nname:  ", 3, 6), ("\ufeffname:\r", 1, 6), ("имя :", 1, 6)]
)
def test_a_program_without_a_name_is_refused_with_line_and_column(begin, line, column):
    source = f"{begin}\n\n{chart('map:', '^^ Z0 -- -- -- -- --')}\n"
    assert PROGRAMS.compile(source.encode(), "x").name == ""
    with pytest.raises(ProgramError) as caught:
        exported(source)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert "no program without a name" in str(caught.value)


def test_a_mistake_in_the_program_is_reported_with_line_and_column():
    with pytest.raises(ProgramError, match=r"x\.ava, line 3, column 4: 'Q' is not an element"):
        exported("name: x\nmap:\n-- Q0")


def test_viper_exports_to_no_other_format():
    with pytest.raises(ProgramError, match="no other program format"):
        games.find("viper").programs.export_program(b"name: x", "x.viper")


def test_the_example_in_the_readme_is_exported_as_it_was_imported():
    ((_, example),) = blocks("ava", "json")
    back = exported(PROGRAMS.import_program(example.encode(), "snake.json").text)
    document = json.loads(example)
    (drawn,) = document["Maps"]
    drawn["Lines"] = [{"X": 3, "Y": 3, "Line": "Z0" + "--" * 9 + "a1--b1"}]
    assert back == document
