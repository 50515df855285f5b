"""`referee new`: the files it writes, its messages, and that the new bot plays without changes."""

import json
import re
import shlex
import shutil
import zipfile

import pytest
from cli.conftest import Ran
from languages.present import needs

from referee import bots, games, languages
from referee.bots import starter
from referee.cli import new

pytestmark = pytest.mark.machine

MAIN = "snakecore"
NAME = "Bot #1 (fast): a_b+c-d, e&f. Go!"
"""A name with every punctuation mark that a name may have."""
WITH_SDK = {"cpp", "java", "javascript", "pascal", "python"}
"""Languages whose kits read and write by an SDK, which tests/sdk/test_dialogue.py tests. A command of bots.md checks Python's."""
KITS = [(game.name, name) for game in games.every() for name in starter.languages_for(game.name)]
PLAYING = [(game, name) for game, name in KITS if game != MAIN or name in WITH_SDK]
"""The kits that play a match only."""
QUICK = {"egghunt": ["--map=single"]}
"""Maps that are faster to play on than the default one."""


def here(game, name):
    """A kit as a parameter; it is skipped if its tools are not installed."""
    missing = [tool.program for tool in starter.tools(name, game) if not any(map(shutil.which, tool.programs))]
    absent = pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")
    return pytest.param(game, name, marks=needs(name) if name in languages.names() else absent, id=f"{game}-{name}")


def test_the_files_of_a_new_bot_are_listed(referee):
    ran = referee.ok("new", "python", "wanda", err="")
    lines = ["wanda: wanda, a bot in Python", "  bot.toml", "  README.md", "  main.py", "next:"]
    assert ran.out.splitlines()[:5] == lines


def commands(written: Ran) -> list[list[str]]:
    """The commands that the output suggests next."""
    return [shlex.split(line) for line in written.out[written.out.index("next:") :].splitlines()[1:]]


@pytest.mark.parametrize(("game", "language"), [here(*kit) for kit in KITS if kit not in PLAYING])
def test_every_kit_that_reads_its_input_itself_passes_check_under_any_name(game, language, referee):
    referee.ok("new", language, "first", "--name", NAME, "--game", game)
    checked = referee("check", "first", "--json", "--matches", "1", code=0)
    [name] = [step["note"] for step in json.loads(checked.out)["steps"] if step["title"].startswith("answers getName")]
    assert name == f'"{NAME}"'


@pytest.mark.parametrize(("game", "language"), [here(*kit) for kit in PLAYING])
def test_every_other_kit_plays_under_any_name(game, language, referee):
    written = referee.ok("new", language, "first", "--name", NAME, "--game", game, err="")
    play, check = commands(written)
    assert check == ["referee", "check", "first", *([f"--game={game}"] if game != MAIN else [])]
    assert set(play[3:-1]) <= set(bots.samples(game, own_runtime=True))
    patient = ("--rounds=12", "--first=60s", "--answer=60s", *QUICK.get(game, []))
    played = referee.ok(*play[1:], *patient, "--seed=1", "--json", "-o", "played.jsonl")
    players = {player["seat"]: player for player in json.loads(played.out)["players"]}
    assert (players[0]["name"], players[0]["disqualified"]) == (NAME, None)
    assert players[0]["moves"] > 0
    assert '"fault"' not in (referee.folder / "played.jsonl").read_text(), "a turn without a usable answer"


@pytest.mark.parametrize(("words", "says"), [
    (["c++", "wanda"], "snakecore has no starter kit in 'c++': there are kits in c, cpp, "),
    (["ava", "wanda"], "snakecore has no starter kit in ava, but ava has: add --game ava"),
    (["python"], "the bot needs a folder: write referee new python FOLDER"),
    (["go", "wanda", "--game", "egghunt"], "egghunt has no starter kit in 'go': there are kits in "),
    (["python", "wanda", "--name", 'Wanda "the best"'], "cannot be a bot's name in every language"),
    (["--name", "Wanda"], "--name names a new bot: write referee new LANGUAGE FOLDER"),
    (["--kit", "ants", "-o", "no/kit.zip"], "there is no folder no: create it first"),
    (["--kit", "ants"], "a contest's kit is for all languages: write referee new --kit GAME -o FILE.zip"),
    (["--kit", "ants", "--game", "ants", "-o", "kit.zip"], "a contest's kit is for all languages"),
])  # fmt: skip
def test_wrong_arguments_give_an_error_of_one_line(words, says, referee):
    assert says in referee.refused("new", *words)
    assert list(referee.folder.iterdir()) == []


@pytest.mark.parametrize("game", games.names())
def test_without_a_language_all_are_listed_with_their_tools(game, referee):
    table, _, last = referee.ok("new", "--game", game, err="").out.partition("\n\n")
    listed = dict(re.fullmatch(r"(\w+)  +(.*)", line).groups() for line in table.splitlines())
    assert list(listed) == starter.languages_for(game)
    assert all(state.startswith(starter.title(name)) for name, state in listed.items())
    runs_itself = {name for name, state in listed.items() if "the referee runs it itself" in state}
    assert runs_itself == {name for name in listed if not starter.tools(name, game)}
    option = "" if game == MAIN else f" --game={game}"
    assert last == f"write a first bot: referee new LANGUAGE FOLDER{option}\n"


def test_missing_tools_are_named_with_their_packages(monkeypatch, capsys, tmp_path):
    there = {"python3", "java"}
    monkeypatch.setattr(new.shutil, "which", lambda program: program if program in there else None)
    new.new()
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if "  " in line}
    assert lines["python"].endswith("python3")
    assert lines["cpp"].endswith("needs g++: sudo apt install g++")
    assert lines["java"].endswith("needs javac: sudo apt install default-jdk-headless")
    there.clear()
    assert new.needs(languages.find("java").tools) == "needs javac and java: sudo apt install default-jdk-headless"
    new.new("cpp", tmp_path / "wanda")
    assert "\nC++ needs g++: sudo apt install g++\n" in capsys.readouterr().out


def test_a_tilde_stands_for_the_home_folder(referee):
    referee("new", "python", "~/mine", environ={"HOME": str(referee.folder)}, code=0)
    assert (referee.folder / "mine" / "main.py").is_file()


def test_a_bot_in_a_folder_whose_name_no_bot_can_have_gets_another_one(referee):
    ran = referee.ok("new", "python", "Удав")
    play, _ = commands(ran)
    referee.ok(*play[1:], "--rounds", "2")
    assert "the bot's name is My bot, because 'Удав' is not a valid name; --name gives it another" in ran.out


def test_the_kit_of_a_contest_is_a_zip_file(referee):
    ran = referee("new", "--kit", "ants", "-o", "kit.zip")
    assert (ran.code, ran.out, ran.err) == (0, "kit.zip: a kit for Ants; begin with its README.md\n", "")
    with zipfile.ZipFile(referee.folder / "kit.zip") as archive:
        assert archive.testzip() is None
        assert "ants-kit/README.md" in archive.namelist()


def test_a_kit_overwrites_nothing(referee):
    (referee.folder / "kit.zip").write_text("mine")
    ran = referee("new", "--kit", "ants", "-o", "kit.zip")
    assert (ran.code, ran.err) == (0, "kit.zip existed already: it was renamed to kit.1.zip\n")
    assert (referee.folder / "kit.1.zip").read_text() == "mine"
    (referee.folder / "link.zip").symlink_to("nowhere.zip")
    referee.ok("new", "--kit", "ants", "-o", "link.zip")
    assert not (referee.folder / "nowhere.zip").exists()
