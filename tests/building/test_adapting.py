"""Sources from Windows are adapted in the copy that is built."""

from __future__ import annotations

from pathlib import Path

import pytest
from building.conftest import output_of
from languages.present import needs

from referee import bots, building, languages
from referee.building.adapting import adapt
from referee.sandbox.limits import Level

PRINTS = '#include <cstdio>\n#include "{}"\nint main() {{ std::puts(WORD); }}\n'


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def tree(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@needs("cpp")
@pytest.mark.parametrize("level", [Level.FULL, Level.NONE])
async def test_the_bots_own_folder_stays_as_it_was(tmp_path, cache, level):
    files = {"MAIN.CPP": PRINTS.format("LIB/word.h"), "lib/Word.h": '#define WORD "hello"\n'}
    write(tmp_path / "kaa", files)
    (built,) = await building.ready([bots.find(str(tmp_path / "kaa"))], level=level, cache=cache)
    assert output_of(built) == "hello\n"
    assert tree(tmp_path / "kaa") == files
    assert (built.cwd / "LIB" / "word.h").read_text() == '#include "../lib/Word.h"\n'


def test_files_of_the_game_are_added_where_the_bot_has_none(tmp_path):
    own = {"board": "mine", "word.h": "mine", "lib/mine.h": "mine"}
    sdk = dict.fromkeys(["board/cells.h", "board/big/cells.h", "word.h", "lib/more.h"], "the game's")
    write(tmp_path / "kaa", own)
    adapt(languages.find("c"), tmp_path / "kaa", write(tmp_path / "sdk", sdk))
    assert tree(tmp_path / "kaa") == {**own, "lib/more.h": "the game's"}


@needs("cpp")
async def test_a_file_that_is_called_like_one_of_the_sdk_in_another_case_is_the_bots_own(tmp_path, ready):
    own = '#include "Snake.h"\n#define WORD "mine"\ninline int size(const AreaInfo& area) { return area.size(); }\n'
    write(tmp_path / "kaa", {"main.cpp": PRINTS.format("snake.h"), "snake.h": own})
    (built,) = await ready([bots.find(str(tmp_path / "kaa"))])
    assert output_of(built) == "mine\n"


@needs("pascal")
async def test_a_unit_that_is_called_like_one_of_the_sdk_is_the_bots_own(tmp_path, ready):
    own = "unit Snake; interface const WORD = 'mine'; implementation end."
    for name in ("SNAKE.PAS", "sNAKE.Pas"):
        write(tmp_path / name, {"kaa.pas": "uses snake; begin writeln(WORD); end.", name: own})
        (built,) = await ready([bots.find(str(tmp_path / name))])
        assert output_of(built) == "mine\n"


def test_java_sources_become_utf_8_without_a_byte_order_mark_at_any_depth(tmp_path):
    """javac refuses everything else, and editors of the contest's time wrote cp1251."""
    write(tmp_path, {"Main.java": "\ufeffclass Main { b.Word питон; }", "b/notes.txt": "\ufeffkept"})
    (tmp_path / "b" / "Word.java").write_bytes("package b; // Питон".encode("cp1251"))
    adapt(languages.find("java"), tmp_path)
    assert tree(tmp_path) == {
        "Main.java": "class Main { b.Word питон; }", "b/Word.java": "package b; // Питон", "b/notes.txt": "\ufeffkept",
    }  # fmt: skip


def test_a_class_behind_a_byte_order_mark_keeps_its_package(tmp_path):
    write(tmp_path / "kaa", {"Kaa.java": "\ufeffpackage a.b;\nclass Kaa { public static void main(String[] a) {} }"})
    assert bots.find(str(tmp_path / "kaa")).unbuilt.run == ("java", "a.b.Kaa")


def test_what_cannot_be_added_is_left_out(tmp_path):
    """The name of a folder that is a file, and a name that is too long because small letters are shorter."""
    long = "\u212a" * 200
    text = f'#include "a.h/x.h"\n#include "{long}.h"\n#include "B.h"\n'
    files = {"main.c": text, "a.h": "", "A.H/x.h": "", f"{'k' * 200}.h": "", "b.h": ""}
    write(tmp_path, files)
    adapt(languages.find("c"), tmp_path)
    assert tree(tmp_path) == files | {"B.h": '#include "b.h"\n'}


def test_a_folder_without_anything_to_adapt_is_not_changed(tmp_path):
    files = {"main.py": "\ufeffimport UTILS\n", "utils.py": "", "Main.cpp": '\ufeff#include "x.h"\n', "X.H": ""}
    write(tmp_path, files)
    adapt(languages.find("python"), tmp_path)
    assert tree(tmp_path) == files
