"""Starter kits: each can be written with any valid name, and no file is overwritten."""

import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import games, languages
from referee.bots import starter
from referee.errors import UsageError
from referee.files import assets

KITS = [(language, game) for game in games.names() for language in starter.languages_for(game)]
LONGEST = "Bot #1 (fast): a_b+c-d, e&f. Go!"
"""A name of the maximum length with every punctuation mark that a name may have."""
EVERY_KIT = pytest.mark.parametrize(("language", "game"), KITS, ids=["-".join(kit) for kit in KITS])


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A kit with a subfolder, an executable file, a binary file and a __pycache__."""
    folder = tmp_path / "kit"
    (folder / "part" / "__pycache__").mkdir(parents=True)
    (folder / "main.py").write_text('print("@NAME@")  # @NAME@\n')
    (folder / "bot.toml").write_text('name = "@NAME@"\n')
    (folder / "README.md").write_text("A bot.\n")
    (folder / "part" / "table.bin").write_bytes(b"\xff@NAME@\x00")
    (folder / "part" / "__pycache__" / "x.pyc").write_bytes(b"")
    (folder / "tool").write_text("#!/bin/sh\n")
    (folder / "tool").chmod(0o755)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_main_game_has_a_kit_in_every_language():
    assert starter.languages_for(games.find().name) == languages.names()


@pytest.mark.parametrize("game", games.names())
def test_every_game_has_a_kit_that_needs_no_compiler(game):
    assert "python" in starter.languages_for(game)


@EVERY_KIT
def test_every_kit_is_complete(language, game, tmp_path):
    written = starter.write(starter.kit(language, game), tmp_path / "bot", LONGEST)
    assert written[0].name == "bot.toml"
    manifest = tomllib.loads(written[0].read_text())
    assert (manifest["name"], manifest["games"]) == (LONGEST, [game])
    assert manifest.get("language", language) == language
    assert ("language" in manifest) == (language in languages.names())
    assert {path.name for path in written} == {"bot.toml", "README.md", *sources(manifest, written)}
    for path in written:
        assert b"@NAME@" not in path.read_bytes(), path


def sources(manifest, files):
    """The names of a bot's sources: by the suffixes of its language, or as its manifest names them."""
    if "language" in manifest:
        suffixes = {*languages.find(manifest["language"]).suffixes, ".mod"}
        names = {path.name for path in files if path.suffix in suffixes}
    else:
        names = {path.name for path in files} & {manifest.get("program"), *manifest.get("run", ())}
    assert names
    return names


@EVERY_KIT
def test_every_kit_has_the_placeholder_and_a_readme_with_commands(language, game):
    """The placeholder for the name is also outside the manifest, and the README has a command that tries the bot."""
    folder = starter.kit(language, game)
    files = {name: text for name, text in tree(folder).items() if "__pycache__" not in name}
    assert sum(starter.PLACEHOLDER in text for name, text in files.items() if name != "bot.toml") >= 1
    readme = files["README.md"].decode()
    assert readme.startswith("# @NAME@\n")
    commands = re.findall(r"^referee (?:check|play) .*", readme, re.MULTILINE)
    assert len(commands) >= 1
    for command in commands if game != games.find().name else ():
        assert game in command.replace("=", " ").split()


def test_a_kit_is_found_by_its_folder_alone(tmp_path, monkeypatch):
    """Languages without a compiler in `referee.languages`, and a game's own language, need no registration."""
    for language, how in (("lisp", 'run = ["sbcl"]'), ("chess", 'program = "a.chess"'), ("perl", 'run = ["perl"]')):
        kit = tmp_path / language / "starter" / "chess"
        kit.mkdir(parents=True)
        (kit / "bot.toml").write_text(f'name = "@NAME@"\n{how}\n')
    (tmp_path / "python").mkdir()
    (tmp_path / "README.md").write_text("")
    monkeypatch.setattr(assets, "folder", lambda _name: tmp_path)
    there = ["chess", "lisp", "perl"]
    assert starter.languages_for("chess") == there
    assert starter.kit("lisp", "chess") == tmp_path / "lisp" / "starter" / "chess"
    assert [starter.title(language) for language in ("lisp", "cpp")] == ["lisp", "C++"]
    tools = {language: [tool.package for tool in starter.tools(language, "chess")] for language in there}
    assert tools == {"chess": [], "lisp": ["sbcl"], "perl": ["perl"]}
    says = r"^chess has no starter kit in 'Lisp' \(did you mean 'lisp'\?\): there are kits in chess, lisp, perl$"
    with pytest.raises(UsageError, match=says):
        starter.kit("Lisp", "chess")
    with pytest.raises(UsageError, match=r"^chess has no starter kit in '\.\./l'"):
        starter.kit("../l", "chess")


