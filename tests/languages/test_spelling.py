"""Files that sources ask for in another case: which files a build adds, from names and text alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import languages
from referee.languages import Sdk
from referee.languages.spelling import MOST

CPP = Sdk("/sdk", files=("Snake.h", "hosts.toml"))
PASCAL = Sdk("/sdk", files=("Ants.pas", "Snake.pas"))


def added(language, texts, *files, sdk=None):
    return languages.find(language).spelling.additions(texts, [*texts, *files], sdk)


def includes(**names):
    return {new: f'#include "{old}"\n' for new, old in names.items()}


@pytest.mark.parametrize(
    ("line", "files", "expected"),
    [
        ('#include "UTILS.H"', ["Utils.h"], {"UTILS.H": "Utils.h"}),
        ('  #  include "utils.h" // mine', ["Utils.h"], {"utils.h": "Utils.h"}),
        ('\r\n#include "utils.h"\r\n', ["UTILS.H"], {"utils.h": "UTILS.H"}),
        ('#include "lib/Utils.h"', ["LIB/utils.h"], {"lib/Utils.h": "../LIB/utils.h"}),
        ('#include "Lib\\Utils.h"', ["Lib/Utils.h"], {"Lib\\Utils.h": "Lib/Utils.h"}),
        ('#include "lib/../Утилиты.h"', ["утилиты.h"], {"Утилиты.h": "утилиты.h"}),
        ('#include "snake.h"', [], {"snake.h": "/sdk/Snake.h"}),
        ('#include "SNAKE.H"', ["snake.h"], {"SNAKE.H": "snake.h"}),
    ],
)
def test_a_header_in_another_case_is_added(line, files, expected):
    assert added("cpp", {"main.cpp": line}, *files, sdk=CPP) == includes(**expected)


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ('#include "Utils.h"', ["Utils.h", "UTILS.H"]),
        ('#include "utils.h"', ["Utils.h", "UTILS.H"]),
        ('#include "Snake.h"', ["snake.h"]),
        ('#include "snake.h"', ["snake.h"]),
        ('#include "other.h"', ["Utils.h"]),
        ('// #include "utils.h"', ["Utils.h"]),
        ('#include "../Utils.h"', ["utils.h"]),
        ('#include "/utils.h"', ["Utils.h"]),
        ("#include <utils.h>", ["Utils.h"]),
    ],
    ids=["exact", "two that differ by case only", "the SDK's", "its own", *["not asked for"] * 5],
)
def test_a_header_that_is_there_or_that_several_files_could_be_is_not(line, files):
    assert added("cpp", {"main.cpp": line}, *files, sdk=CPP) == {}


def test_headers_ask_from_their_own_folder_and_c_has_no_sdk():
    texts = {"lib/A.h": '#include "b.H"\n#include "../c.h"\n#include "snake.h"'}
    assert added("cpp", texts, "lib/B.h", "C.h", sdk=CPP) == includes(
        **{"lib/b.H": "B.h", "c.h": "C.h", "lib/snake.h": "/sdk/Snake.h"}
    )
    assert added("c", texts, "lib/B.h", "C.h") == includes(**{"lib/b.H": "B.h", "c.h": "C.h"})


@pytest.mark.parametrize(
    ("text", "files", "expected"),
    [
        ("uses SNAKE;", [], {"snake.pas": "/sdk/Snake.pas"}),
        ("Uses SysUtils, ants;", [], {"ants.pas": "/sdk/Ants.pas"}),
        ("uses snake;", ["SNake.PAS"], {"snake.pas": "SNake.PAS"}),
        ("uses utils;", ["Utils.pp"], {"utils.pas": "Utils.pp"}),
        ("uses brain in 'LIB\\Brain.pas';", ["lib/Brain.pas"], {"LIB/Brain.pas": "../lib/Brain.pas"}),
        ("{$I b.inc} (*$INCLUDE 'a b.inc'*)", ["B.inc", "A B.inc"], {"b.inc": "B.inc", "a b.inc": "A B.inc"}),
        ("uses Snake;", [], {}),
        ("uses Utils;", ["UTILS.PAS"], {}),
        ("uses utils;", ["utils.pp", "Utils.pas"], {}),
        ("uses utils;", ["Utils.pas", "UTils.pas"], {}),
        ("{ uses utils; } {$I+} {$I %DATE%} {$R utils.inc}", ["Utils.pas", "Utils.inc"], {}),
    ],
)
def test_units_and_included_files_of_pascal(text, files, expected):
    files_added = added("pascal", {"kaa.pas": text}, *files, sdk=PASCAL)
    assert files_added == {new: f"{{$I '{old}'}}\n" for new, old in expected.items()}


def test_the_number_of_added_files_is_capped():
    spellings = [f"{number:011b}".translate(str.maketrans("01", "aA")) for number in range(1, MOST + 50)]
    text = "".join(f'#include "{name}.h"\n' for name in spellings)
    assert len(added("c", {"main.c": text}, f"{'a' * 11}.h")) == MOST


@given(st.sampled_from(["c", "cpp", "pascal"]), st.text(), st.lists(st.text(min_size=1), max_size=3))
def test_any_text_and_any_names_are_read(language, text, files):
    sources = {"main.c": text, "a.c": f"#include \"{text}\"\nuses {text}; {{$I {text}}} in '{text}'"}
    for new in added(language, sources, *files, sdk=CPP):
        assert new not in {*sources, *files}
        assert not new.startswith(("/", "../"))
