"""A folder without a manifest: the bot that its files make it, or why it is none and what to do. A ZIP file of it is the same."""

import re
import shutil
import tomllib
import zipfile
from pathlib import Path

import pytest

from referee.bots import Manifest, find, sources
from referee.bots.folders import innermost, nested_bot
from referee.errors import BotError

BOTS = Path(__file__).parents[2] / "bots"
ASP = (BOTS / "asp" / "asp.ava").read_text(encoding="utf-8")
NEWT = (BOTS / "newt" / "newt.viper").read_text(encoding="utf-8")
SH, BASH = "#!/bin/sh\n", "#!/usr/bin/env bash\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def put(files: dict[str, str]) -> Path:
    """The folder `team` with these files."""
    for name, text in files.items():
        path = Path("team", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Path("team").absolute()


def zipped() -> str:
    """A ZIP file of what is in the folder."""
    with zipfile.ZipFile("team.zip", "w") as file:
        for path in sorted(Path("team").rglob("*")):
            file.write(path, path.relative_to("team"))
    return "team.zip"


def refusal(word: str) -> str:
    with pytest.raises(BotError) as refused:
        find(word)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize(("name", "text", "game"), [("asp.ava", ASP, "ava"), ("newt.viper", NEWT, "viper")])
def test_one_program_in_a_games_own_language_is_the_bot(name, text, game):
    put({name: text, "README.md": "", "run.sh": SH, "old/asp.ava": "?"})
    for word in ("team", zipped()):
        bot = find(word)
        assert (bot.name, bot.games, bot.argv) == ("team", (game,), ())
        assert bot.policy is not None


@pytest.mark.parametrize(("text", "shell"), [(SH, "sh"), (BASH, "bash"), ("# no bash\n", "sh")])
def test_one_shell_script_is_the_bot_whether_it_may_be_executed_or_not(text, shell):
    team = put({"play.sh": text, "notes.txt": ""})
    for word, folder in (("team", team), (zipped(), None)):
        bot = find(word)
        assert (bot.name, bot.argv, bot.unbuilt) == ("team", [shutil.which(shell), "play.sh"], None)
        assert folder is None or bot.cwd == folder
    alone = find("team/play.sh")
    assert (alone.name, alone.argv, alone.cwd) == ("play", [shutil.which(shell), "play.sh"], team)
    assert alone.files == {"play.sh": team / "play.sh"}


def test_a_script_beside_sources_is_a_tool_of_their_author():
    put({"main.py": "", "build.sh": SH, "run.sh": SH})
    bot = find("team")
    assert bot.language is not None
    assert bot.argv[1:] == ["main.py"]


def test_sources_in_one_language_are_the_bot(monkeypatch):
    team = put(dict.fromkeys(("kaa.cpp", "board.cpp", "board.h", "notes.txt", "tools/tune.py"), ""))
    bot = find("team")
    assert (bot.name, bot.argv, bot.cwd, bot.files, bot.trusted) == ("team", ["./bot"], team, None, False)
    assert (bot.games, bot.lifetime) == ([], None)
    assert bot.unbuilt.build[0][-2:] == ("board.cpp", "kaa.cpp")
    monkeypatch.chdir(team)
    assert find(".").name == "team"


def test_a_broken_link_counts_as_a_manifest():
    (put({"kaa.py": ""}) / "bot.toml").symlink_to("nowhere")
    assert "bot.toml cannot be read" in refusal("team")


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (["a.py", "b.py"], "the folder team has no bot.toml: a.py, b.py could each be the program: call one main.py, or write "),
        (["a.ava", "b.viper"], "team has no bot.toml, and a.ava, b.viper could each be the bot: leave only one there"),
        (["a.sh", "b.sh"], "team has no bot.toml, and a.sh, b.sh could each be the bot: leave only one there"),
        (["main.py", "kaa.cpp", "make.sh"], "team has no bot.toml, and its sources are in C++ and Python: write one with a "),
        (["MAIN.PY"], "team has no bot.toml: MAIN.PY does not have the suffix of a source file: rename it to MAIN.py"),
        (["main.py.txt"], "main.py.txt does not have the suffix of a source file: rename it to main.py"),
        (["Asp.AVA"], "Asp.AVA does not have the suffix of a source file: rename it to Asp.ava"),
        (["notes.txt"], "team has no bot.toml: write one with a `name = \"My bot\"` and `language = \"python\"`"),
        ([], "team has no bot.toml and no other file: put the source of the bot there"),
        (["a.ZIP", "notes.txt"], "team has no bot.toml, and a.ZIP in it is a ZIP file: use that file"),
        (["a\nb.sh"], "run.1: a command may not have control characters"),
    ],
)  # fmt: skip
def test_what_is_no_bot_is_told_why_and_what_to_do(files, says):
    Path("team").mkdir()
    put(dict.fromkeys(files, ""))
    assert says in refusal("team")


@pytest.mark.parametrize(("files", "language"), [([], "python"), (["kaa.cpp", "board.cpp", "main.py"], "cpp")])
def test_the_example_of_a_manifest_is_valid(files, language):
    put({"notes.txt": "", **dict.fromkeys(files, "")})
    example = "\n".join(re.findall("`(.*?)`", refusal("team")))
    assert Manifest.model_validate(tomllib.loads(example)).language == language


def test_a_folder_whose_bot_lies_deeper_names_its_place():
    put({"README.md": "", "a/b/clara/main.py": "", "a/b/clara/lib/x.py": ""})
    for word in ("team", zipped()):
        says = f"the folder {word} has no bot.toml, and main.py lies in {word}/a/b/clara: name or zip that folder"
        assert refusal(word) == says


def test_folders_around_everything_in_a_zip_file_are_taken_off():
    put({"a/b/clara/main.py": "", "a/b/clara/lib/board.py": ""})
    bot = find(zipped())
    assert (bot.name, bot.argv[1:], bot.cwd.parts[-3:]) == ("team", ["main.py"], ("a", "b", "clara"))


def test_a_folder_beside_another_is_not_around_everything():
    put({"a/b/clara/main.py": "", "a/notes.txt": ""})
    assert innermost(Path("team").absolute()) == Path("team/a").absolute()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["x/run.sh", "x/y/z/main.py"], "x/y/z/main.py"),
        (["x/run.sh"], "x/run.sh"),
        (["x/y/a.py", "z/b.py"], "z/b.py"),
        ([".git/hook.py", "__MACOSX/x.py", "x/._main.py"], None),
        (["main.py"], None),
    ],
)
def test_what_lies_below_is_the_manifest_or_source_that_is_the_least_deep(files, expected):
    lowest = nested_bot(put(dict.fromkeys(files, "")))
    assert (lowest and str(lowest)) == expected


def test_no_more_than_so_many_bytes_of_all_sources_are_read(monkeypatch):
    monkeypatch.setattr(sources, "TEXTS", 10)
    folder = put({"book1.py": "123456", "book2.py": "123456", "main.py": "run"})
    files = {name: folder / name for name in ("book1.py", "book2.py", "gone.py", "main.py")}
    assert sources.texts(files) == {"book1.py": "123456", "book2.py": "1234", "main.py": ""}