def test_a_kit_is_copied_with_the_name_in_it(kit, tmp_path):
    written = starter.write(kit, tmp_path / "new" / "bot", "Wanda 2")
    folder = tmp_path / "new" / "bot"
    assert tree(folder) == {
        "bot.toml": b'name = "Wanda 2"\n', "main.py": b'print("Wanda 2")  # Wanda 2\n',
        "part/table.bin": b"\xffWanda 2\x00", "tool": b"#!/bin/sh\n", "README.md": b"A bot.\n",
    }  # fmt: skip
    assert written == [folder / name for name in ("bot.toml", "README.md", "main.py", "part/table.bin", "tool")]
    assert os.access(folder / "tool", os.X_OK)
    assert not os.access(folder / "main.py", os.X_OK)


def test_an_existing_folder_must_be_empty(kit, tmp_path):
    folder = tmp_path / "bot"
    folder.mkdir()
    assert starter.write(kit, folder, "Wanda")
    before = tree(folder)
    with pytest.raises(UsageError, match=r"bot is not empty: name a new folder"):
        starter.write(kit, folder, "Otto")
    assert tree(folder) == before


def test_a_file_that_appears_while_writing_is_not_overwritten(kit, tmp_path, monkeypatch):
    read = Path.read_bytes

    def write_first(path: Path) -> bytes:
        (tmp_path / "bot" / "tool").write_text("mine")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", write_first)
    with pytest.raises(UsageError, match="tool cannot be written: File exists"):
        starter.write(kit, tmp_path / "bot", "Wanda")
    assert (tmp_path / "bot" / "tool").read_text() == "mine"


@pytest.mark.parametrize("folder", ["bot", "bot/inner"])
def test_a_file_in_place_of_a_folder_is_not_touched(folder, kit, tmp_path):
    (tmp_path / "bot").write_text("mine")
    with pytest.raises(UsageError, match=f"{folder} cannot be written: (File exists|Not a directory)"):
        starter.write(kit, tmp_path / folder, "Wanda")
    assert (tmp_path / "bot").read_text() == "mine"


@pytest.mark.parametrize("name", ["a", "My bot", LONGEST, "x" * 32])
def test_names_that_are_valid_in_every_language(name):
    assert starter.check_name(name) == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x" * 33, "has 33 characters, 32 are allowed"),
        ("Удав" * 9, "has 36 characters, 32 are allowed"),
        ("", "cannot be a bot's name in every language"),
        ("Удав", "use letters from a to z and A to Z, digits, "),
        (" a", "spaces between them"),
        ("a ", "spaces between them"),
        *((f"a{mark}b", "cannot be a bot's name") for mark in "\"'`\\{}%*/$?<>@;~^|\t\n\x7f"),
    ],
)
def test_names_that_are_invalid_in_some_language(name, words):
    with pytest.raises(UsageError, match=words) as refused:
        starter.check_name(name)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("my-bot", "my-bot"),
        ("bots/Wanda_2", "Wanda_2"),
        ("Jürgen's bot", "Jurgen s bot"),
        ("Удав", starter.UNNAMED),
        ("x" * 50, "x" * 32),
        ("x" * 31 + " yz", "x" * 31),
        ('a"b\\c`d', "a b c d"),
    ],
)
def test_the_default_name_comes_from_the_folder(folder, name):
    assert starter.name_for(Path(folder)) == name


def test_the_current_folder_gives_a_name(tmp_path, monkeypatch):
    (tmp_path / "wanda").mkdir()
    monkeypatch.chdir(tmp_path / "wanda")
    assert starter.name_for(Path()) == "wanda"
    assert starter.name_for(Path("../wanda/")) == "wanda"


@given(st.text(st.characters(exclude_characters="/\x00", exclude_categories=["Cs"]), min_size=1))
def test_every_folder_gives_a_valid_name(folder):
    name = starter.name_for(Path(folder))
    assert starter.check_name(name) == name


def test_a_game_without_kits_is_an_error():
    with pytest.raises(UsageError, match=r"chess has no starter kit in 'python': it has no kits"):
        starter.kit("python", "chess")
