"""How bots are found by what users name (folders, sources, programs, commands, samples), built and started."""

import os
from pathlib import Path

import pytest
from bots.test_plain import refusal

from referee import languages
from referee.bots import Unbuilt, environment, find, samples, sources
from referee.bots.sources import matching_files
from referee.errors import BotError
from referee.files import assets
from referee.sandbox.limits import Limits
from referee.sandbox.runtimes import base_python
from referee.sandbox.staging import stage

PYTHON = str(base_python())
SDK = assets.folder("sdk")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """Puts programs into the only folder on PATH."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(*names: str) -> Path:
        for name in names:
            (folder / name).write_text("#!/bin/sh\n")
            (folder / name).chmod(0o755)
        return folder

    return put


def folder(manifest: str, *files: str, name: str = "bot") -> Path:
    path = Path(name).absolute()
    path.mkdir()
    (path / "bot.toml").write_text(f'name = "Kaa"\n{manifest}')
    for file in files:
        (path / file).parent.mkdir(parents=True, exist_ok=True)
        (path / file).write_text("")
    return path


def test_a_language_determines_build_and_run():
    path = folder('language = "c"\n', "kaa.c")
    bot = find("bot")
    assert (bot.name, bot.argv, bot.cwd, bot.files, bot.trusted) == ("Kaa", ["./bot"], path, None, False)
    assert bot.language.name == "c"
    command = ("gcc", "-std=c17", "-O2", "-pipe", "-o", "bot", "kaa.c", "-lm")
    assert bot.unbuilt == Unbuilt((command,), ("./bot",), {}, None)


def test_the_build_command_has_the_path_of_the_sdk():
    folder('language = "cpp"\n', "kaa.cpp")
    unbuilt = find("bot").unbuilt
    assert unbuilt.sdk == SDK / "cpp"
    assert str(SDK / "cpp") in unbuilt.build[0]


def test_build_and_run_are_overridden_independently():
    folder('language = "cpp"\nbuild = [["make", "-I{sdk}"]]\n', "src/kaa.cpp", name="a")
    folder('language = "c"\nrun = ["./bot", "--fast"]\n', "kaa.c", name="b")
    folder('language = "c"\nbuild = []\nrun = ["./kaa"]\n', "kaa", name="c")
    Path("c/kaa").chmod(0o755)
    make, fast, none = (find(name) for name in "abc")
    assert make.unbuilt == Unbuilt((("make", f"-I{SDK / 'cpp'}"),), ("./bot",), {}, SDK / "cpp")
    assert fast.unbuilt.build[0][0] == "gcc"
    assert fast.unbuilt.run == ("./bot", "--fast")
    assert (none.unbuilt, none.argv) == (None, [str(Path("c/kaa").absolute())])


def test_without_a_language_build_and_run_are_used(tools):
    tools("perl")
    folder('build = [["make"]]\nrun = ["./out/kaa"]\n', name="a")
    folder('run = ["perl", "kaa.pl"]\n', "kaa.pl", name="b")
    assert find("a").unbuilt == Unbuilt((("make",),), ("./out/kaa",))
    assert (find("b").unbuilt, find("b").argv) == (None, [str(Path("tools/perl").absolute()), "kaa.pl"])


@pytest.mark.parametrize(
    ("line", "own"),
    [
        ("#!/usr/bin/env python3", True),
        ("#! /usr/bin/python", True),
        ("#!/usr/bin/env python3.9", False),
        ("#!/usr/bin/python3 -O", False),
        ("#!/usr/bin/env -S python3 -u", False),
        ("#!/bin/sh", False),
        ("# python3", False),
    ],
)
def test_a_script_in_a_folder_is_run_by_the_python_of_the_referee(line: str, own: bool):
    folder('run = ["./play", "--fast"]\n', "play")
    script = Path("bot/play").absolute()
    script.write_text(f"{line}\nprint()\n")
    script.chmod(0o755)
    assert find("bot").argv == ([PYTHON, "./play", "--fast"] if own else [str(script), "--fast"])


def test_python_bots_run_with_the_python_of_the_referee():
    folder('language = "python"\n', "main.py", "more.py", name="a")
    folder('run = ["python3", "x.py"]\n', "x.py", name="b")
    assert (find("a").argv, find("a").unbuilt) == ([PYTHON, "main.py"], None)
    assert find("b").argv == [PYTHON, "x.py"]


def test_files_selects_the_files_of_the_bot():
    names = ("a.c", "notes.txt", "lib/b.h", "lib/deep/c.h", "tests/d.c")
    path = folder('language = "c"\nfiles = ["*.c", "lib/"]\n', *names)
    bot = find("bot")
    assert bot.files == {name: path / name for name in ("a.c", "lib/b.h", "lib/deep/c.h")}
    assert "a.c" in bot.unbuilt.build[0]


@pytest.mark.parametrize(
    ("pattern", "fits", "fits_not"),
    [
        ("main.py", ["main.py"], ["a/main.py", "main.pyc", "xmain.py", "mainxpy"]),
        ("*.py", ["a.py", ".py"], ["a/b.py", "a.pyc"]),
        ("data", ["data/a", "data/b/c"], ["data2", "x/data"]),
        ("data/", ["data/a"], ["database"]),
        ("data/*.txt", ["data/a.txt"], ["data/b/a.txt", "a.txt"]),
        ("src/**", ["src/a", "src/a2/b"], ["srcs/a"]),
        ("*/*.h", ["a/b.h"], ["b.h", "a/b/c.h"]),
        ("a?c", ["abc", "a.c"], ["ac", "a2/c", "abbc"]),
        ("[ab].py", ["a.py"], ["[ab].py", "c.py"]),
    ],
)
def test_a_pattern_has_a_name_per_folder_and_selects_the_contents_of_folders(tmp_path, pattern, fits, fits_not):
    for name in [*fits, *fits_not]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert sorted(matching_files(tmp_path, [pattern])) == sorted(fits)


def test_patterns_match_without_exponential_backtracking(tmp_path):
    (tmp_path / ("a" * 250)).touch()
    endless = ["*a" * 60 + "b", "*?" * 60 + "b"]
    assert matching_files(tmp_path, endless) == {}, "with backtracking this takes practically forever"


def test_no_more_than_so_many_files_of_a_folder_are_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "FILES", 2)
    for name in "abc":
        (tmp_path / name).touch()
    assert list(matching_files(tmp_path, ["*"])) == ["a", "b"]


def test_patterns_do_not_follow_links(tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "a.c").write_text("int secret;")
    path = folder('language = "c"\nfiles = ["**"]\n', "a.c")
    (path / "all").symlink_to(secret)
    (path / "b.c").symlink_to(secret / "a.c")
    assert set(find("bot").files or ()) == {"bot.toml", "a.c", "all", "b.c"}
    Path("link").symlink_to(path)
    assert "is a symbolic link: name the folder itself" in refusal("link")


@pytest.mark.parametrize(
    ("manifest", "part"),
    [
        ('language = "java"\n', "bot.toml: there is no Java source (.java) in the folder: write `build` and `run`"),
        ('language = "c"\nfiles = ["*.c"]\n', "bot.toml: files: no file in the folder matches *.c"),
        ('run = ["python3", "gone.py"]\n', "bot.toml: run names gone.py, which is not in the folder"),
        (
            'build = [["fpc", "-Fu{sdk}", "a.pas"]]\nrun = ["./a"]\n',
            "build: `{sdk}` needs a language with an SDK: add `language`, one of cpp, java",
        ),
        ('build = [["make", "{sdk}"]]\nlanguage = "c"\n', "needs a language with an SDK: add `language`, one of cpp"),
        ('run = ["./gone"]\n', "there is no program ./gone: build it first, or correct the path"),
        ('run = ["./bot.toml"]\n', "./bot.toml may not be executed: run chmod +x on it"),
        ('run = ["java", "Kaa"]\n', "there is no program 'java' on PATH: sudo apt install default-jdk-headless"),
        ('run = ["frobnicate"]\n', "there is no program 'frobnicate' on PATH: install it, or write ./frobnicate"),
    ],
)
def test_folders_that_are_not_bots(tools, manifest, part):
    tools()
    folder(manifest)
    assert part in refusal("bot")
    assert refusal("bot").isprintable()


@pytest.mark.parametrize(
    ("file", "text", "argv", "command"),
    [("kaa.c", "", ["./bot"], "gcc"), ("Kaa.java", "class Kaa extends JBot {}", ["java", "Kaa"], "javac")],
)
def test_a_source_file_is_a_bot(file, text, argv, command):
    Path(file).write_text(text)
    Path("beside.h").write_text("")
    bot = find(file)
    assert (bot.name, bot.argv, bot.cwd) == (Path(file).stem, argv, Path.cwd())
    assert bot.files == {file: Path(file).absolute()}
    assert bot.unbuilt.build[0][0] == command
    assert file in bot.unbuilt.build[0]


def test_a_source_that_needs_no_build_is_started_directly(tools):
    node = tools("node") / "node"
    Path("kaa.js").write_text("")
    Path("kaa.py").write_text("")
    assert (find("kaa.js").argv, find("kaa.js").unbuilt) == ([str(node), "kaa.js"], None)
    assert (find("kaa.py").argv, find("kaa.py").trusted) == ([PYTHON, "kaa.py"], True)


def test_a_tool_is_found_by_its_other_name(tools):
    node = tools("nodejs") / "nodejs"
    Path("kaa.mjs").write_text("")
    assert find("kaa.mjs").argv == [str(node), "kaa.mjs"]


NO_SOURCE = "a source file (.c "


@pytest.mark.parametrize(
    ("word", "text", "says"),
    [
        ("kaa.js", "", ["bot kaa.js: there is no program 'node' on PATH: sudo apt install nodejs"]),
        ("kaa.java", "interface Kaa {}", ["kaa.java: no class extends JBot or has a main"]),
        *((file, b"\xff\xfe#\0", [f"{file}: {file} is UTF-16: save it as UTF-8"]) for file in ("a.cpp", "A.java", "a.py")),
        ("kaa.txt", "", [f"kaa.txt is neither {NO_SOURCE}", "nor a program: run chmod +x on it, or write cmd:'INTERPRETER kaa"]),
        ("no such bot", None, ["name a folder with bot.toml, a ZIP file of one, " + NO_SOURCE, "sample bot (", "oracle"]),
    ],
)  # fmt: skip
def test_files_that_are_not_bots(tools, word, text, says):
    tools()
    if text is not None:
        Path(word).write_bytes(text if isinstance(text, bytes) else text.encode())
    assert all(part in refusal(word) for part in says)


@pytest.mark.parametrize("word", ["kaa", "./kaa", "Rex=./kaa"])
def test_a_program_is_started_directly(word):
    Path("kaa").write_text("#!/bin/sh\n")
    Path("kaa").chmod(0o755)
    bot, same = find(word), find("cmd:./kaa")
    assert (bot.argv, bot.cwd, bot.files, bot.trusted) == (same.argv, same.cwd, same.files, True)
    assert bot.name == ("Rex" if "=" in word else "kaa")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("cmd:python3 kaa.py --depth 7", "kaa"),
        ("cmd:python3 -u in/rex.py kaa.py", "rex"),
        ("cmd:tools/perl5.36 kaa.py", "kaa"),
        ("cmd:python3 -m json.tool", "python3"),
        ("cmd:python3 gone.py", "python3"),
        ("cmd:python3 in", "python3"),
        ("cmd:cat kaa.py", "cat"),
        ("Rex=cmd:python3 kaa.py", "Rex"),
    ],
)
def test_the_file_that_an_interpreter_runs_names_the_bot(tools, word, name):
    tools("python3", "cat", "perl5.36")
    Path("in").mkdir()
    for file in ("kaa.py", "in/rex.py"):
        Path(file).write_text("")
    assert find(word).name == name


@pytest.mark.parametrize("word", ["./venv/bin/python", "venv/bin/python", PYTHON])
def test_the_interpreter_that_a_command_names_by_its_path_is_no_file_of_the_bot(word):
    Path("venv/bin").mkdir(parents=True)
    Path("venv/bin/python").symlink_to(PYTHON)
    Path("venv/pyvenv.cfg").touch()
    Path("kaa.py").touch()
    assert find(f"cmd:{word} kaa.py").files == {"kaa.py": Path("kaa.py").absolute()}


@pytest.mark.parametrize("code", ["pass;" * 100, "pass;" * 2000], ids=["longer than a name", "longer than a path"])
def test_a_word_of_a_command_may_be_longer_than_any_path(tools, code):
    tools("python3")
    bot = find(f"Kaa=cmd:python3 -c '{code}'")
    assert (bot.name, bot.argv[1:], bot.files) == ("Kaa", ["-c", code], {})


@pytest.mark.parametrize(
    ("word", "files"),
    [("in", ["in/a.py"]), ("in/../kaa.py", ["kaa.py"]), (".", []), ("in/..", []), (str(Path(PYTHON).parent), [])],
)
def test_a_command_has_the_files_of_a_folder_below_its_own(tools, word, files):
    tools("python3")
    Path("in").mkdir()
    for file in ("kaa.py", "in/a.py"):
        Path(file).touch()
    assert [*find(f"cmd:python3 {word}").files] == files


@pytest.mark.parametrize("words", ["{} lib/a.py", "lib/a.py {}"])
def test_a_command_whose_file_elsewhere_has_the_name_of_its_folder_is_refused(tools, words, tmp_path_factory):
    tools("python3")
    Path("lib").mkdir()
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for file in (elsewhere / "lib", Path("lib/a.py")):
        file.write_text("")
    bot = find(f"cmd:python3 {words.format(elsewhere / 'lib')}")
    with pytest.raises(BotError, match="lib is there twice, as a file and as a folder"):
        stage(bot, elsewhere / "copy", Limits())
    assert not (elsewhere / "copy").exists()


@pytest.mark.parametrize("name", ["MAIN.CPP", "main.Cpp", "MAIN.PAS", "Main.Dpr"])
def test_a_suffix_may_be_in_any_case_if_the_compiler_accepts_it(name):
    Path("bot").mkdir()
    Path("bot", name).write_text("")
    assert find("bot").language == find(f"bot/{name}").language == languages.by_suffix(name.lower())


@pytest.mark.parametrize("name", ["MAIN.PY", "main.Py", "MAIN.C"])
def test_otherwise_a_suffix_in_capitals_gets_an_error_with_the_right_name(name):
    Path(name).touch()
    words = f"{name} does not have the suffix of a source file: rename it to {name[:4]}{name[4:].lower()}"
    assert refusal(name) == f"{name}: {words}"


def test_where_the_game_is_known_only_its_samples_are_listed():
    with pytest.raises(BotError) as refused:
        find("no such bot", "ants")
    assert str(refused.value).endswith(f"or a sample bot ({', '.join(samples('ants'))})")


def test_the_samples_that_need_nothing_installed():
    names = samples("snakecore", own_runtime=True)
    assert [name for name in samples("snakecore") if name in names] == names, "in the order of strength"
    for name in names:
        bot = find(name)
        assert (bot.argv[0], bot.unbuilt) == (PYTHON, None)
    others = set(samples("snakecore")) - set(names)
    assert others
    for name in others:
        bot = find(name)
        assert bot.unbuilt is not None or bot.argv[0] != PYTHON


@pytest.mark.parametrize("name", samples())
def test_every_sample_has_its_games_and_a_language(name):
    bot = find(name)
    assert bot.language is not None or bot.policy is not None
    assert bot.games


def test_a_game_that_does_not_exist_has_no_samples():
    assert samples("chess") == []


def test_the_environment_has_the_sdks_and_no_variables_of_the_user(monkeypatch):
    monkeypatch.setenv("API_TOKEN", "a secret")
    variables = environment()
    assert "API_TOKEN" not in variables
    assert variables["PYTHONPATH"] == str(SDK / "python")
    assert variables.get("NODE_PATH", str(SDK / "javascript")) == str(SDK / "javascript")
    assert {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}.items() <= variables.items()


@pytest.mark.parametrize(
    ("manifest", "games"),
    [
        ('name = "x"\nlanguage = "python"\ngames = ["egghunt"]', ["egghunt"]),
        ('name = "x"\nlanguage = "cpp"\ngames = ["egghunt"]', []),
        ('games = "egghunt"', []),
        (None, []),
    ],
)
def test_a_source_plays_the_games_of_the_manifest_beside_it(tmp_path, manifest, games):
    (tmp_path / "main.py").write_text("")
    if manifest is not None:
        (tmp_path / "bot.toml").write_text(manifest)
    assert list(find(str(tmp_path / "main.py")).games) == games
