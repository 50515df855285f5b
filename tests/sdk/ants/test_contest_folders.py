"""Bots of the contest, with their own copy of the interface, build and play without changes."""

from __future__ import annotations

import struct
from functools import partial
from pathlib import Path

import pytest
import trio
from languages.present import require
from sdk.ants import asking, templates
from sdk.ants.asking import SDK, Asked, Cell, Program, answers, at_random

from referee import bots, building
from referee.sandbox.limits import Level

ASKED = [at_random(seed) for seed in range(200)]


def cpp(source: str, header: str) -> tuple[str, dict[str, str]]:
    """The language and the files of a bot in C++."""
    return "cpp", {"main.cpp": source, "IAntLogic.hpp": header}


def delphi(source: str) -> tuple[str, dict[str, str]]:
    """The language and the files of a bot in Delphi."""
    return "pascal", {"DelphiSample.dpr": source, "Ants.pas": templates.PASCAL_INTERFACE}


HEADER, LIBRARY, PROGRAM = templates.CPP_INTERFACE, templates.DELPHI_LIBRARY, templates.DELPHI_PROGRAM
FOLDERS = {
    "main.cpp": cpp(templates.CPP, HEADER),
    "a library": delphi(LIBRARY),
    "a program": delphi(PROGRAM),
    "GetAction.py": ("python", {"GetAction.py": templates.PYTHON, "InterGetAction.py": templates.PYTHON_INTERFACE}),
}
"""The four templates: their language and their files."""
EXPORTED = 'extern "C" __declspec(dllexport)'
DECLARED = "AntAction GetAction(const Ant &ant, AntSensor sensors[3][3]);\n"
VARIANTS = {
    "a header in a folder": (
        "cpp", {"main.cpp": templates.CPP.replace('"IAnt', '"api/IAnt'), "api/IAntLogic.hpp": HEADER},
    ),
    "a header that declares it for C": cpp(templates.CPP, f'#pragma once\n{HEADER}extern "C" {DECLARED}'),
    "a copy of our header": cpp(templates.CPP, (SDK / "cpp/IAntLogic.hpp").read_text()),
    "a function that a library for Windows exports": cpp(
        templates.CPP.replace("AntAction GetAction(", f"{EXPORTED} AntAction __stdcall GetAction("), HEADER
    ),
    "a header that exports it from a library for Windows": cpp(
        templates.CPP, f"#pragma once\n{HEADER}{EXPORTED} {DECLARED}"
    ),
    "a library without its resource file": delphi(LIBRARY.replace("\nuses", "\n{$R *.res}\n\nuses", 1)),
    "a program without its resource file": delphi(PROGRAM.replace("Ants;", "Ants;\n\n{$R *.RES}", 1)),
    "a unit that is named with its file": delphi(LIBRARY.replace("Ants;", "SysUtils, Ants in 'Ants.pas';")),
    "a unit in small letters": (
        "pascal", {"DelphiSample.dpr": PROGRAM, "ants.pas": templates.PASCAL_INTERFACE},
    ),
    "a copy of our unit": (
        "pascal", {"main.pas": templates.FREE_PASCAL, "Ants.pas": (SDK / "pascal/Ants.pas").read_text()},
    ),
    "a library with our unit": ("pascal", {"main.pas": LIBRARY}),
    "modules of its own": (
        "python",
        {
            "GetAction.py": "from brain import GetAction\n", "brain.py": templates.PYTHON,
            "InterGetAction.py": templates.PYTHON_INTERFACE,
        },
    ),
}  # fmt: skip


def brought(folder: Path, kind: str, manifest: str = "") -> Path:
    language, files = (FOLDERS | VARIANTS)[kind]
    require(language)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if manifest:
        (folder / "bot.toml").write_text(manifest, encoding="utf-8")
    return folder


def built(folder: Path, cache: Path) -> Program:
    """Build the program of a folder, which is harmless and needs no sandbox."""
    (bot,) = trio.run(partial(building.ready, [bots.find(str(folder))], level=Level.NONE, cache=cache))
    return Program(bot.argv, bot.cwd, {**bot.env, "PYTHONDONTWRITEBYTECODE": "1"})


def test_the_requests_cause_every_action() -> None:
    assert {templates.expected(asked)[:3] for asked in ASKED} == {
        f"{action} {puts}" for action in (0, 1, 6, 7, 8, 9) for puts in (0, 1)
    }


@pytest.mark.parametrize("kind", VARIANTS)
def test_a_variant_gives_the_expected_answer_to_every_request(kind: str, tmp_path: Path) -> None:
    program = built(brought(tmp_path / "bot", kind), tmp_path / "builds")
    assert answers(program, *ASKED) == [templates.expected(asked) for asked in ASKED]


