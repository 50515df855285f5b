"""Bots that are programs in a game's own language: they are found by suffix, compiled at once and need no process."""

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from referee import games
from referee.bots import find, find_all, programs_of, samples
from referee.bots.programs import CAP
from referee.errors import BotError, ProgramError


@dataclass(frozen=True)
class Scripted:
    name: str

    def decide(self, request):
        return "N"


class Scripts:
    suffix = ".script"

    def compile(self, source, file):
        if b"!" in source:
            raise ProgramError(file, 1, source.index(b"!") + 1, "what is this?")
        return Scripted(source.decode().strip())


CHESS = replace(games.find("snakecore"), name="chess", programs=Scripts())


@pytest.fixture(autouse=True)
def chess(monkeypatch, tmp_path):
    known = games.every()
    monkeypatch.setattr(games, "_all_games", lambda: iter([*known, CHESS]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_is_found_by_its_suffix_and_compiled_at_once():
    Path("kaa.script").write_text("Kaa the wise\n")
    bot = find("kaa.script")
    assert (bot.name, bot.policy, bot.games) == ("kaa", Scripted("Kaa the wise"), ("chess",))
    assert (bot.argv, bot.unbuilt) == ((), None)
    found = find_all(["kaa.script", "Bagheera=kaa.script", "./kaa.script"])
    assert [b.name for b in found] == ["kaa", "Bagheera", "kaa#2"]


def test_a_folder_names_its_program():
    Path("kaa").mkdir()
    Path("kaa/a.script").write_text("Kaa")
    Path("kaa/bot.toml").write_text('name = "Kaa the snake"\nprogram = "a.script"\ngames = ["chess"]\n')
    bot = find("kaa")
    assert (bot.name, bot.policy, bot.games) == ("Kaa the snake", Scripted("Kaa"), ("chess",))


def test_a_syntax_error_has_file_line_and_column():
    Path("kaa.script").write_text("Kaa!")
    with pytest.raises(ProgramError, match=r"^kaa\.script, line 1, column 4: what is this\?$"):
        find("kaa.script")
    Path("kaa").mkdir()
    Path("kaa/bot.toml").write_text('name = "Kaa"\nprogram = "a.script"\n')
    with pytest.raises(BotError, match=r"kaa/a\.script cannot be read: No such file"):
        find("kaa")
    Path("kaa/a.script").write_text("!")
    with pytest.raises(ProgramError, match=r"kaa/a\.script, line 1, column 1: what is this\?"):
        find("kaa")


def test_pipes_and_long_files_are_refused():
    os.mkfifo("pipe.script")
    with pytest.raises(BotError, match=r"pipe\.script"):
        find("./pipe.script")
    Path("long.script").write_bytes(b"x" * (CAP + 1))
    with pytest.raises(BotError, match="is longer than 256 KiB"):
        find("long.script")


def test_the_suffix_determines_the_game():
    assert programs_of(Path("x.script"), "x.script")[0].name == "chess"
    with pytest.raises(BotError, match=r"x\.html: no game has programs with this suffix; the suffixes are .*\.script"):
        programs_of(Path("x.html"), "x.html")


def test_programs_count_as_samples_that_need_nothing_installed(monkeypatch, tmp_path):
    from referee.files import assets

    (tmp_path / "bots" / "kaa").mkdir(parents=True)
    (tmp_path / "bots/kaa/bot.toml").write_text('name = "Kaa"\nprogram = "a.script"\ngames = ["chess"]\nstrength = 3\n')
    monkeypatch.setattr(assets, "folder", lambda name: tmp_path / name)
    assert samples("chess", own_runtime=True) == ["kaa"]


def test_a_link_is_followed_only_if_the_user_named_it(tmp_path):
    (tmp_path / "kaa.txt").write_text("Kaa the wise\n")
    (tmp_path / "linked.script").symlink_to("kaa.txt")
    bot = find("linked.script")
    assert (bot.name, bot.policy) == ("linked", Scripted("Kaa the wise"))
    (tmp_path / "kaa").mkdir()
    (tmp_path / "kaa" / "kaa.script").symlink_to("../kaa.txt")
    (tmp_path / "kaa" / "bot.toml").write_text('name = "Kaa"\nprogram = "kaa.script"\n')
    with pytest.raises(
        BotError, match=r"^kaa/kaa.script cannot be read: it is a symbolic link: put a copy of the file in"
    ):
        find("kaa")


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("loop.script", "there is no bot 'loop.script': name a folder"),
        ("~nobody-here/x", "there is no bot '~nobody-here/x': name a folder"),
        ("x" * 300, "there is no bot 'xxx" if sys.version_info >= (3, 14) else "the bot 'xxx"),
        ("a\x1b[31m\n", "there is no bot 'a\\x1b[31m\\n': name a folder"),
        ("cmd:", "cmd: does not name a program: write cmd:'PROGRAM ARGS'"),
        ("cmd:a 'b", '"cmd:a \'b" cannot be split into words (No closing quotation): check its quotes'),
    ],
)
def test_errors_about_odd_names_are_clear(named, says, tmp_path):
    (tmp_path / "loop.script").symlink_to("loop.script")
    with pytest.raises(BotError) as refused:
        find(named)
    assert str(refused.value).startswith(says)
    assert str(refused.value).isprintable()
