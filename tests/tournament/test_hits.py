"""What a pattern hits: bots, what was meant as one with the reason why it cannot play, and strays that are only mentioned."""

import json
import os
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from cli.conftest import WALKER
from tournament.conftest import Cup

from referee import games
from referee.errors import UsageError
from referee.tournament.entering import list_bots
from referee.tournament.field import Unready
from referee.tournament.hits import Hit, hits
from referee.tournament.settings import settings_in

pytestmark = pytest.mark.machine

BOTS = Path(__file__).parents[2] / "bots"
Field = tuple[list[str], dict[str, Unready]]
ASP = (BOTS / "asp" / "asp.ava").read_text(encoding="utf-8")
NEWT = (BOTS / "newt" / "newt.viper").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def put(folder: Path, files: Mapping[str, str]) -> None:
    """Write these files; those that end in .zip hold the file of their text's first line with the rest."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".zip" and "\n" in text:
            inner, _, text = text.partition("\n")
            with zipfile.ZipFile(path, "w") as file:
                file.writestr(inner, text)
        else:
            path.write_text(text, encoding="utf-8")


def field(files: Mapping[str, str], *words: str, game: str = "snakecore", folder: str = "cup") -> Field:
    """The names of the bots that these words find, and what takes no part by its name."""
    path = Path(folder)
    put(path, files)
    (path / "tournament.toml").write_text(f'name = "Cup"\ngame = "{game}"\nbots = {json.dumps(words)}\n')
    candidates, unready = list_bots(path, settings_in(path), games.find(game))
    return [candidate.bot.name for candidate in candidates], {bot.name: bot for bot in unready}


def test_a_program_of_a_games_own_language_is_a_bot_in_every_form() -> None:
    files = {"t/a/a.ava": ASP, "t/b.ava": ASP, "t/c.zip": f"x/c.ava\n{ASP}", "t/d/d.ava": ASP, "t/d/README.md": ""}
    assert field(files, "t/*", game="ava") == (["a", "b", "c", "d"], {})


def test_why_a_program_cannot_play_names_its_file_and_no_folder() -> None:
    _, unready = field({"t/b.ava": "name: X\nnonsense\n"}, "../cup/t/*", game="ava")
    assert unready["b"].why.startswith("b.ava, line 2, column 1: ")


def test_a_folder_with_a_shell_script_is_a_bot_and_a_script_beside_bots_is_a_stray() -> None:
    files = {"t/a/play.sh": "#!/bin/sh\n", "t/b.zip": "play.sh\n#!/bin/sh\n", "t/fetch.sh": "#!/bin/sh\n"}
    names, unready = field(files, "t/*")
    assert names == ["a", "b"]
    script = unready["fetch.sh"]
    assert script.stray
    assert "give any other program a folder of its own" in script.why
    assert field({}, "t/fetch.sh") == (["fetch"], {}), "named by itself it is one"


@pytest.mark.parametrize(("files", "name", "why"), [
    ({"t/ada/deep/er/main.py": ""}, "ada", "main.py lies in ada/deep/er: name or zip that folder"),
    ({"t/ada.zip": "a/b/main.py\n", "t/bob.zip": "notes.txt\n"}, "bob", "the folder bob.zip has no bot.toml: write"),
    ({"t/ada/a.py": "", "t/ada/b.py": ""}, "ada", "a.py, b.py could each be the program: call one main.py"),
    ({"t/Ada.PY": ""}, "Ada.PY", "does not have the suffix of a source file: rename it to Ada.py"),
    ({"t/ada.py.txt": ""}, "ada.py.txt", "does not have the suffix of a source file: rename it to ada.py"),
    ({"t/ada.rar": ""}, "ada.rar", "an archive that ends in .rar cannot be read: unpack it, and zip the folder"),
])  # fmt: skip
def test_what_was_meant_as_a_bot_cannot_play(files: dict[str, str], name: str, why: str) -> None:
    _, unready = field({"t/ok.py": WALKER, **files}, "t/*")
    assert list(unready) == [name]
    assert why in unready[name].why
    assert "\n" not in unready[name].why
    assert not unready[name].stray


def test_a_bot_whose_interpreter_is_missing_is_not_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    names, unready = field({"t/ok.py": WALKER, "t/ada/main.rb": ""}, "t/*")
    assert names == ["ok"]
    assert "there is no program 'ruby' on PATH: sudo apt install ruby" in unready["ada"].why
    assert not unready["ada"].stray


@pytest.mark.parametrize(("files", "name", "why"), [
    ({"t/notes.txt": ""}, "notes.txt", "a file that ends in .txt is no bot: rename a source to end as `referee help"),
    ({"t/a\x1b.b\x1b": ""}, "a\ufffd.b\ufffd", r"a file that ends in .b\x1b is no bot"),
    ({"t/bot": ""}, "bot", "a file without a suffix is no bot: rename a source"),
    ({"t/pictures/x.png": ""}, "pictures", "the folder pictures has no bot.toml: write one with a"),
    ({"t/newt.viper": NEWT}, "newt", "it plays viper, not snakecore"),
    ({"t/kaa/newt.viper": NEWT}, "kaa", "it plays viper, not snakecore"),
    ({"t/kaa.zip": f"newt.viper\n{NEWT}"}, "kaa", "it plays viper, not snakecore"),
])  # fmt: skip
def test_strays_are_only_mentioned(files: dict[str, str], name: str, why: str) -> None:
    names, unready = field({"t/ok.py": WALKER, **files}, "t/*")
    assert (names, list(unready)) == (["ok"], [name])
    assert why in unready[name].why
    assert unready[name].stray
    assert Path("cup", unready[name].source).exists()


def test_a_link_that_leads_nowhere_was_meant_as_a_bot() -> None:
    Path("cup/t").mkdir(parents=True)
    Path("cup/t/ada.py").symlink_to("/home/ada/gone.py")
    names, unready = field({"t/ok.py": WALKER}, "t/*")
    assert (names, list(unready), unready["ada.py"].stray) == (["ok"], ["ada.py"], False)
    assert "a link that leads nowhere is no bot: put the file in its place" in unready["ada.py"].why


def test_what_is_no_bot_has_the_name_of_its_student() -> None:
    students = "file,name,id\nada.py.txt,Ada,1\ntwo,Bob,2\nempty,Cyd,3\nnotes.txt,Dan,4\n"
    files = {
        "t/ok.py": WALKER,
        "t/ada.py.txt": "",
        "t/two/a.py": "",
        "t/two/b.py": "",
        "t/notes.txt": "",
        "t/z.rar": "",
    }
    _, unready = field({**files, "students.csv": students}, "t/*")
    assert sorted(unready) == ["Ada", "Bob", "Dan", "z.rar"]
    assert unready["Bob"].why.startswith("the folder two has no bot.toml: a.py, b.py could each be the program")


def test_some_hits_need_no_word() -> None:
    quiet = [".git/x.py", ".hidden.py", "README.md", "LICENSE", "students.csv", "old/tournament.toml", "__MACOSX/a.py"]
    quiet += ["__pycache__/a.pyc", ".DS_Store", "System Volume Information/x", "Desktop.ini", "Thumbs.db"]
    files = {"t/ok.py": WALKER, **{f"t/{name}": "" for name in quiet}}
    assert field(files, "t/*") == (["ok"], {})


def test_what_is_the_tournaments_own_needs_no_word() -> None:
    own = [
        "ledger.sqlite", "ledger.sqlite-wal", "running", "games/x.jsonl.gz", "entrants/ab/files/a.py",
        "report/index.html",
    ]  # fmt: skip
    names, unready = field({"ok.py": WALKER, "deep/x/main.py": "", **dict.fromkeys(own, "")}, "*")
    assert (names, list(unready)) == (["ok"], ["deep"])


def test_a_folder_around_hits_and_files_in_the_folder_of_a_bot_need_no_word() -> None:
    bots = {f"{name}/main.py": WALKER for name in ("teams/a", "teams/b", "ok")}
    files = {**bots, "teams/a/notes.txt": "", "teams/x.txt": ""}
    names, unready = field(files, "*", "teams/*", "teams/*/*")
    assert (names, list(unready)) == (["ok", "a", "b", "main", "main#2"], ["x.txt"])


def test_a_pattern_without_bots_says_why_its_first_hit_is_none() -> None:
    why = r"bots\.0: nothing that 't/\*' fits is a bot: ada\.rar: an archive that ends in \.rar"
    with pytest.raises(UsageError, match=why):
        field({"t/ada.rar": "", "t/z.txt": ""}, "t/*")


@pytest.mark.usefixtures("instant")
def test_check_run_and_status_say_what_takes_no_part_and_strays_stop_nothing(cup: Cup) -> None:
    cup.only("asp", "boa")
    shutil.copy(BOTS / "newt" / "newt.viper", cup.folder / "bots")
    put(cup.folder / "bots", {"notes.txt": "", "z/Main.PY": WALKER})
    newt = "newt takes no part: it plays viper, not snakecore"
    notes = "notes.txt takes no part: a file that ends in .txt is no bot: rename a source to end as `referee help languages` "
    notes += "says, and give any other program a folder of its own"
    why = "the folder z has no bot.toml: Main.PY does not have the suffix of a source file: rename it to "
    checked = cup("check", cup.folder, "-q")
    assert {newt, notes} <= set(checked.out.splitlines())
    assert (checked.code, checked.out.splitlines()[-1]) == (4, "not ready: bots cannot be built: 1")
    ran = cup("run", cup.folder, "--strict")
    assert (ran.code, ran.err.splitlines()[-1]) == (4, f"referee: z cannot play: {why}Main.py")
    (cup.folder / "bots" / "z" / "Main.PY").rename(cup.folder / "bots" / "z" / "notes.md")
    ran = cup.ok("run", cup.folder, "--strict")
    assert [line for line in ran.err.splitlines() if "takes no part" in line][:2] == [newt, notes]
    assert {newt, notes} <= set(cup("status", cup.folder).out.splitlines())
    document = cup.json("status", cup.folder)
    assert [stray["name"] for stray in document["strays"]] == ["newt", "notes.txt", "z"]
    assert document["unready"] == []


@pytest.mark.usefixtures("instant")
def test_a_name_that_is_not_utf8_is_said_and_stops_nothing(cup: Cup) -> None:
    cup.only("asp", "boa")
    for name in (b"\xc0\xed\xff.py", b"\xc0.txt"):
        (cup.folder / "bots" / os.fsdecode(name)).write_text(WALKER)
    cup.ok("run", cup.folder)
    status = cup.json("status", cup.folder)
    [bot] = status["unready"]
    assert (bot["bot"], bot["why"]) == ("bots/\ufffd\ufffd\ufffd.py", "its name is not UTF-8: rename it")
    assert [stray["bot"] for stray in status["strays"]] == ["bots/\ufffd.txt"]


@pytest.mark.usefixtures("instant")
def test_strays_beyond_twenty_are_counted(cup: Cup) -> None:
    cup.only("asp", "boa")
    put(cup.folder / "bots", {f"{number:02}.txt": "" for number in range(22)})
    ran = cup("run", cup.folder)
    lines = [line for line in ran.err.splitlines() if "no part" in line]
    assert len(lines) == 21
    assert lines[-1] == f"2 more take no part: referee tournament status {cup.folder}"
    assert cup("status", cup.folder).out.count("takes no part") == 22


def test_a_folder_with_a_manifest_is_a_bot_whatever_is_wrong_with_it(tmp_path: Path) -> None:
    (tmp_path / "bots" / "bad").mkdir(parents=True)
    (tmp_path / "bots" / "bad" / "bot.toml").write_text("name = 5\n")
    assert hits(tmp_path, "bots/*") == [Hit(tmp_path / "bots" / "bad")]
