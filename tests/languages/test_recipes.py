"""Recipes: from the names and text of sources to commands, without a compiler."""

import re
import struct
import subprocess
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import languages
from referee.errors import UsageError
from referee.languages import Idioms, Language, NoRecipeError, Sdk

SDK = Sdk("/sdk")


def recipe(language: str, sources, sdk=SDK):
    return languages.find(language).recipe(sources, sdk)


def named(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "")


@pytest.mark.parametrize(
    ("language", "names", "build", "run"),
    [
        ("cpp", ["b.cc", "a.cpp"], "g++ -std=c++20 -O2 -pipe -I /sdk -o bot a.cpp b.cc", "./bot"),
        ("cpp", ["a.cxx", "src/b.cpp"], "g++ -std=c++20 -O2 -pipe -I /sdk -o bot a.cxx", "./bot"),
        ("cpp", ["a.CPP", "b.cpp"], "g++ -std=c++20 -O2 -pipe -I /sdk -x c++ -o bot a.CPP b.cpp", "./bot"),
        ("c", ["x.c", "y.c"], "gcc -std=c17 -O2 -pipe -o bot x.c y.c -lm", "./bot"),
        ("pascal", ["other.pas", "main.pas"], "fpc -O2 -gl -Fu/sdk -FU. -obot main.pas", "./bot"),
        ("pascal", ["x.pp"], "fpc -O2 -gl -Fu/sdk -FU. -obot x.pp", "./bot"),
        ("pascal", ["x.lpr"], "fpc -O2 -gl -Fu/sdk -FU. -obot x.lpr", "./bot"),
        ("pascal", ["x.dpr"], "fpc -O2 -gl -Fu/sdk -FU. -Mdelphi -obot x.dpr", "./bot"),
        ("pascal", ["X.DPR"], "fpc -O2 -gl -Fu/sdk -FU. -Mdelphi -obot X.DPR", "./bot"),
        (
            "java",
            ["Main.java", "A.java"],
            "javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -encoding UTF-8 -d . -cp . -sourcepath /sdk:/sdk/contest:. "
            "A.java Main.java",
            None,
        ),
        ("javascript", ["main.js", "more.js"], None, "node main.js"),
        ("javascript", ["index.mjs"], None, "node index.mjs"),
        ("python", ["main.py", "more.py"], None, "python3 main.py"),
        ("python", ["test_kaa.py"], None, "python3 test_kaa.py"),
        ("ruby", ["main.rb", "more.rb"], None, "ruby main.rb"),
        ("rust", ["main.rs", "board.rs"], "rustc --edition 2021 -O -o bot main.rs", "./bot"),
        ("go", ["b.go", "a.go", "a_test.go"], "go build -o bot a.go b.go", "./bot"),
        ("go", ["a.go", "go.mod"], "go build -o bot .", "./bot"),
    ],
)
def test_the_commands_of_a_recipe(language, names, build, run):
    sources = named(*names)
    if language == "java":
        sources["Main.java"] = "class Main extends JBot {}"
        run = "java Main"
    plan = recipe(language, sources)
    assert [" ".join(command) for command in plan.build] == ([build] if build else [])
    assert " ".join(plan.run) == run
    assert plan.env == ({"CGO_ENABLED": "0", "GOTOOLCHAIN": "local"} if language == "go" else {})


def test_without_an_sdk_it_is_not_named():
    assert "-I" not in recipe("cpp", named("a.cpp"), None).build[0]
    assert recipe("java", {"A.java": "class A extends JBot{}"}, None).build[0][-3:] == ("-sourcepath", ".", "A.java")
    assert not any(word.startswith("-Fu") for word in recipe("pascal", named("a.pas"), None).build[0])


def test_the_keywords_of_windows_libraries_are_empty_macros_in_cpp():
    command = recipe("cpp", {"a.cpp": 'extern "C" __declspec(dllexport) int f();'}).build[0]
    assert command[4:7] == ("-D__declspec(x)=", "-D__stdcall=", "-D__cdecl=")


