"""Names of players in views: the user's choice, else the bot's answer, else the bot's name; no two are equal."""

import re
import shutil

import pytest

from referee import bots, games
from referee.saved.record import load

pytestmark = pytest.mark.machine


def columns(out: str) -> set[str]:
    """The cells of a table, which are separated by two blanks or more or by `|`."""
    return {cell for line in out.splitlines() for cell in re.split(r"\s{2,}|\s*\|\s*", line)}


@pytest.mark.parametrize("game", games.names())
def test_every_game_shows_and_saves_the_name_that_the_user_gave(referee, game):
    sample = bots.samples(game, own_runtime=True)[0]
    own = bots.find(sample).name
    words = [f"Al={sample}", sample, "--rounds=4", "--seed=3", "--first=60s", "--answer=60s", "-o", "a.jsonl", "-q"]
    assert {"1 Al", f"2 {own}"} <= columns(referee.ok("play", *words, "--game", game).out)
    record = load(referee.folder / "a.jsonl")
    assert [(player.bot, player.given) for player in record.header.players[:2]] == [("Al", True), (own, False)]
    assert {"Al", own} <= columns(referee("replay", "a.jsonl").out)


def test_two_players_with_the_same_answer_get_different_names(referee, walker):
    wanda = walker("Wanda", "A")
    ran = referee("play", wanda, wanda, f"Zoe={wanda}", "--map", "crossroads", "--rounds", "1", "-o", "a.jsonl", "-v")
    assert {"1 Wanda", "2 Wanda#2", "3 Zoe"} <= columns(ran.out)
    assert {"Wanda", "Wanda#2", "Zoe"} <= columns(referee("replay", "a.jsonl", "--step", "4").out)
    assert all(f": {name} skips: no energy block\n" in ran.err for name in ("Wanda", "Wanda#2", "Zoe"))
    record = load(referee.folder / "a.jsonl")
    assert [player.bot for player in record.header.players] == ["wanda", "wanda#2", "Zoe"]
    assert record.result is not None
    assert {line.name for line in record.result.ranking} == {"Wanda"}, "the result has the answered names"


def test_reports_of_faults_show_the_given_name(referee, walker):
    broken = walker("Bea", "N")
    broken.write_text(broken.read_text().replace("turn += 1", "1/0"))
    ran = referee("play", f"Zoe={broken}", walker("Otto", "N"), "--map", "duel", "--rounds", "3", "-o", "a.jsonl")
    assert "seat 1, Zoe: exit at " in ran.out
    assert "seat 1, Zoe: exit: " in referee("ask", f"Zoe={broken}", "a.jsonl").out


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_hints_about_a_compiled_bot_refer_to_its_source_folder(referee, walker):
    """The built bot runs from another folder, which its author does not know."""
    folder = referee.folder / "reads"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "Reads"\nlanguage = "c"\nfiles = ["bot.c"]\n')
    (folder / "data.txt").write_text("here")
    (folder / "bot.c").write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        'int main(void) { if (!fopen("data.txt", "r")) { perror("data.txt"); exit(1); } return 0; }\n'
    )
    wanda = walker("Wanda", "N")
    missing = "  what to change: The sandbox has only the files that you named"
    assert missing in referee("play", "reads", wanda, "--map", "duel", "--rounds", "1", "-o", "a.jsonl").out
    assert missing in referee("ask", "reads", "a.jsonl").out
