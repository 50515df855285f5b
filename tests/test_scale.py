"""Many concurrent matches in one process have no wrong faults, and a long match does not leak memory."""

import shutil
import subprocess
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest
import trio
from seating import contenders

from referee import games
from referee.contract.clock import Clock
from referee.contract.game import Answer, Entrant, Request, Step
from referee.contract.positions import Position
from referee.match import loop
from referee.players.base import Player
from referee.players.table import seat_players
from referee.sandbox.cells.bare import BareSandbox
from referee.sandbox.program import Program
from referee.saved.record import Recorder, header_line, load

pytestmark = pytest.mark.machine

GAME = games.find("snakecore")
SEED = 7
FIELD = [".....b..", "..b.....", "...WW...", ".e.R....", "....R.e.", "...WW...", ".....b..", "..b....."]
INSTANT = Path(__file__).parent.parent / "scripts" / "instant.c"


def setup(rounds: int) -> Position:
    """Two pythons in opposite corners of a small field with blocks and reactors."""
    return {"size": 8, "rounds": rounds, "field": FIELD, "pythons": [{"cells": [[0, 0]]}, {"cells": [[7, 7]]}]}


def recorder(path: Path, rounds: int) -> Recorder:
    header = header_line(
        GAME, GAME.time, [Entrant("a")] * 2, rng_seed=SEED, setup=setup(rounds), created="2026-01-31T12:00:00Z", referee="",
    )  # fmt: skip
    return Recorder(path, header)


@pytest.fixture
def bot(tmp_path: Path) -> Program:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("cc is not installed")
    program = tmp_path / "instant"
    subprocess.run([compiler, "-O1", "-o", str(program), str(INSTANT)], check=True)
    return Program("instant", [str(program)], INSTANT.parent)


async def test_each_of_64_concurrent_matches_equals_the_match_that_runs_alone(bot, tmp_path):
    async def play(name: str) -> None:
        async with seat_players(BareSandbox(), GAME, contenders([bot, bot])) as players:
            state = GAME.start(setup(15), SEED)
            clocks = [Clock(GAME.time), Clock(GAME.time)]
            await loop.play(state, players, clocks, recorders=[recorder(tmp_path / name, 15)])

    await play("alone.jsonl")
    names = [f"{number}.jsonl" for number in range(64)]
    async with trio.open_nursery() as nursery:
        for name in names:
            nursery.start_soon(play, name)
    alone = steps_of(tmp_path / "alone.jsonl")
    assert len(alone) == 32
    for name in names:
        assert steps_of(tmp_path / name) == alone


def steps_of(path: Path) -> list[tuple[object, ...]]:
    """The answers, faults and events of a saved game, without times."""
    record = load(path)
    assert record.result.reason == "rounds"
    return [
        (step.ask, [(one.seat, one.answer, one.fault) for one in step.answers], step.events) for step in record.steps
    ]


class Walks(Player):
    """A player without a process that walks in circles."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.turn = 0

    async def ask(self, request: Request[object], clock: Clock) -> Answer[str]:
        GAME.encode(request)
        if request.ask == "getName":
            return Answer(self.seat, "walks", "walks", 0.0)
        self.turn += 1
        letter = "RRDDLLUUNA"[self.turn % 10]
        return Answer(self.seat, letter, letter, 0.0)

    async def end(self, *, grace: float) -> None: ...


class Scales:
    """An observer that measures the allocated memory every thousand steps."""

    def __init__(self) -> None:
        self.weights: list[int] = []

    def step(self, step: Step) -> None:
        if step.number % 1000 == 0:
            self.weights.append(tracemalloc.get_traced_memory()[0])


async def test_memory_does_not_grow_in_a_match_of_three_thousand_rounds(tmp_path):
    scales = Scales()
    state = GAME.start(setup(3000), SEED)
    clocks = [Clock(GAME.time), Clock(GAME.time)]
    tracemalloc.start()
    try:
        recorders = [recorder(tmp_path / "long.jsonl", 3000)]
        await loop.play(state, [Walks(0), Walks(1)], clocks, recorders=recorders, observers=[scales.step])
    finally:
        tracemalloc.stop()
    assert len(scales.weights) == 6
    for earlier, later in pairwise(scales.weights):
        assert later - earlier < 50_000  # if steps were kept, a thousand of them would be some hundred kilobytes
