"""Programs in any language are built by their language's recipe and play, each in its cell."""

from dataclasses import replace

import pytest
from languages.present import needs
from seating import Hears, contenders

from referee import languages
from referee.bots import find
from referee.contract.clock import Clock, TimeControl
from referee.games.snakecore.plugin import GAME
from referee.match import loop
from referee.players.table import seat_players
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox

PATIENT = TimeControl(first=45.0, answer=45.0, total=None)
LANGUAGES = {
    "c": "in C",
    "c-static": "in C",
    "cpp": "in C++",
    "pascal": "in Pascal",
    "java": "in Java",
    "javascript": "in JavaScript",
    "python": "in Python",
    "rust": "in Rust",
    "go": "in Go",
    "ruby": "in Ruby",
}
SCRIPT = """\
while read -r ask; do
    if [ "$ask" = getName ]; then echo 'in sh'; continue; fi
    read -r rows
    while [ "$rows" -gt -2 ]; do read -r line; rows=$((rows - 1)); done
    echo N
done
"""
"""For two players: two lines follow the map. It starts no process, which no player may."""
FIVE = ["python", "cpp", "pascal", "java", "javascript"]


async def play(level, bots, rounds=3, game=GAME, taps=None, pondering=True):
    """Plays one match on an empty field; returns the state after it and the clocks."""
    pythons = [{"cells": [[0, 2 * seat]]} for seat in range(len(bots))]
    size = 2 * len(bots)
    state = GAME.start({"size": size, "rounds": rounds, "field": ["." * size] * size, "pythons": pythons}, 7)
    clocks = [Clock(PATIENT) for _ in bots]
    with open_sandbox(level) as sandbox:
        async with seat_players(sandbox, game, contenders(bots, taps=taps), pondering=pondering) as players:
            return await loop.play(state, players, clocks), clocks


def assert_played(outcome, clocks, name):
    """Both players, of this name, answered to the end of the third round."""
    assert (outcome.reason, outcome.rounds) == ("rounds", 3)
    assert {ranked.name for ranked in outcome.ranking} == {name}
    assert [clock.answers for clock in clocks] == [4, 4]


def test_every_language_has_a_player():
    assert set(LANGUAGES) - {"c-static"} == set(languages.names())


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("level", [Level.FULL, Level.NONE])
@pytest.mark.parametrize("name", [pytest.param(name, marks=needs(name.removesuffix("-static"))) for name in LANGUAGES])
async def test_it_plays(language, name, level, together):
    """Over pipes, and over sockets, as in games that ask several seats at the same moment."""
    heard, game = bytearray(), replace(GAME, together=together)
    outcome, clocks = await play(level, [await language(name)] * 2, game=game, taps=[Hears(heard.extend)] * 2)
    assert_played(outcome, clocks, LANGUAGES[name])
    assert set(bytes(heard).splitlines()) <= {b"asked for its name"}, "its runtime writes to stderr of its own accord"


@pytest.mark.parametrize("level", [Level.FULL, Level.NONE])
async def test_a_folder_with_a_shell_script_plays(tmp_path, level):
    folder = tmp_path / "shelly"
    folder.mkdir()
    (folder / "play.sh").write_text(SCRIPT)
    outcome, clocks = await play(level, [find(str(folder))] * 2)
    assert_played(outcome, clocks, "in sh")


@needs("javascript")
@pytest.mark.parametrize("together", [True, False])
async def test_the_log_of_node_arrives(language, together):
    """Node checks the kind of socket of its streams, and drops output to a kind that it does not know."""
    heard = bytearray()
    bots = [await language("javascript")] * 2
    await play(Level.FULL, bots, game=replace(GAME, together=together), taps=[Hears(heard.extend), None])
    assert heard == b"asked for its name\n"


@needs(*FIVE)
@pytest.mark.parametrize("pondering", [True, False])
async def test_five_languages_play_one_match(language, pondering):
    outcome, _ = await play(Level.FULL, [await language(name) for name in FIVE], rounds=30, pondering=pondering)
    assert (outcome.reason, outcome.rounds) == ("rounds", 30)
    assert {ranked.seat: ranked.name for ranked in outcome.ranking} == {
        seat: LANGUAGES[name] for seat, name in enumerate(FIVE)
    }
