"""Import and export of programs of the public AVA12 server, with a note on each change."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tailbite.sights import asked, chart, charts, program, windows

from referee import games
from referee.errors import ProgramError
from referee.files import assets
from referee.games.ava.plugin import PROGRAMS
from referee.tailbite.patterns import ELEMENTS
from referee.tailbite.sight import Options
from referee.testing.assets import blocks, readme_of

WHOLE: dict[str, Any] = {
    "Response": "snake info", "SnakeId": "12", "SnakeName": "Удав", "SnakeType": "B", "SkinId": 3, "PlayerId": "4",
    "PlayerName": "someone", "ProgramDescription": "bites", "Templates": ["XYZ", "V", "S", "TZV"],
    "Maps": [
        {
            "Description": "first", "HeadX": 3, "HeadY": 4,
            "Lines": [{"X": 5, "Y": 2, "Line": "A4b5----Z0"}, {"X": 3, "Y": 3, "Line": "x1"}],
        },
        {"HeadX": 0, "HeadY": 0, "Lines": [{"X": 0, "Y": 0, "Line": "--"}]},
    ],
}  # fmt: skip
EMPTY = "-- -- -- -- -- -- --\n"
TEXT = f"""\
name: Удав
description: bites
set A: enemy-head enemy-body enemy-tail
set B: empty
set C: own-body
set D: own-tail enemy-tail empty