@pytest.mark.parametrize(
    ("text", "suffixes"),
    [
        ("{$R *.res}", [".res"]),
        ("{$r '*.RES'} (*$RESOURCE *.res*)", [".RES", ".res"]),
        ("{$R+} {$R icon.res} {$R *.dfm}", []),
    ],
)
def test_a_delphi_project_gets_the_resource_file_that_it_asks_for_if_it_is_missing(text, suffixes, tmp_path):
    *before, _ = recipe("pascal", {"x.dpr": f"program x; {text}", "sub/y.pas": "{$R *.res}"}).build
    assert [command[-1] for command in before] == [f"x{suffix}" for suffix in suffixes]
    for command in before:
        (tmp_path / "x.RES").write_bytes(b"kept")
        subprocess.run(command, cwd=tmp_path, check=True)
        assert (tmp_path / "x.RES").read_bytes() == b"kept"
    for suffix in {*suffixes} - {".RES"}:
        header = struct.unpack("<2I4H4I", (tmp_path / f"x{suffix}").read_bytes())
        assert header == (0, 32, 0xFFFF, 0, 0xFFFF, 0, 0, 0, 0, 0)


PROGRAM = "{ first\nlines } (* and *) // more\n{$mode objfpc}\nProgram Viper;"
UNIT = "{ program x; }\nunit helper;"


@pytest.mark.parametrize(
    ("sources", "program"),
    [
        ({"viper.pas": PROGRAM, "helper.pas": UNIT}, "viper.pas"),
        ({"viper.pas": "begin end.", "helper.pas": UNIT}, "viper.pas"),
        ({"a.pas": PROGRAM, "b.pas": "begin end."}, "a.pas"),
        ({"a.pas": PROGRAM, "main.pas": UNIT}, "main.pas"),
        ({"a.pas": "\ufeffprogram a;", "b.pas": "UNIT b;", "c.pp": "library c;"}, "a.pas"),
        ({"a.pas": "begin end.", "b.dpr": "library b;"}, "a.pas"),
        ({"a.dpr": "program a;", "b.pas": "unit b;"}, "a.dpr"),
        ({"main.dpr": "", "b.pas": "program b;"}, "main.dpr"),
        ({"MAIN.PAS": PROGRAM, "B.PAS": PROGRAM}, "MAIN.PAS"),
        ({"main.pas": PROGRAM, "MAIN.PAS": PROGRAM}, "main.pas"),
        ({"Main.pas": UNIT, "b.pas": PROGRAM}, "b.pas"),
    ],
)
def test_the_program_among_pascals_sources(sources, program):
    assert recipe("pascal", sources).build[0][-1] == program


@pytest.mark.parametrize(
    ("sources", "started"),
    [
        ({"Viper.java": "public class Viper extends JBot { }"}, "Viper"),
        ({"Viper.java": "package a.b; public class Viper { static void main(String[] a) {} }"}, "a.b.Viper"),
        ({"Viper.java": "public class Viper { public static synchronized void main(String[] a) {} }"}, "Viper"),
        ({"Viper.java": "class Viper extends Beyond { }"}, "Viper"),
        ({"Main.java": "class Main extends B<int[]> {}", "B.java": "class B<T extends X> extends JBot {}"}, "Main"),
        ({"A.java": "abstract class A extends JBot {}", "B.java": "final class B extends JBot {}"}, "B"),
        ({"A.java": "class A extends B {} class B extends A {}", "C.java": "class C extends JBot {}"}, "C"),
        ({"viper.java": "// class viper {\nclass Kaa { public static void main(String[] a) {} }"}, "Kaa"),
        ({"A.java": "class A extends B {}", "Kaa.java": "class Kaa extends snake.JBot {}"}, "Kaa"),
        ({"A.java": "class A {}", "Kaa.java": "public class Kaa extends Jbot {}"}, "Kaa"),
        ({"Jbot.java": "public abstract class Jbot {}", "Kaa.java": "class Kaa extends Jbot {}"}, "Kaa"),
        ({"A.java": "class B extends JBot {} class Main extends JBot {}"}, "Main"),
        ({"A.java": "class Main extends JBot {} class A extends JBot {}"}, "A"),
        ({"A.java": "class A {}", "B.java": "class B { static void main(String... a) {} }"}, "B"),
        ({"A.java": "class A { class B extends JBot {} }", "C.java": "class C extends JBot {}"}, "C"),
        ({"A.java": 'class A { String s = "class X {"; }', "B.java": "class B extends JBot{}"}, "B"),
        *[
            ({"a.java": f"class A {{ Object o = {constant}; }}\nclass B extends JBot {{}}"}, "B")
            for constant in ["'{'", "'}'", "'\"'", "'\\''", '"""\n{ "a\\""" " {"""']
        ],
        ({"a.java": "class X { int y() { return 1; } }\nclass Y { class Z { } static void main(String[] a) {} }"}, "Y"),
        ({"A.java": "class A extends JBot {}", "T.java": "class T { static void main(String[] a) {} }"}, "A"),
    ],
)
def test_the_class_that_is_started(sources, started):
    assert recipe("java", sources).run == ("java", started)