@pytest.fixture(scope="module", params=FOLDERS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Each template with a manifest, built."""
    folder, (language, _) = tmp_path_factory.mktemp("template"), FOLDERS[request.param]
    manifest = f'name = "Formica №1"  # a comment\nlanguage = "{language}"\n'
    return built(brought(folder / "bot", request.param, manifest), folder / "builds")


def test_a_template_gives_the_expected_answer_to_every_request(program: Program) -> None:
    assert answers(program, *ASKED) == [templates.expected(asked) for asked in ASKED]


def test_its_name_is_that_of_its_manifest(program: Program) -> None:
    name, answer = "Formica №1", templates.expected(ASKED[0])
    assert answers(program, "getName\n", ASKED[0], "getName\n") == [name, answer, name]


def test_windows_line_ends_are_accepted(program: Program) -> None:
    assert answers(program, "getName\r\n", ASKED[1].text.replace("\n", "\r\n")) == [
        "Formica №1",
        templates.expected(ASKED[1]),
    ]


@pytest.mark.parametrize("lines", [1, 2, 3, 11])
def test_the_end_of_input_within_a_request_is_not_an_error(program: Program, lines: int) -> None:
    assert answers(program, ASKED[0], "".join(ASKED[1].text.splitlines(keepends=True)[:lines])) == [
        templates.expected(ASKED[0])
    ]


def test_an_unknown_request_ends_the_bot(program: Program) -> None:
    done = program.run(b"getAll\n" + ASKED[0].text.encode())
    assert (done.returncode != 0, done.stdout) == (True, b"")
    assert b"unknown request" in done.stderr
    assert b"getAll" in done.stderr


def test_changes_to_the_sensors_do_not_affect_the_next_call(program: Program) -> None:
    """The templates overwrite their sensors, which are values in Pascal and references in C++ and Python."""
    plain = Asked([Cell()] * 9)
    assert answers(program, plain, plain) == ["8 0 0 01" + "00" * 30 + "ff"] * 2


def test_an_existing_resource_file_is_kept(tmp_path: Path) -> None:
    folder = brought(tmp_path / "bot", "a library without its resource file")
    empty = struct.pack("<2I4H4I", 0, 32, 0xFFFF, 0, 0xFFFF, 0, 0, 0, 0, 0)
    text = b"brought along"
    entry = struct.pack("<2I4H4I", len(text), 32, 0xFFFF, 10, 0xFFFF, 1, 0, 0, 0, 0) + text + b"\0" * 3
    (folder / "DelphiSample.res").write_bytes(empty + entry)
    program = built(folder, tmp_path / "builds")
    assert text in (Path(program.folder) / "bot.so").read_bytes()
    assert answers(program, ASKED[0]) == [templates.expected(ASKED[0])]


class TestFailures:
    def test_a_bot_without_the_function_names_it(self, tmp_path: Path) -> None:
        for kind, words in [
            ("main.cpp", b"there is no AntAction GetAction(const Ant &ant, AntSensor sensors[3][3])"),
            ("a library", b"write `exports GetAction;` behind the procedure"),
            ("a program", b"write `exports GetAction;` behind the procedure"),
        ]:
            folder = brought(tmp_path / kind, kind)
            for path in folder.iterdir():
                text = path.read_text().replace("exports\n  GetAction;", "")
                path.write_text(text.replace("AntAction GetAction(", "AntAction getAction("))
            done = built(folder, tmp_path / "builds").run(Asked().text.encode())
            assert (done.returncode != 0, done.stdout) == (True, b"")
            assert words in done.stderr

    def test_a_manifest_with_a_build_can_name_the_host(self, tmp_path: Path) -> None:
        manifest = (
            'name = "Formica"\nlanguage = "cpp"\n'
            'build = [["g++", "-O0", "-I", "{sdk}", "-o", "bot", "main.cpp", "{sdk}/AntsHost.cpp"]]\n'
        )
        folder = brought(tmp_path / "bot", "main.cpp", manifest)
        assert answers(built(folder, tmp_path / "builds"), ASKED[0]) == [templates.expected(ASKED[0])]

    def test_the_readme_has_that_build_line(self) -> None:
        assert '"main.cpp", "{sdk}/AntsHost.cpp"]]' in asking.ANT_SECTION


def test_a_program_with_its_own_main_keeps_it(tmp_path: Path) -> None:
    folder = brought(tmp_path / "bot", "main.cpp")
    (folder / "other.cpp").write_text('#include <cstdio>\nint main() { std::puts("mine"); }\n')
    assert built(folder, tmp_path / "builds").run(b"getName\n").stdout == b"mine\n"
