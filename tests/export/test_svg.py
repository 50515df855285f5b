"""Pictures of a step: well-formed and harmless SVG that has the plain text's words, the board and every seat."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from export.conftest import RECORDS, games
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.contract.frame import Frame, Mark, SeatLine, Tone
from referee.export.shapes import Disc, Label, Look, Polygon, looks, shapes
from referee.export.svg import NOTE, picture
from referee.terminal.text import frame_at, frame_text

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "title", "desc", "g", "rect", "path", "circle", "polygon", "text"}
UP, LEFT, DOWN, RIGHT = (0, -1), (-1, 0), (0, 1), (1, 0)


def parsed(svg: str) -> ElementTree.Element:
    """The root of a picture that can do nothing but be looked at."""
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in DRAWN
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name not in ("style", "href", "id")
            assert not re.search("url|:", value)
    return root


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def frame_of(*rows: str, bodies: list[list[tuple[int, int]]] | None = None) -> Frame:
    """A frame from rows of two columns a cell: `##` wall, a number and a sign for parts of a seat, `()` item, blank floor."""
    tones = {"#": Tone.WALL, "(": Tone.ITEM, " ": Tone.EMPTY}
    parts = {".": Tone.BODY, "_": Tone.TAIL}

    def mark(text: str) -> Mark:
        if text[0].isdigit():
            return Mark(text, parts.get(text[1], Tone.HEAD), int(text[0]) - 1)
        return Mark(text, tones[text[0]])

    cells = [[mark(row[x : x + 2]) for x in range(0, len(row), 2)] for row in rows]
    return Frame("round 1 of 2", cells, (), (), (), (), bodies or ())


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("part", [0.0, 0.6, 1.0])
def test_a_picture_has_the_words_of_the_plain_text(name: str, part: float) -> None:
    saved = games(name)
    frame, remark = frame_at(saved, round(part * len(saved.steps)))
    root = parsed(picture(frame, remark))
    first, *lines = frame_text(frame, remark=remark).splitlines()
    assert root.findtext(f"{SVG}title") == first
    assert root.findtext(f"{SVG}desc") == "\n".join(lines[: len(frame.cells)])
    assert {line.name for line in frame.seats} <= set(texts(root))
    left, top, width, height = map(int, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert min(width, height) > 0


@settings(max_examples=25)
@given(st.text(), st.sampled_from([None, "timeout"]))
@example("\ud800\uffff\x00]]>&<", None)
def test_no_name_can_break_a_picture(name: str, disqualified: str | None) -> None:
    parsed(picture(replace(frame_of("##"), seats=[SeatLine(0, name, 1.5, (), disqualified)])))


def test_a_long_name_is_cut_and_stands_in_full_beside_it() -> None:
    name = "x" * 400
    root = parsed(picture(replace(frame_of("##"), seats=[SeatLine(0, name, 0, (), None)])))
    assert name in [element.text for element in root.iter(f"{SVG}title")]
    (label,) = (element for element in root.iter(f"{SVG}text") if (element.text or "").startswith("xx"))
    shown, size = label.text or "", float(label.attrib["font-size"])
    assert shown.endswith("…")
    assert size >= 10
    assert 42 + 0.66 * size * len(shown) < 300 - 12 - 0.58 * 20, "bold text that ends before the points"


def test_a_picture_is_as_high_as_its_legend() -> None:
    root = parsed(picture(replace(frame_of("##"), legend=[(Mark("##", Tone.WALL), f"meaning {k}") for k in range(30)])))
    assert [text for text in texts(root) if "meaning" in text] == [f"meaning {k}" for k in range(30)]
    assert int(root.attrib["height"]) > 30 * NOTE


def test_cells_of_a_body_are_joined_in_its_order() -> None:
    frame = frame_of("1v1.", "1_1.", bodies=[[(0, 0), (1, 0), (1, 1), (0, 1)]])
    (head, second), (end, third) = looks(frame)
    assert (head.arms, head.facing) == ((RIGHT,), LEFT), "its neighbour in the body, not that on the board"
    assert (second.arms, second.facing) == ((LEFT, DOWN), None)
    assert third.arms == (UP, LEFT)
    assert (end.arms, end.end) == ((RIGHT,), True)


def test_the_rim_of_an_arm_ends_before_its_colour() -> None:
    look = Look(Mark("1o", Tone.BODY, 0, strong=True), (RIGHT,))
    rim, arm = (max(x for x, _ in shape.points) for shape in shapes(look) if isinstance(shape, Polygon))
    assert rim < arm


def test_cells_that_no_body_names_stay_alone() -> None:
    for bodies in (None, [[]], [[(1, 0), (0, 0)]]):
        assert [look.arms for look in looks(frame_of("1>1.", bodies=bodies))[0]] == [(), ()], "no body, or no head"


def test_walls_are_joined_to_walls() -> None:
    assert [look.arms for look in looks(frame_of("####()", "##    "))[0]] == [(DOWN, RIGHT), (LEFT,), ()]


@pytest.mark.parametrize(("mark", "label"), [
    (Mark("3>", Tone.HEAD, 2), "3"),
    (Mark("12", Tone.HEAD, 11), "12"),
    (Mark("1!", Tone.HEAD, 0), "1!"),
    (Mark("1x", Tone.TAIL, 0), "1x"),
    (Mark("2H", Tone.GOAL, 1), "2H"),
    (Mark("%4", Tone.ITEM), "4"),
    (Mark("~~", Tone.EMPTY), "~~"),
    (Mark("()", Tone.ITEM), None),
    (Mark("RR", Tone.GOAL), None),
    (Mark("##", Tone.WALL), None),
    (Mark("  ", Tone.EMPTY), None),
], ids=lambda value: value.text if isinstance(value, Mark) else str(value))  # fmt: skip
def test_a_cell_says_what_its_shape_does_not_show(mark: Mark, label: str | None) -> None:
    assert next((shape.text for shape in shapes(Look(mark)) if isinstance(shape, Label)), None) == label


def test_a_head_looks_where_it_goes() -> None:
    (look,) = looks(frame_of("1^"))[0]
    eyes = [shape for shape in shapes(look) if isinstance(shape, Disc)][1:]
    assert len(eyes) == 2
    assert all(eye.y < 0.5 for eye in eyes)
    assert sum(eye.x - 0.5 for eye in eyes) == pytest.approx(0)
