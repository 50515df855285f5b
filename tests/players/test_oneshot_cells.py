"""Players with one process for each turn, in cells: the same verdicts, and several players at once."""

import os
import re
import shutil
import sys
from typing import Any

import pytest
import trio
from catalogue import says
from players.turning import ASKED, GAME_OF_TURNS, IMPATIENT, PATIENT, TURNS, judged, turn
from seating import contenders

from referee.contract.clock import Clock
from referee.players.table import seat_players
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import open_sandbox
from referee.sandbox.program import Program

pytestmark = pytest.mark.machine

PYTHON = shutil.which("python3", path="/usr/bin") or sys.executable
LIMITS = Limits(memory=256 * MIB)
ROWS = [
    ("honest", "none", r"4\nN\nmemory"),
    ("floods_log", "none", r"4\nN\nmemory"),
    ("exits_with_a_status", "exit", r'exited with status 3; it had written "4\nN\nmemory\n"'),
    ("leaves_a_daemon", "exit", "exited with status 1 and wrote nothing"),  # fork is forbidden in a cell
    ("never_ends", "timeout", r'it did not end within 2 s of its answer: "4\nN\nmemory\n"'),
]


def confined(name: str) -> Program:
    """A program of tests/programs/turns as a stranger's bot."""
    return Program(name, [PYTHON, "-S", "-B", f"{name}.py"], TURNS)


@pytest.mark.parametrize(("program", "verdict", "words"), ROWS, ids=lambda it: it if it.isidentifier() else "")
async def test_verdict(program, verdict, words):
    with open_sandbox(Level.FULL, LIMITS) as sandbox:
        async with seat_players(sandbox, GAME_OF_TURNS, contenders([confined(program)])) as (player,):
            answer = await judged(player, turn(), IMPATIENT if verdict == "timeout" else PATIENT)
    if verdict == "none":
        assert says(words).fullmatch(repr(answer.text)[1:-1]), answer
    else:
        assert (answer.action.kind, bool(says(words).fullmatch(answer.action.detail))) == (verdict, True), answer.action


async def test_several_players_at_once_for_several_turns():
    answers: list[Any] = []

    async def ask(player, seat, data):
        answers.append(await player.ask(turn(data, seat), Clock(PATIENT)))

    with open_sandbox(Level.FULL, LIMITS) as sandbox:
        bots = [confined("says_its_mind") for _ in range(5)]
        async with seat_players(sandbox, GAME_OF_TURNS, contenders(bots)) as players:
            for round_ in range(3):
                async with trio.open_nursery() as nursery:
                    for seat, player in enumerate(players):
                        nursery.start_soon(ask, player, seat, b"%d\n%d\n" % (round_, seat))
            pids = [player._process.cell.pid for player in players]
    assert sorted((answer.action, answer.seat) for answer in answers) == [
        ((b"%d" % round_, b"%d" % seat), seat) for round_ in range(3) for seat in range(5)
    ]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_a_player_that_takes_too_much_memory_fails_and_plays_on():
    with open_sandbox(Level.FULL, Limits(memory=48 * MIB)) as sandbox:
        async with seat_players(sandbox, GAME_OF_TURNS, contenders([confined("hoards")])) as (player,):
            for _ in range(2):
                answer = await player.ask(turn(ASKED), Clock(PATIENT))
                assert re.match(r"exited with status 1|used ", answer.action.detail), answer.action
    assert player.last_words(1) == ["MemoryError"]
