"""Bots for ants in C++: unset members, the bot's own names, several sources, output and exceptions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from languages.present import needs, require
from sdk.ants import asking, templates
from sdk.ants.asking import SDK, Asked, answers

pytestmark = needs("cpp")

HEAD = '#include "IAntLogic.hpp"\n'
PROTOTYPE = "AntAction GetAction(const Ant &ant, AntSensor sensors[3][3])"
ZEROS = "00" * 32


def number(value: int) -> Asked:
    """An ant with a number in its memory."""
    return Asked(memory=bytes([value]) + bytes(31))


def reply(action: str, value: int) -> str:
    return f"{action} {value:02x}{'00' * 31}"


@pytest.mark.parametrize("standard", ["c++11", "c++20"])
def test_the_header_has_no_warnings(standard: str, tmp_path: Path) -> None:
    flags = [f"-std={standard}", "-O2", "-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]
    source = f"{HEAD}{PROTOTYPE} {{ return {{sensors[1][1].isFood ? GET : PUT, ant.hasFood(), MAX_MEMORY}}; }}\n"
    program = asking.cpp(tmp_path, source, *flags)
    assert answers(program, Asked(food=True)) == [f"9 1 32 {ZEROS}"]


def test_a_bot_may_use_any_names(tmp_path: Path) -> None:
    own = "int link, pause, read, write, index, size, count, y1, main_, line, sign, number, play, failed;\n"
    source = f"{HEAD}{own}struct Line {{ int x; }}; struct AskedAnt {{}};\n{PROTOTYPE} {{ return AntAction(); }}\n"
    assert answers(asking.cpp(tmp_path, source), Asked()) == [f"0 0 0 {ZEROS}"]
    crowd = "#include <unistd.h>\n#include <vector>\nusing namespace std;\n"
    source = f"{HEAD}{crowd}{PROTOTYPE} {{ vector<int> all(3); return AntAction(); }}\n"
    assert answers(asking.cpp(tmp_path, source), Asked()) == [f"0 0 0 {ZEROS}"]


def test_unset_members_of_an_action_are_harmless(tmp_path: Path) -> None:
    """With any bits, an action is sent as a number, and a bool as 0 or 1."""
    source = f"""\
{HEAD}#include <cstring>
{PROTOTYPE}
{{
    AntAction action;
    memset(&action, 0xAB, sizeof action);
    switch (ant.getMemory()[0])
    {{
        case 1: action.actionType = MOVE_RIGHT; break;
        case 2: action.putSmell = false; break;
        case 3: action.actionType = (AntActionType) 77; action.putSmell = true; action.smell = -5; break;
        case 4: action.actionType = (AntActionType) -1; action.putSmell = false; action.smell = -5; break;
    }}
    return action;
}}
"""
    program = asking.cpp(tmp_path, source, "-std=c++20", "-O2", "-Wno-maybe-uninitialized")
    garbage = 0xABABABAB - 2**32
    assert answers(program, *map(number, range(5))) == [
        reply(f"{garbage} 1 {garbage}", 0),
        reply(f"3 1 {garbage}", 1),
        reply(f"{garbage} 0 0", 2),
        reply("77 1 -5", 3),
        reply("-1 0 0", 4),
    ]


def test_more_than_one_source_may_include_the_header(tmp_path: Path) -> None:
    other = '#include "IAntLogic.hpp"\nbool carries(const Ant &ant) { return ant.hasFood(); }\n'
    name = '#include "IAntLogic.hpp"\nconst char *GetTeamName() { return "Two"; }\n'
    source = f"{HEAD}bool carries(const Ant &ant);\n{PROTOTYPE} {{ return {{carries(ant) ? PUT : GET, false, 0}}; }}\n"
    program = asking.cpp(tmp_path, source, more=[other, name])
    assert answers(program, "getName\n", Asked(), Asked(food=True)) == ["Two", f"8 0 0 {ZEROS}", f"9 0 0 {ZEROS}"]


def test_a_bot_may_have_its_own_main(tmp_path: Path) -> None:
    source = f'#define ANT_NO_MAIN\n{HEAD}#include <cstdio>\n{templates.CPP}int main() {{ std::puts("mine"); }}\n'
    assert asking.cpp(tmp_path, source).run(b"getName\n").stdout == b"mine\n"


def test_output_goes_to_the_log(tmp_path: Path) -> None:
    source = f"""\
{HEAD}#include <cstdio>
#include <cstdlib>
#include <iostream>
{PROTOTYPE}
{{
    std::cout << "a" << std::endl;
    printf("b\\n");
    if (system("echo c")) abort();
    return AntAction();
}}
"""
    done = asking.cpp(tmp_path, source).run(("getName\n" + Asked().text).encode())
    assert (done.returncode, done.stdout) == (0, f"\n0 0 0 {ZEROS}\n".encode())
    assert sorted(done.stderr.split()) == [b"a", b"b", b"c"]


def test_an_exception_ends_the_bot_with_its_message(tmp_path: Path) -> None:
    source = f"""\
{HEAD}#include <cstdio>
#include <stdexcept>
{PROTOTYPE}
{{
    printf("before\\n");
    if (ant.hasFood()) throw std::runtime_error("no idea");
    return AntAction();
}}
"""
    done = asking.cpp(tmp_path, source).run((Asked().text + Asked(food=True).text + Asked().text).encode())
    assert (done.returncode, done.stdout.decode()) == (-6, f"0 0 0 {ZEROS}\n")
    assert done.stderr.count(b"before") == 2
    assert b"no idea" in done.stderr


def test_an_invalid_memory_in_a_request_ends_the_bot(tmp_path: Path) -> None:
    program = asking.cpp(tmp_path, templates.CPP)
    for memory in ["0" * 63, "", "x" * 64]:
        done = program.run(Asked().text.replace(ZEROS, memory).encode())
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"not an ant's memory" in done.stderr


NAMES = {
    "Ada": "Ada",
    "x" * 40: "x" * 32,
    "Жук номер один, ещё один и ещё один": "Жук номер один, ещё один и ещё о",
    "x" + "🐞" * 33: "x" + "🐞" * 31,
    "ж" * 32: "ж" * 32,
    r"a\"b": "",
    "It's": "It's",
    "": "",
}


@pytest.mark.parametrize("language", ["cpp", "pascal", "python"])
def test_the_name_of_a_manifest_is_cut_to_32_characters(language: str, tmp_path: Path) -> None:
    require(language)
    make, source = {
        "cpp": (asking.cpp, templates.CPP),
        "pascal": (asking.pascal, templates.FREE_PASCAL),
        "python": (asking.python, templates.PYTHON),
    }[language]
    program = make(tmp_path, source)
    assert answers(program, "getName\n") == [""]
    for name, shown in NAMES.items():
        (tmp_path / "bot.toml").write_text(f'language = "{language}"\nname = "{name}"\n', encoding="utf-8")
        assert answers(program, "getName\n") == [shown]
    for line, shown in [
        ("name='Ada'", "Ada"),
        ("name\t=\t'A\"da' # 'x'", 'A"da'),
        ('name = "x', ""),
        ("names = 'x'", ""),
        ("name = 'a\x7f'", ""),
    ]:
        (tmp_path / "bot.toml").write_text(f"{line}\n", encoding="utf-8")
        assert answers(program, "getName\n") == [shown], line


@pytest.mark.parametrize("name", ["x" * 33, "Я" * 33, r"\xdf" * 33, r"a\n", r"a\x7f"])
def test_an_invalid_name_in_the_source_ends_the_bot(name: str, tmp_path: Path) -> None:
    program = asking.cpp(tmp_path, f'{templates.CPP}const char *GetTeamName() {{ return "{name}"; }}\n')
    done = program.run(b"getName\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"it is longer than 32 characters" in done.stderr or b"it contains a control character" in done.stderr


@pytest.mark.skipif(shutil.which("clang++") is None, reason="clang++ is missing")
def test_clang_builds_the_template(tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(templates.CPP)
    program = asking._built(
        tmp_path, [["clang++", "-std=c++17", "-I", str(SDK / "cpp"), "-o", "bot", "main.cpp"]], "./bot"
    )
    assert answers(program, asking.at_random(1)) == [templates.expected(asking.at_random(1))]
