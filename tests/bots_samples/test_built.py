"""The compiled sample bots: each gives valid, repeatable answers on awkward boards and beats a weak sample."""

from __future__ import annotations

import subprocess
from itertools import groupby

import pytest
import trio
from bots_samples.boards import AWKWARD
from bots_samples.loading import ready
from games.playing import shipped
from sdk.snakes import AreaInfo
from seating import contenders

from referee import bots, games
from referee.contract.clock import Clock, TimeControl
from referee.match import loop
from referee.players.table import seat_players
from referee.sandbox.cells.bare import BareSandbox

GAME = games.find("snakecore")
NAMES = sorted(set(bots.samples(GAME.name)) - set(bots.samples(GAME.name, own_runtime=True)))
ROUNDS = 100
"""A third of a whole match. The margins are far wider than the test needs."""
# Far more than the bots need: a busy machine must not decide a match.
TIME = TimeControl(first=60, answer=30, total=None)

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="session", params=NAMES)
def bot(request, tmp_path_factory):
    """Each of them, built. The test is skipped if its compiler or its runtime is missing."""
    return ready(request.param, tmp_path_factory.mktemp("built"))


def answers(bot, boards):
    """The name and the answers of a new process that gets these boards, one after the other."""
    text = "getName\n" + "".join(f"getAction\n{board}\n" for board in boards)
    done = subprocess.run(
        bot.argv, cwd=bot.cwd, env=bot.env, input=text.encode(), capture_output=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    name, *letters = done.stdout.decode().splitlines()
    return name, letters


def test_compiled_samples_are_in_four_languages():
    assert {bots.find(name).language.name for name in NAMES} == {"cpp", "java", "javascript", "pascal"}


def test_valid_and_repeatable_answers_on_every_board(bot):
    """Each process gets boards of one size and one number of pythons, as in a match, and each board four times.

    The largest boards get the same answers from a second process.
    """
    for _, group in groupby(sorted(AWKWARD.values(), key=shape), shape):
        boards = [board for board in group for _ in range(4)]
        name, letters = answers(bot, boards)
        assert name == bot.name
        for board, letter in zip(boards, letters, strict=True):
            assert AreaInfo.parse(board).outcome(letter).kind != "skip", f"a wasted turn:\n{board}"
    assert answers(bot, boards) == (name, letters)


def shape(board):
    """The size of the field and the number of pythons."""
    size, *lines = board.splitlines()
    return int(size), len(lines) - int(size)


def test_collector_is_beaten(bot):
    """In a fixed duel, the bot has no fault and at least three times the points of a weak sample."""

    async def duel():
        setup = GAME.maps.setup(shipped(GAME.name)["duel"], seats=2, rng_seed=1, rounds=ROUNDS)
        async with seat_players(BareSandbox(), GAME, contenders([bots.find("collector"), bot])) as players:
            return await loop.play(GAME.start(setup, 1), players, [Clock(TIME), Clock(TIME)])

    outcome = trio.run(duel)
    assert [ranked for ranked in outcome.ranking if ranked.disqualified] == []
    points = {ranked.name: ranked.score for ranked in outcome.ranking}
    assert points[bot.name] >= 3 * points["Collector"] > 0, points
