"""Programs as documents for editors: nothing is lost on the way there and back, and a stranger's document can do no harm."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tailbite.sights import chart, charts, program
from tailbite.test_program_writing import ROWS, RUSSIAN_AVA, RUSSIAN_VIPER

from referee import games
from referee.errors import ProgramError
from referee.tailbite.parsing import parse

GAMES = ["ava", "viper"]
AVA = ("map:", "VWSTXYZABvab", "01234567", "набор B:  border свой-хвост\nset A : empty")
VIPER = ("схема И:  x ", "VWSTXYZvwz", "-wybg", "")


def language(game: str):
    return games.find(game).programs


def read(game: str, source: str | bytes):
    return parse(source if isinstance(source, bytes) else source.encode(), "x", language(game).meaning.dialect)


def document(game: str, source: str | bytes) -> dict[str, Any]:
    """The document as a browser gets it and sends it back."""
    form = language(game).document(source if isinstance(source, bytes) else source.encode(), "x")
    return json.loads(json.dumps(form))


@st.composite
def sources(draw: st.DrawFn) -> tuple[str, bytes]:
    """A game and a random program of it, with odd spaces, empty lines and ends of lines."""
    game = draw(st.sampled_from(GAMES))
    heading, letters, groups, sets = AVA if game == "ava" else VIPER
    drawn = draw(st.lists(charts(heading, letters, groups), min_size=1, max_size=9))
    name = draw(st.text("aЖ :\u202e", max_size=8))
    source = program(*drawn, sets=sets, name=name).decode()
    if draw(st.booleans()):
        source = source.replace(" ", draw(st.sampled_from(["  ", "\t"]))) if not name.strip() else source
        source = source.replace("\n\n", "\n\n \n")
    return game, source.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))).encode()


@given(sources())
def test_text_to_document_to_text_is_a_fixed_point_with_the_same_meaning(drawn):
    game, source = drawn
    form = document(game, source)
    text = language(game).text(form)
    assert read(game, text) == read(game, source)
    assert document(game, text) == {**form, "notes": []}
    assert language(game).text(document(game, text)) == text
    assert language(game).text(form, source).encode() == source, "an unchanged program keeps its bytes"
    assert bool(form["notes"]) == (text != source.decode().replace("\r\n", "\n"))


def test_a_changed_program_keeps_its_line_ends():
    source = RUSSIAN_VIPER.replace("\n", "\r\n").encode()
    form = document("viper", source)
    form["charts"][0]["description"] = "y"
    assert (
        language("viper").text(form, source).encode()
        == source.decode().replace("схема И: x", "схема И: y").encode()
    )  # fmt: skip


def test_a_text_that_was_no_program_is_written_anew():
    form = document("viper", RUSSIAN_VIPER)
    for broken in (b"", b"\xff", b"name: x\n"):
        assert language("viper").text(form, broken) == RUSSIAN_VIPER


def test_words_of_a_program_survive_and_new_headings_follow_them():
    form = document("ava", RUSSIAN_AVA)
    assert form["words"] == {"name": "имя", "description": "описание", "set A": "набор A"}
    assert form["sets"] == {"A": ["голова-противника", "хвост-противника"], "B": ["свое-тело"]}
    assert [chart["heading"] for chart in form["charts"]] == ["карта", "map"]
    form = document("viper", RUSSIAN_VIPER)
    form["charts"][0]["kind"], form["charts"][1]["heading"] = "or", ""
    assert [c.heading for c in read("viper", language("viper").text(form)).charts] == ["схема ИЛИ", "scheme or"]


def test_a_document_says_what_an_editor_needs_to_know():
    form = document("viper", RUSSIAN_VIPER)
    assert (form["part"], form["negation"], form["nothing"], form["letters"]) == ("scheme", "except", "--", [])
    assert form["kinds"] == [{"kind": "and", "heading": "scheme and"}, {"kind": "or", "heading": "scheme or"}]
    assert [(group["sign"], group["word"]) for group in form["groups"]] == [
        ("-", "ungrouped"), ("w", "white"), ("y", "yellow"), ("b", "blue"), ("g", "green"),
    ]  # fmt: skip
    assert "".join(element["letter"] for element in form["elements"]) == "VWSTXYZ"
    assert {head["text"]: head["move"] for head in form["heads"]} == {"^^": "U", "<<": "L", "vv": "D", ">>": "R"}
    assert form["limits"] == {"bytes": 65536, "name": 32, "description": 1024, "charts": 9, "side": 7, "set": 6}
    assert document("ava", RUSSIAN_AVA)["letters"] == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    ("game", "source", "reads"),
    [
        ("viper", chart("scheme and:", "-- Z- --" + " --" * 4 + "\n-- ^^" + " --" * 5), "enemy tail 1 up → goes up"),
        (
            "viper",
            chart("scheme and:", "V- Zw Zw zw" + " --" * 3 + "\n<< --" + " --" * 5),
            "empty 1 up; and enemy tail in any of 2 cells or anything but enemy tail 1 up, 3 right (white) → goes left",
        ),
        (
            "viper",
            chart("scheme or:", "V- V- Zw Zy Yy" + " --" * 2 + "\n>> --" + " --" * 5),
            "empty in all of 2 cells; and enemy tail 1 up, 2 right (white), or enemy tail 1 up, 3 right and enemy body 1 up, "
            "4 right (yellow) → goes right",
        ),
        (
            "ava",
            chart("map:", "V0 Z1 A4 --" + " --" * 3 + "\nvv --" + " --" * 5),
            "empty 1 up (AND-group 0), or enemy tail 1 up, 1 right (AND-group 1); and border or own tail 1 up, 2 right "
            "(OR-group 4) → goes down",
        ),
        ("ava", chart("map:", "^^ --" + " --" * 5), "anything → goes up"),
    ],
)
def test_a_chart_reads_in_plain_words(game, source, reads):
    sets = "set A: border own-tail" if game == "ava" else ""
    form = document(game, program(source, sets=sets))
    assert form["charts"][0]["reads"] == f"{reads}, or any rotation or reflection of this"


def test_an_empty_scheme_reads_as_skipped():
    form = document("viper", program(chart("scheme and:", "^^ --" + " --" * 5)))
    assert form["charts"][0]["reads"] == "an empty scheme: it is skipped"


# -- Documents of strangers ---------------------------------------------------------------------------------------


def wrong(game: str, form: Any) -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        language(game).text(form)
    assert str(caught.value).isprintable()
    return caught.value


PLAIN = f"name: x\n\nscheme and: y\n{ROWS.format(group='-')}"


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (["name"], None, "the program: name: must be a text in quotes"),
        (["name"], "x" * 33, "the program, line 1, column 39: the name has 33 characters"),
        (["name"], "x\nscheme or: y", "the program: name: must be one line of text"),
        (["description"], "a\rb", "must be one line of text"),
        (["description"], "\ud800", "unable to parse raw data as a unicode string"),
        (["charts"], [], "the program has no scheme"),
        (["charts", 0, "rows", 0], "--\n--", "must be one line"),
        (["charts", 0, "rows", 3], "-- -- -- -- -- -- --", "scheme 1 has no own head"),
        (["charts", 0, "rows", 0], "-- -- Q- -- -- -- --", "the program, line 4, column 7: 'Q' is not an element"),
        (["charts", 0, "rows", 0], "scheme or: z", "row 1 of scheme 1 is missing"),
        (["charts", 0, "rows"], ["--"] * 8, "charts.0.rows: must have at most 7 entries"),
        (["charts", 0, "kind"], "map", "scheme 1 has the kind 'map': write 'and' or 'or'"),
        (["words"], {"name": "set A"}, "words: 'set A' does not mean 'name'"),
        (["words"], {"name": "x\ny"}, "must be one line"),
        (["sets"], {"A": ["empty"]}, "was expected here, not 'set A:'"),
    ],
)
def test_a_wrong_document_gives_one_sentence(path, value, says):
    form = document("viper", PLAIN)
    inner: Any = form
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert says in str(wrong("viper", form))


def test_derived_keys_and_unknown_ones_are_ignored():
    form = document("viper", PLAIN)
    form["charts"][0]["reads"], form["elements"], form["selected"] = "\n", 3, [None]
    assert language("viper").text(form) == PLAIN


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["--", "set A", "Z-"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(GAMES), st.data())
def test_a_random_document_is_a_program_or_refused(game, data):
    form = document(game, RUSSIAN_AVA if game == "ava" else RUSSIAN_VIPER)
    form = {key: form[key] for key in ("name", "description", "words", "sets", "charts")}
    for _ in range(data.draw(st.integers(1, 3))):
        inner: Any = form
        while True:
            keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(inner[key], dict | list) and data.draw(st.integers(0, 3)):
                inner = inner[key]
                continue
            inner[key] = data.draw(JSON_VALUES)
            break
    text = None
    with suppress(ProgramError):
        text = language(game).text(form)
    if text is None:
        wrong(game, form)
        return
    again = document(game, text)
    assert [c["rows"] for c in again["charts"]] == [[" ".join(r.split()) for r in c["rows"]] for c in form["charts"]]
    assert (again["name"], again["sets"]) == (form["name"].strip(" \t"), form["sets"])
    assert language(game).text(again) == text


@pytest.mark.parametrize("form", [None, [], "x", 3, {}, {"name": "x"}])
def test_something_else_is_no_document(form):
    wrong("ava", form)