@pytest.mark.parametrize(
    ("language", "sources", "program"),
    [
        ("python", {"kaa.py": "import board", "board.py": ""}, "kaa.py"),
        ("python", {"a.py": "import os, b as x, c", "b.py": "from c import d", "c.py": ""}, "a.py"),
        ("python", {"a.py": "    from .b import c", "b.py": ""}, "a.py"),
        ("python", {"a.py": "from . import (b, c)", "b.py": "", "c.py": ""}, "a.py"),
        ("python", {"a.py": "from b.c import d", "b.py": "", "d.py": "import a"}, "d.py"),
        ("python", {"kaa.py": "import kaa", "b.py": "", "c.py": "import kaa, b"}, "c.py"),
        ("python", {"kaa.py": "", "test_kaa.py": "import kaa", "conftest.py": ""}, "kaa.py"),
        ("javascript", {"kaa.js": "const b = require('./board')", "board.js": ""}, "kaa.js"),
        ("javascript", {"kaa.mjs": 'import { run } from "./board.mjs"', "board.mjs": ""}, "kaa.mjs"),
        ("javascript", {"kaa.js": 'require("./b.js")', "b.js": "", "kaa.test.js": 'require("./kaa")'}, "kaa.js"),
        ("ruby", {"kaa.rb": 'require_relative "board"', "board.rb": 'require "kaa"'}, "kaa.rb"),
        ("ruby", {"kaa.rb": "require './board'\nload('./x.rb')", "board.rb": "", "x.rb": ""}, "kaa.rb"),
        ("rust", {"kaa.rs": "pub(crate) mod board;\nmod x;", "board.rs": "mod inside { }", "x.rs": ""}, "kaa.rs"),
    ],
)
def test_the_source_that_no_other_uses_is_the_program(language, sources, program):
    plan = recipe(language, sources)
    assert program in (plan.build[0] if plan.build else plan.run)


def refusal(language, sources, sdk=SDK):
    with pytest.raises(NoRecipeError) as refused:
        recipe(language, sources, sdk)
    return str(refused.value)


@pytest.mark.parametrize(
    ("program", "is_one"),
    [
        *((name, True) for name in ("python3", "python", "python3.12", "pypy3", "node", "nodejs", "java", "ruby3.1")),
        *((name, True) for name in ("perl", "php8.2", "lua5.4", "sh", "bash")),
        *((name, False) for name in ("gcc", "make", "kaa", "pythonista", "", "3")),
    ],
)
def test_interpreters_are_known_by_name(program, is_one):
    assert languages.is_interpreter(program) is is_one


@pytest.mark.parametrize(
    ("language", "sources", "part"),
    [
        ("cpp", named("a.h", "src/a.cpp"), "there is no C++ source (.cpp, .cc, .cxx) in the folder"),
        ("cpp", named("-fplugin=x.cpp"), "may not begin with '-'"),
        ("java", named("@args.java"), "may not begin with '@'"),
        ("python", named("a.py", "b.py"), "a.py, b.py could each be the program: call one main.py"),
        ("rust", named(*(f"{letter}.rs" for letter in "abcdef")), "a.rs, b.rs, c.rs, d.rs, … could each"),
        ("pascal", {"a.pas": "unit a;"}, "begin one with `program NAME;`"),
        ("pascal", {"main.pas": "{ Delphi }\nlibrary Ant;"}, "main.pas is a library, and nothing here loads it"),
        ("pascal", {"kaa.dpr": "library Kaa;"}, "kaa.dpr is a library, and nothing here loads it"),
        ("pascal", {"a.pas": PROGRAM, "b.pas": PROGRAM}, "a.pas, b.pas could each be the program: call the bot's main"),
        ("pascal", {"a.pas": "library a;", "b.pas": "library b;"}, "a.pas, b.pas could each be the program"),
        ("python", {"a.py": "import b", "b.py": "import a"}, "a.py, b.py could each be the program"),
        ("python", {"a.py": "import b", "b.py": "", "c.py": "import b"}, "a.py, c.py could each be the program"),
        ("python", {"test_a.py": "import a", "a_test.py": ""}, "a_test.py, test_a.py could each be the program"),
        ("java", {"A.java": "class A {}"} | {"B.java": "class B {}"}, "no class extends JBot or has a main"),
        ("java", {"kaa.java": "class Kaa { int main; }"}, "no class extends JBot or has a main"),
        ("java", {"A.java": "abstract class A extends JBot {}", "B.java": "class B {}"}, "no class extends JBot"),
        ("java", {"A.java": "class A extends JBot {}", "B.java": "class B extends JBot {}"}, "A, B could each"),
    ],
)
def test_sources_without_a_clear_program_are_refused(language, sources, part):
    assert part in refusal(language, sources)


