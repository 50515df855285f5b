"""The names of players in views: the user's choice, or the answer, or the bot's name; all different."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import termios
from contextlib import suppress

import pytest

from referee import bots, games
from referee.record import load


def columns(out: str) -> set[str]:
    """The words of a table that stand between two blanks or more."""
    return {cell for line in out.splitlines() for cell in re.split(r"\s{2,}|\s*\|\s*", line)}


@pytest.mark.parametrize("game", games.names())
def test_in_every_game_the_name_that_the_user_gave_is_shown_and_saved(referee, game):
    sample = bots.samples(game, own_runtime=True)[0]
    own = bots.find(sample).name
    words = [f"Al={sample}", sample, "--rounds=4", "--seed=3", "--first=60s", "--answer=60s", "-o", "a.jsonl", "-q"]
    ran = referee("play", *words, "--game", game)
    assert ran.code == 0, ran.err
    assert {"1 Al", f"2 {own}"} <= columns(ran.out)
    record = load(referee.folder / "a.jsonl")
    assert [(player.bot, player.given) for player in record.header.players[:2]] == [("Al", True), (own, False)]
    assert {"Al", own} <= columns(referee("replay", "a.jsonl").out)


def test_a_bot_twice_is_told_apart_where_it_answers_one_name(referee, walker):
    wanda = walker("Wanda", "A")
    ran = referee("play", wanda, wanda, f"Zoe={wanda}", "--map", "crossroads", "--rounds", "1", "-o", "a.jsonl", "-v")
    assert {"1 Wanda", "2 Wanda#2", "3 Zoe"} <= columns(ran.out)
    assert {"Wanda", "Wanda#2", "Zoe"} <= columns(referee("replay", "a.jsonl", "--step", "4").out)
    assert all(f": {name} skips: no energy block\n" in ran.err for name in ("Wanda", "Wanda#2", "Zoe"))
    record = load(referee.folder / "a.jsonl")
    assert [player.bot for player in record.header.players] == ["wanda", "wanda#2", "Zoe"]
    assert record.result is not None
    assert {line.name for line in record.result.ranking} == {"Wanda"}, "what was answered"


def test_no_name_can_imitate_cells_of_a_table(referee, walker):
    bot = walker("Ann", "N")
    bot.write_text(bot.read_text().replace('print("Ann"', 'print("1 bot  | winner"'))
    blank = walker("Bea", "N")
    blank.write_text(blank.read_text().replace('print("Bea"', 'print("  "'))
    ran = referee("play", bot, f"Al  | 9={bot}", blank, "--map=crossroads", "--rounds=1", "-o", "a.jsonl", "-q")
    assert ran.code == 0, ran.err
    assert {"1 1 bot ¦ winner", "2 Al ¦ 9", "3 bea"} <= columns(ran.out)
    assert {"1 bot ¦ winner", "Al ¦ 9", "bea"} <= columns(referee("replay", "a.jsonl").out)
    record = load(referee.folder / "a.jsonl")
    assert record.result is not None
    assert [line.name for line in record.result.ranking] == ["1 bot  | winner", "1 bot  | winner", "  "]


def test_the_live_view_calls_them_so_too(referee):
    words = [
        "play",
        "Zebedee=cobra",
        "cobra",
        "cobra",
        "--game=ava",
        "--rounds=9",
        "-s",
        "3",
        "-o",
        "a.jsonl",
        "--speed=0",
    ]
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 120))
    with subprocess.Popen(
        referee.argv(*words), cwd=referee.folder, env=referee.environ({"TERM": "xterm"}),
        stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        while b"close" not in shown:  # over: the last page stays until a key closes it
            shown += os.read(ours, 65536)
        os.write(ours, b"q")
        with suppress(OSError):  # so a terminal tells that nobody holds it any more
            while more := os.read(ours, 65536):
                shown += more
    os.close(ours)
    view = shown.partition(b"\x1b[?1049l")[0]
    assert b"Zebedee" in view
    assert b"Cobra#2" in view
    assert process.returncode == 0


def test_who_has_no_name_to_answer_is_called_by_its_file(referee, walker):
    nameless = walker("Nemo", "N")
    nameless.write_text(nameless.read_text().replace('print("Nemo"', 'print(""'))
    broken = referee.folder / "broken.py"
    broken.write_text("1/0\n")
    ran = referee("play", nameless, broken, "--map", "duel", "--rounds", "1", "-o", "a.jsonl")
    assert {"1 nemo", "2 broken"} <= columns(ran.out)
    assert "seat 2, broken: exit at " in ran.out
    record = load(referee.folder / "a.jsonl")
    assert record.result is not None
    assert sorted(line.name for line in record.result.ranking) == ["player 1", "player 2"]


def test_the_name_that_was_given_stands_where_a_fault_is_told(referee, walker):
    broken = walker("Bea", "N")
    broken.write_text(broken.read_text().replace("turn += 1", "1/0"))
    ran = referee("play", f"Zoe={broken}", walker("Otto", "N"), "--map", "duel", "--rounds", "3", "-o", "a.jsonl")
    assert "seat 1, Zoe: exit at " in ran.out
    assert "seat 1, Zoe: exit: " in referee("ask", f"Zoe={broken}", "a.jsonl").out


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_the_author_of_a_bot_that_is_built_is_advised_on_its_own_folder(referee, walker):
    """The built bot is complete in another folder, which its author does not know."""
    folder = referee.folder / "reads"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "Reads"\nlanguage = "c"\nfiles = ["bot.c"]\n')
    (folder / "data.txt").write_text("here")
    (folder / "bot.c").write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        'int main(void) { if (!fopen("data.txt", "r")) { perror("data.txt"); exit(1); } return 0; }\n'
    )
    wanda = walker("Wanda", "N")
    listed = "  hint: The sandbox has only the files that `files` in bot.toml names: add it there.\n"
    assert listed in referee("play", "reads", wanda, "--map", "duel", "--rounds", "1", "-o", "a.jsonl").out
    assert listed in referee("ask", "reads", "a.jsonl").out
    alone = referee("ask", folder / "bot.c", "a.jsonl")
    assert (
        "  hint: The sandbox has only the files that the command names: make a folder with a bot.toml.\n" in alone.out
    )
