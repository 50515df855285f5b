"""The part of a compiler's output that is shown, and the hint that is given for it."""

import re
import shutil
from pathlib import Path

import pytest
from languages.present import needs

from referee import bots, languages
from referee.bots import Bot, Unbuilt
from referee.building import BuildFailed, BuildResult
from referee.building.failure import SHOWN, WIDTH, CompileError, excerpt, first_error, hint
from referee.languages.language import ERROR as ANY

ERROR = re.compile("error:")
LOG = Path("/cache/build.log")


def numbered(first: int, last: int) -> list[str]:
    return [f"line {number}" for number in range(first, last + 1)]


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ([], []),
        (["a", "b"], ["a", "b"]),
        (["note", "x: error: y", "z"], ["note", "x: error: y", "z"]),
        (["note"] * SHOWN + ["x: error: y"], ["x: error: y", "… 20 more lines in /cache/build.log"]),
        (numbered(1, SHOWN), numbered(1, SHOWN)),
        (numbered(1, SHOWN + 7), [*numbered(1, SHOWN), "… 7 more lines in /cache/build.log"]),
        (
            [*numbered(1, SHOWN), "a.cpp:8:3:   required from here", "error: last"],
            ["a.cpp:8:3:   required from here", "error: last", "… 20 more lines in /cache/build.log"],
        ),
        ([*numbered(1, 100), "error: last"], ["error: last", "… 100 more lines in /cache/build.log"]),
    ],
)
def test_the_excerpt_of_an_output(lines, shown):
    assert excerpt("".join(f"{line}\n" for line in lines), ERROR, LOG) == shown


@pytest.mark.parametrize(
    "line",
    [
        "ld: a.cpp:(.text+0x1): undefined reference to `f()'",
        "ld: cannot find -lx",
        "fatal: no repository",
        "sh: 1: cmake: not found",
        "cp: x: No such file or directory",
    ],
)
def test_an_excerpt_begins_with_what_linkers_and_shells_complain_of(line):
    assert excerpt("note\n" * SHOWN + line, ANY, LOG)[0] == line


def test_long_lines_are_cut_and_control_characters_are_escaped():
    (line,) = excerpt("error: " + "x" * 10_000 + "\x1b[2J", ERROR, LOG)
    assert len(line) < WIDTH + 50
    assert line.isprintable()


def test_without_a_log_no_path_is_shown():
    assert excerpt("a\n" * 30, ERROR, None)[-1] == "… 10 more lines"


@pytest.mark.parametrize(
    ("language", "output", "first"),
    [
        ("c", "a.c: In function 'main':\na.c:2:25: error: expected ';'", ("a.c", 2, "error: expected ';'")),
        ("cpp", "In file included from a.cpp:1:\nb.h:7: fatal error: no", ("b.h", 7, "fatal error: no")),
        ("cpp", "/usr/include/x.h:45:2: error: no\na.cpp:3:5: error: so", ("a.cpp", 3, "error: so")),
        ("cpp", "a.cpp:8:3:   required from here\n/usr/x.h:45:2: error: no\n  45 | x", ("a.cpp", 8, "error: no")),
        ("cpp", "a.cpp:8:3:   required from here\n/usr/system_error:45:2: error: no\n", ("a.cpp", 8, "error: no")),
        ("c", "/usr/bin/ld: /tmp/x.o: in function `main':\nl.c:(.text+0xa): undefined reference to `f'", None),
        ("java", "bot/A.java:12: error: illegal start", ("bot/A.java", 12, "error: illegal start")),
        ("pascal", "Compiling p.pas\np.pas(3,2) Error: Identifier", ("p.pas", 3, "Error: Identifier")),
        ("pascal", "p.pas(4,1) Fatal: Syntax error", ("p.pas", 4, "Fatal: Syntax error")),
        ("rust", "warning: x\n --> r.rs:1:1\nerror[E0425]: no\n --> r.rs:2:15\n  |", ("r.rs", 2, "error[E0425]: no")),
        ("rust", "error: no\n --> /rustc/core.rs:2:15", None),
        ("go", "# bot\n./main.go:5:2: undefined: x", ("main.go", 5, "undefined: x")),
        (None, "gcc a.c\na.c:2:1: error: no\nmake: *** [Makefile:2: all] Error 1", ("a.c", 2, "error: no")),
        (None, "make: *** [Makefile:2: all] Error 1", None),
        (None, f"a.c:{'9' * 5000}:1: error: no", None),
    ],
)
def test_the_place_of_the_first_error(language, output, first):
    error = ANY if language is None else languages.find(language).error
    assert first_error(output, error) == (None if first is None else CompileError(*first))


@pytest.mark.parametrize(
    ("output", "warning"),
    [
        ("$ g++ a.cpp\na.cpp:2:71: warning: no return\n   2 | x\n", "a.cpp, line 2: warning: no return"),
        ("warning: unused `x`\n --> r.rs:2:17\n\nwarning: 1 warning emitted\n", "r.rs, line 2: warning: unused `x`"),
        ("p.pas(4,9) Warning: not \x1binitialized\n", "p.pas, line 4: Warning: not \\x1binitialized"),
        ("/usr/sdk/Snake.pas(4,9) Warning: unused\n$ gcc warning.c\n", ""),
    ],
)
def test_the_first_warning_of_a_build_that_succeeded(output, warning, tmp_path):
    log = tmp_path / "build.log"
    log.write_text(output)
    assert BuildResult(bots.find("random"), "kept", log=log).warning == warning
    assert BuildResult(bots.find("random"), "nothing").warning == ""


@pytest.mark.parametrize(
    ("language", "line", "is_missed"),
    [
        ("c", "a.c:1:10: fatal error: board.h: No such file or directory", True),
        ("c", "a.c:1:10: fatal error: 'board.h' file not found", True),
        ("cpp", "a.cpp:3:5: error: 'board.h' is not what you think", False),
        ("pascal", "a.pas(1,17) Fatal: Can't find unit Board used by a", True),
        ("pascal", 'a.pas(1,17) Error: Identifier not found "board"', False),
        ("java", "A.java:1: error: cannot find symbol\n  symbol:   class Board\n", True),
        ("java", "A.java:1: error: package Board does not exist", True),
        ("rust", "error[E0583]: file not found for module `board`", True),
        ("rust", "error[E0432]: unresolved import `crate::board`", True),
        ("rust", "error[E0425]: cannot find value `board` in this scope", False),
        ("javascript", "Error: Cannot find module './board.js'", True),
    ],
)
def test_a_compiler_misses_a_file_while_others_are_beside_a_single_source(tmp_path, language, line, is_missed):
    bot = Bot("a", [], tmp_path, files={"a": tmp_path / "a"}, language=languages.find(language))
    assert hint(bot, Unbuilt((), ()), line) is None
    (tmp_path / "board").touch()
    assert (hint(bot, Unbuilt((), ()), f"first\n{line}\nlast") is not None) == is_missed


@needs("java")
async def test_a_package_line_gets_a_hint(tmp_path, ready):
    shutil.copy(bots.find("settler").cwd / "bot.toml", tmp_path)
    (tmp_path / "Viper.java").write_text("package my.bot;\nclass Viper extends JBot { }\n")
    for path in (tmp_path / "Viper.java", tmp_path):
        with pytest.raises(BuildFailed, match=r"(?m); the SDK has no package: take out the `package` line$"):
            await ready([bots.find(str(path))])