map: first
{EMPTY * 2}-- -- -- -- -- A4 b5
-- -- Z0 x1 -- -- --
-- -- -- ^^ -- -- --
{EMPTY * 2}
map:
^^ -- -- -- -- -- --
{EMPTY * 6}"""


def import_program(**changes: Any):
    return PROGRAMS.import_program(json.dumps({**WHOLE, **changes}).encode(), "snake.json")


def one_map(**changes: Any) -> list[dict[str, Any]]:
    return [{**WHOLE["Maps"][0], **changes}]


def test_a_whole_program():
    """Runs continue in the next row, and the head points up."""
    imported = import_program()
    assert imported.text == TEXT
    assert PROGRAMS.compile(imported.text.encode(), "x").name == "Удав"
    (note,) = imported.notes
    assert "rating = max" in note
    assert "failed_and_groups = ignore" in note


def test_a_later_run_overwrites_an_earlier_one():
    runs = [{"X": 0, "Y": 0, "Line": "V0" * 49}, {"X": 6, "Y": 0, "Line": "----"}]
    rows = import_program(Maps=one_map(Lines=runs, HeadX=3, HeadY=3)).text.split("map: first\n")[1].splitlines()
    assert rows[:2] == ["V0 V0 V0 V0 V0 V0 --", "-- V0 V0 V0 V0 V0 V0"]


def test_repeated_letters_are_dropped_with_a_note():
    imported = import_program(Templates=["ZZZY", "V", "S", "TZV"])
    assert "set A: enemy-tail enemy-body\n" in imported.text
    assert imported.notes[0] == (
        "set A: ZZZY repeats elements: the repeats are dropped; a match rates 3 on the server and 5 here"
    )


def test_a_pattern_in_the_cell_of_the_head_is_dropped_with_a_note():
    imported = import_program(Maps=one_map(HeadX=5, HeadY=2))
    assert "-- -- -- -- -- ^^ b5" in imported.text
    assert "map 1: A4 is left out, because the own head is in that cell" in imported.notes


def test_names_and_descriptions_become_one_short_line_with_a_note():
    imported = import_program(
        SnakeName="Ж" * 40, ProgramDescription="one\ntwo\x07", Maps=one_map(Description="d" * 1100)
    )
    assert imported.text.startswith(f"name: {'Ж' * 32}\ndescription: one two\n")
    assert f"map: {'d' * 1024}\n" in imported.text
    assert len(imported.notes) == 4
    PROGRAMS.compile(imported.text.encode(), "x")


def test_text_that_looks_like_a_line_of_a_program_stays_text():
    imported = import_program(SnakeName="map: x", ProgramDescription="set A: empty")
    assert PROGRAMS.compile(imported.text.encode(), "x").name == "map: x"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"Templates": ["V"] * 3}, "Templates: must have 4 entries or more"),
        ({"Templates": ["V", "V", "V", ""]}, "Templates.3: must have 1 character or more"),
        ({"Templates": ["V", "V", "v", "V"]}, "Templates.2: 'v' is not an element: a set consists of letters of V W S T X Y Z"),
        ({"Templates": ["VWSTXYZ", "V", "V", "V"]}, "Templates.0: a set of all elements"),
        ({"Maps": []}, "Maps: must have 1 entry or more"),
        ({"Maps": WHOLE["Maps"] * 5}, "Maps: must have at most 9 entries"),
        ({"Maps": one_map(HeadX=7)}, "Maps.0.HeadX: must be 6 or less"),
        ({"Maps": one_map(HeadY="3")}, "Maps.0.HeadY: must be a whole number"),
        ({"Maps": one_map(Lines=[{"X": 0, "Y": 0, "Line": "V"}])}, "Maps.0.Lines.0.Line: must have 2 characters or more"),
        ({"Maps": one_map(Lines=[{"X": 0, "Y": 0, "Line": "V8"}])}, "Maps.0.Lines.0.Line: 'V8' is not a cell: write a letter of"),
        ({"Maps": one_map(Lines=[{"X": 6, "Y": 6, "Line": "V0V0"}])}, "Maps.0.Lines.0: the run goes 1 cell beyond the map"),
        ({"SnakeName": None}, "SnakeName: must be a text in quotes"),
    ],
)  # fmt: skip
def test_an_invalid_document_is_refused_with_the_key(changes, says):
    document = {**WHOLE, **changes}
    text = json.dumps(document, indent=1)
    with pytest.raises(ProgramError) as caught:
        PROGRAMS.import_program(text.encode(), "snake.json")
    assert str(caught.value).startswith(f"snake.json: {says}")
    assert "\n" not in str(caught.value)


def test_the_error_names_a_missing_key():
    text = """{"SnakeName": "x", "Templates": ["V", "V", "V", "V"],
 "Maps": [{"HeadX": 1, "HeadY": 2, "Lines": []},
  {"HeadX": 1}]}"""
    with pytest.raises(ProgramError) as caught:
        PROGRAMS.import_program(text.encode(), "snake.json")
    assert str(caught.value) == "snake.json: Maps.1.HeadY: missing (and 1 more)"


def test_a_byte_order_mark_and_windows_line_ends_are_accepted():
    text = json.dumps(WHOLE, indent=1, ensure_ascii=False).replace("\n", "\r\n")
    assert PROGRAMS.import_program(b"\xef\xbb\xbf" + text.encode(), "snake.json").text == TEXT


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"SnakeName": "x",\n  oops}', "snake.json, line 2, column 3: not valid JSON"),
        (b"\xff{}", "snake.json, line 1, column 1: not valid JSON: byte 1 of the line is not UTF-8"),
        (b"[" * 100_000, "snake.json: not valid JSON: nested too deeply"),
        (b'{"SnakeName": ' + b"1" * 5000 + b"}", "snake.json: not valid JSON: 11111111111"),
        (b"[]", "snake.json: must be an object"),
        (b" " * (1 << 19), "snake.json: longer than 256 KiB"),
    ],
)
def test_invalid_json_is_refused_with_line_and_column(text, says):
    with pytest.raises(ProgramError) as caught:
        PROGRAMS.import_program(text, "snake.json")
    assert str(caught.value).startswith(says)


def test_viper_imports_and_exports_no_other_format():
    with pytest.raises(ProgramError, match="no other program format"):
        games.find("viper").programs.import_program(b"{}", "snake.json")
    with pytest.raises(ProgramError, match="no other program format"):
        games.find("viper").programs.export_program(b"name: x", "x.viper")


def test_the_example_in_the_readme_can_be_imported():
    ((_, example),) = blocks("ava", "json")
    imported = PROGRAMS.import_program(example.encode(), "snake.json")
    assert PROGRAMS.compile(imported.text.encode(), "x").name == "Biter"
    assert "-- -- -- Z0 -- -- --\n-- -- -- ^^ -- -- a1\n-- b1 -- -- -- -- --" in imported.text
    chapter = readme_of("ava").partition("### Programs of the public server")[2].partition("### ")[0]
    for key in (*json.loads(example), *json.loads(example)["Maps"][0], *json.loads(example)["Maps"][0]["Lines"][0]):
        assert f"`{key}`" in chapter


WORDS = [element.word for element in ELEMENTS]
SAMPLES = sorted(assets.folder("bots").glob("*/*.ava"))
OPTIONS = (Options(), Options("max", failed_and_groups="ignore"))
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
    rows = f"{EMPTY * 2}-- -- -- >> Z0 b4 --\n-- -- -- V5 -- -- --"
    source = program(chart("map: to the right", rows), sets=FOUR_SETS)
    (drawn,) = exported(source)["Maps"]
    lines = [{"X": 2, "Y": 1, "Line": "b4" + "--" * 6 + "Z0" + "--" * 7 + "V5"}]
    assert drawn == {"Description": "to the right", "HeadX": 2, "HeadY": 3, "Lines": lines}
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


def test_the_example_in_the_readme_is_exported_as_it_was_imported():
    ((_, example),) = blocks("ava", "json")
    back = exported(PROGRAMS.import_program(example.encode(), "snake.json").text)
    document = json.loads(example)
    (drawn,) = document["Maps"]
    drawn["Lines"] = [{"X": 3, "Y": 3, "Line": "Z0" + "--" * 9 + "a1--b1"}]
    assert back == document