@given(st.sampled_from(languages.names()), st.dictionaries(st.text(min_size=1), st.text(), max_size=4))
def test_any_sources_give_a_recipe_or_a_refusal(language, sources):
    found = languages.find(language)
    odd = {f"{name}{found.suffixes[0]}": text for name, text in sources.items()}
    with suppress(NoRecipeError):
        plan = found.recipe(odd, None)
        assert plan.run[0]
        assert all(not name.startswith(("-", "@")) for command in plan.build for name in command if name in odd)


@pytest.mark.parametrize("language", languages.every(), ids=lambda language: language.name)
@pytest.mark.parametrize(
    "piece", ["/* ", "(* ", "{ ", "{$I ", '\\"', "\n", "uses ", "class A ", "class A{", "class A<", "<", '"""', "'"]
)
def test_a_source_takes_no_time_that_grows_with_the_square_of_its_length(language, piece):
    """Some of these would take minutes, others hours."""
    read_sources(language, piece * (2**19 // len(piece)))


@pytest.mark.parametrize("language", languages.every(), ids=lambda language: language.name)
@pytest.mark.parametrize("start", ["{$I", "from ", "require", "require_relative"])
@pytest.mark.parametrize("piece", [" ", "a"])
def test_a_word_that_does_not_end_takes_no_such_time_either(language, start, piece):
    read_sources(language, start + piece * (2**19 // len(piece)))


def read_sources(language: Language, text: str) -> None:
    """Read two sources, so that the recipe asks which of them uses the other."""
    suffix = language.suffixes[0]
    sources = {f"bot{suffix}": f"{text}class Bot {{ void main(", f"other{suffix}": ""}
    with suppress(NoRecipeError):
        language.recipe(sources, SDK)
    if language.spelling is not None:
        language.spelling.additions(sources, sources, SDK)


@pytest.mark.parametrize("language", languages.every(), ids=lambda language: language.name)
def test_every_language_has_idioms_without_a_final_full_stop(language):
    assert language.idioms != Idioms()
    for text in (language.idioms.flush, language.idioms.log, language.idioms.read):
        assert text
        assert not text.endswith((".", ";"))


def test_every_language_is_complete():
    assert languages.names() == ["c", "cpp", "go", "java", "javascript", "pascal", "python", "ruby", "rust"]
    for language in languages.every():
        assert languages.find(language.name) is language
        assert language.tools
        plan = language.recipe({f"main{language.suffixes[0]}": "class main extends JBot {}"}, None)
        programs = [language.tools[0].program] if language.compiler is not None else []
        assert [command[0] for command in plan.build] == programs, "a command names the tool by its first name"
        for suffix in language.suffixes:
            assert languages.by_suffix(f"a/b{suffix}") is language
    suffixes = languages.suffixes()
    assert len(suffixes) == len(set(suffixes))
    assert languages.by_suffix("bot") is languages.by_suffix("x.txt") is None


@pytest.mark.parametrize(
    ("name", "hint"),
    [("C++", "cpp"), ("js", "javascript"), ("pas", "pascal"), ("javscript", "javascript"), ("Rust", "rust")],
)
def test_an_unknown_name_gets_a_suggestion(name, hint):
    with pytest.raises(
        UsageError, match=f"^there is no language '{re.escape(name)}': did you mean {hint}\\? There are "
    ):
        languages.find(name)


def test_an_unknown_language():
    with pytest.raises(UsageError) as refused:
        languages.find("co\x1bbol")
    assert str(refused.value) == (
        "there is no language 'co\\x1bbol': there are c, cpp, go, java, javascript, pascal, python, ruby, rust"
    )


def test_a_tool_is_known_by_each_of_its_names():
    packages = {"clang++": "g++", "nodejs": "nodejs", "javac": "default-jdk-headless", "make": "make", "php": "php-cli"}
    assert {name: languages.tool(name).package for name in packages} == packages
    assert languages.tool("frobnicate") is None


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("cpp", "main.cpp:3:5: warning: unused variable 'x' [-Wunused-variable]"),
        ("pascal", 'main.pas(5,16) Note: Local variable "error" is assigned but never used'),
        ("java", "Note: Main.java uses unchecked or unsafe operations."),
        ("rust", "warning: unused variable: `error`"),
    ],
)
def test_a_warning_is_not_an_error(language, line):
    assert not languages.find(language).error.search(line)
