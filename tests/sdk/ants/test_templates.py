"""Bots that were written for the contest play without changes: their senses, memory and actions are passed correctly."""

from __future__ import annotations

import pytest
from sdk.ants import asking, templates
from sdk.ants.asking import SDK, Asked, Cell, Program, answers, at_random

ASKED = [at_random(seed) for seed in range(200)]
WAYS = {
    "C++": ("cpp", lambda folder: asking.cpp(folder, templates.CPP, "-std=c++20", "-O2")),
    "Pascal": ("pascal", lambda folder: asking.pascal(folder, templates.FREE_PASCAL)),
    "a program of Delphi's": ("pascal", lambda folder: asking.delphi(folder, templates.DELPHI_PROGRAM)),
    "a library of Delphi's": ("pascal", lambda folder: asking.delphi(folder, templates.DELPHI_LIBRARY)),
    "Python, as a manifest has it": ("python", lambda folder: asking.python(folder, templates.PYTHON)),
    "Python, the file": ("python", lambda folder: asking.python(folder, templates.PYTHON, "GetAction.py")),
}


@pytest.fixture(scope="module", params=WAYS)
def program(request, tmp_path_factory) -> Program:
    language, make = WAYS[request.param]
    if why := asking.missing(language):
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("template")
    (folder / "bot.toml").write_text(
        '# "name" = "no"\nname_of = "no"\nname = "Formica №1"  # a comment\n', encoding="utf-8"
    )
    return make(folder)


def test_the_requests_cause_every_action() -> None:
    assert {templates.expected(asked)[:3] for asked in ASKED} == {
        f"{action} {puts}" for action in (0, 1, 6, 7, 8, 9) for puts in (0, 1)
    }


def test_it_gives_the_expected_answer_to_every_request(program: Program) -> None:
    assert answers(program, *ASKED) == [templates.expected(asked) for asked in ASKED]


def test_its_name_is_that_of_its_manifest(program: Program) -> None:
    assert answers(program, "getName\n", ASKED[0], "getName\n") == [
        "Formica №1",
        templates.expected(ASKED[0]),
        "Formica №1",
    ]


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


def test_a_build_writes_nothing_into_the_sdk(program: Program) -> None:
    assert {path.suffix for path in (SDK / "pascal").iterdir() if path.is_file()} == {".pas", ".toml"}
    assert {path.suffix for path in (SDK / "cpp").iterdir() if path.is_file()} <= {".h", ".hpp", ".cpp", ".toml"}
