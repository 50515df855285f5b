"""Bots for ants in Pascal: programs and libraries, each dialect, output, exceptions and their own units."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from languages.present import needs
from sdk.ants import asking
from sdk.ants.asking import SDK, Asked, answers

pytestmark = needs("pascal")

ZEROS = "00" * 32
PROCEDURE = (
    "procedure GetAction(sensors: TSensors; hasFood: Boolean; memory: PMemory; var result: TAntAction); cdecl;\n"
)
END = "exports\n  GetAction;\n\nbegin\nend.\n"
FORMS = pytest.mark.parametrize("form", ["program", "library"])


def source(form: str, *lines: str, uses: str = "Ants", end: str = END) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"{form} Sample;\n\nuses\n  {uses};\n\n{PROCEDURE}begin\n{body}end;\n\n{end}"


def test_the_units_have_no_warnings(tmp_path: Path) -> None:
    text = source("program", "result.actionType := aaPut;")
    program = asking.pascal(tmp_path, text, "-vw", "-Sew", "-B")
    assert answers(program, Asked()) == [f"9 0 0 {ZEROS}"]
    (tmp_path / "host").mkdir()
    units = SDK / "pascal"
    host = ["fpc", "-O2", "-vw", "-Sew", "-B", f"-Fu{units}", "-FU.", "-o./bot", str(units / "AntsHost.pas")]
    asking._built(tmp_path / "host", [host], "./bot")


@pytest.mark.parametrize("mode", ["fpc", "objfpc", "delphi", "tp"])
def test_every_dialect_compiles(mode: str, tmp_path: Path) -> None:
    text = source(
        "program",
        "result.actionType := aaBiteLeft;",
        "result.putSmell := sensors[1, -1].isWall;",
        "result.smell := -7;",
    )
    assert answers(asking.pascal(tmp_path, text, f"-M{mode}"), Asked()) == [f"5 0 0 {ZEROS}"]


@FORMS
def test_an_action_is_a_move_up_without_smell_by_default(form: str, tmp_path: Path) -> None:
    text = source(
        form, "if hasFood then", "begin", "  result.putSmell := True;", "  result.smell := High(LongInt);", "end;"
    )
    replies = [f"0 0 0 {ZEROS}", f"0 1 2147483647 {ZEROS}", f"0 0 0 {ZEROS}"]
    assert answers(asking.delphi(tmp_path, text), Asked(), Asked(food=True), Asked()) == replies


def test_an_action_of_any_bits_is_sent(tmp_path: Path) -> None:
    text = source(
        "program",
        "FillChar(result, SizeOf(result), $AB);",
        "if hasFood then",
        "  result.actionType := TAntActionType(77);",
    )
    smell = 0xABABABAB - 2**32
    replies = [f"{0xAB} 1 {smell} {ZEROS}", f"77 1 {smell} {ZEROS}"]
    assert answers(asking.pascal(tmp_path, text), Asked(), Asked(food=True)) == replies


@FORMS
def test_output_goes_to_the_log(form: str, tmp_path: Path) -> None:
    text = source(form, "WriteLn('a');", "Write('b');", "Flush(Output);", "result.actionType := aaGet;")
    done = asking.delphi(tmp_path, text).run(Asked().text.encode() * 2)
    assert (done.returncode, done.stdout.decode()) == (0, f"8 0 0 {ZEROS}\n" * 2)
    assert done.stderr == b"a\nba\nb"


@FORMS
@pytest.mark.parametrize(
    ("uses", "line", "words"),
    [
        ("SysUtils, Ants", "raise Exception.Create('no idea');", b"no idea"),
        ("Ants", "RunError(99);", b"untime error 99"),
    ],
)
def test_a_crash_ends_the_bot_with_its_message(form: str, uses: str, line: str, words: bytes, tmp_path: Path) -> None:
    text = source(form, "WriteLn('before');", "if hasFood then", f"  {line}", "result.actionType := aaGet;", uses=uses)
    done = asking.delphi(tmp_path, text).run((Asked().text + Asked(food=True).text + Asked().text).encode())
    assert (done.returncode != 0, done.stdout.decode()) == (True, f"8 0 0 {ZEROS}\n")
    assert done.stderr.count(b"before") == 2
    assert words in done.stderr


def test_output_before_a_kill_is_in_the_log(tmp_path: Path) -> None:
    text = source("program", "WriteLn('before');", "FpKill(FpGetPid, SIGKILL);", uses="BaseUnix, Ants")
    assert asking.pascal(tmp_path, text).run(Asked().text.encode()).stderr == b"before\n"


def test_a_program_that_halts_with_an_error_does_not_play(tmp_path: Path) -> None:
    done = asking.pascal(tmp_path, source("program", end="exports\n  GetAction;\n\nbegin\n  Halt(3);\nend.\n")).run(
        b"getName\n"
    )
    assert (done.returncode, done.stdout) == (3, b"")


def test_its_own_units_are_not_finalized_while_it_plays(tmp_path: Path) -> None:
    (tmp_path / "mine.pas").write_text(
        "unit Mine;\ninterface\nvar Answer: LongInt = 0;\nimplementation\n"
        "initialization\n  Answer := 42;\nfinalization\n  Answer := -1;\nend.\n"
    )
    text = source("program", "result.putSmell := True;", "result.smell := Answer;", uses="Ants, Mine")
    assert answers(asking.pascal(tmp_path, text), Asked()) == [f"0 1 42 {ZEROS}"]


def test_a_procedure_may_be_passed_instead_of_exported(tmp_path: Path) -> None:
    text = source("program", "result.actionType := aaGet;", end="begin\n  Play(@GetAction, nil);\nend.\n")
    assert answers(asking.pascal(tmp_path, text), "getName\n", Asked()) == ["", f"8 0 0 {ZEROS}"]


@FORMS
@pytest.mark.parametrize("name", ["Formica", "x" * 32, "Муравей, " * 3 + "🐜", "x" * 33, "я" * 33, "a'#7'b"])
def test_a_function_returns_the_name(form: str, name: str, tmp_path: Path) -> None:
    end = f"function GetTeamName: PAnsiChar; cdecl;\nbegin\n  Result := '{name}';\nend;\n\n" + END.replace(
        ";", ", GetTeamName;", 1
    )
    done = asking.delphi(tmp_path, "{$mode delphi}\n" + source(form, end=end)).run(b"getName\n")
    if len(name) <= 32 and "#" not in name:
        assert (done.returncode, done.stdout.decode()) == (0, f"{name}\n")
    else:
        assert (done.returncode != 0, done.stdout) == (True, b"")
        assert b"the name cannot be: it" in done.stderr


def test_the_log_says_that_a_library_cannot_be_loaded(tmp_path: Path) -> None:
    program = asking.delphi(tmp_path, source("library"))
    library = tmp_path / "bot.so"
    whole = library.read_bytes()
    needs = re.search(rb"\0(?:ld-linux[^\0]*|libc\.so[^\0]*)\0", whole)
    for left in (whole.replace(needs[0], needs[0][:-2] + b"!\0"), b"nothing", None):
        library.unlink() if left is None else library.write_bytes(left)
        done = program.run(b"getName\n")
        assert (done.returncode, done.stdout) == (217, b"")
        assert b"cannot open shared object file" in done.stderr or b"file too short" in done.stderr
