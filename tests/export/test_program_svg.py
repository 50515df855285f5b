"""Pictures of programs: well-formed and harmless SVG that shows every cell of every chart."""

from pathlib import Path

import pytest
from export.test_svg import SVG, parsed, texts
from tailbite.sights import chart, program

from referee import games
from referee.export.program_svg import program_picture
from referee.files import assets

SAMPLES = sorted([*assets.folder("bots").glob("*/*.ava"), *assets.folder("bots").glob("*/*.viper")])


def picture(source: bytes, suffix: str = ".viper") -> str:
    language = games.game_of_programs(suffix).programs
    return program_picture(language.document(source, "x"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_picture_has_every_cell(sample: Path) -> None:
    root = parsed(picture(sample.read_bytes(), sample.suffix))
    cells = [
        cell for line in sample.read_text().split("\n") if line[2:3] == " " for cell in line.split() if len(cell) == 2
    ]
    asked = [cell for cell in cells if cell not in ("--", "^^", ">>", "vv", "<<")]
    assert len(cells) % 49 == 0
    assert [text for text in texts(root) if len(text) == 1] == [cell[0].upper() for cell in asked]
    assert len(list(root.iter(f"{SVG}polygon"))) == len(cells) // 49


def test_heads_and_exceptions_are_drawn_and_long_texts_are_cut():
    wide = chart("scheme or: " + "a long description " * 9, "zw Zy Yg Sb T- X- W-\n<< " + "-- " * 6)
    root = parsed(picture(program(wide, name="<b>&\u202e")))
    assert texts(root)[0] == "<b>&\ufffd"
    assert max(map(len, texts(root))) < 60
    assert [text for text in texts(root) if len(text) == 1] == list("ZZYSTXW")
    bars = [path.get("d") for path in root.iter(f"{SVG}path")]
    assert bars == ["M8 28L28 8"], "a bar through the one small letter"
    (head,) = root.iter(f"{SVG}polygon")
    assert head.get("points") == "26,10 8,18 26,26"
    assert [text for text in texts(root) if text in ("ungrouped", "white", "yellow", "blue", "green")] == [
        "ungrouped", "white", "yellow", "blue", "green",
    ]  # fmt: skip


def test_only_groups_that_are_used_are_in_the_legend():
    root = parsed(picture(program(chart("map:", "Z4 ^^ -- -- -- -- --"), sets="set A: border own-tail"), ".ava"))
    assert [text for text in texts(root) if "group" in text] == ["enemy tail 1 left (OR-group 4)", "OR-group 4"]
    assert {"A  border or own tail", "with a bar: NOT"} <= set(texts(root))
    root = parsed(picture(program(chart("scheme and:", "Zb ^^ -- -- -- -- --"))))
    assert {"blue", "ungrouped"} & set(texts(root)) == {"blue"}
