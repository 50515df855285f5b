"""The sample bots are ranked in four matches on three maps, with the real referee and each bot as a process.

The bots and the game are deterministic, so the results are always the same. The margins are wide all the same: a bot can be
improved without a change of this test.
"""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import pytest
import trio
from seating import contenders

from referee import bots, games
from referee.contract.clock import TimeControl
from referee.contract.ranking import Outcome
from referee.files import assets
from referee.match import loop
from referee.players.table import seated
from referee.sandbox.cells.bare import BareSandbox

GAME = games.find("snakecore")
BEST = "oracle"
OTHERS = ("courier", "hunter", "guard", "collector", "random")
MAPS = ("crossroads", "arena", "open")
MATCHES = 4
# Far more than the bots need: a busy machine must not decide a match.
TIME = TimeControl(first=60, answer=30, total=None)


@dataclass(frozen=True)
class Pairing:
    """One match: the bots by seat, the map and the seed."""

    seats: tuple[str, ...]
    map_name: str
    seed: int


def pairings() -> Iterator[Pairing]:
    """The strongest bot against every second group of three others, on every map and from every seat."""
    groups = list(combinations(OTHERS, 3))
    for number in range(MATCHES):
        group = groups[2 * number]
        turned = group[number % 3 :] + group[: number % 3]
        seat = number % 4
        yield Pairing((*turned[:seat], BEST, *turned[seat:]), MAPS[number % len(MAPS)], number)


async def play(pairing: Pairing) -> Outcome:
    """Play one match with the real referee."""
    path = assets.folder("maps") / GAME.name / f"{pairing.map_name}.toml"
    setup = GAME.maps.setup(tomllib.loads(path.read_text()), seats=4, rng_seed=pairing.seed)
    state = GAME.start(setup, pairing.seed)
    async with seated(BareSandbox(), GAME, contenders([bots.find(name) for name in pairing.seats])) as players:
        return await loop.play(state, players, loop.clocks_for(TIME, 4))


async def tournament() -> list[tuple[Pairing, Outcome]]:
    """Play all matches, as many concurrently as there are processors."""
    results: list[tuple[Pairing, Outcome]] = []
    places = trio.CapacityLimiter(len(os.sched_getaffinity(0)))

    async def run_match(pairing: Pairing) -> None:
        async with places:
            results.append((pairing, await play(pairing)))

    async with trio.open_nursery() as nursery:
        for pairing in pairings():
            nursery.start_soon(run_match, pairing)
    return results


@pytest.fixture(scope="module")
def results() -> list[tuple[Pairing, Outcome]]:
    """The tournament, played once."""
    return trio.run(tournament)


pytestmark = pytest.mark.timeout(900)


def test_nobody_is_disqualified(results):
    faults = [ranked for _, outcome in results for ranked in outcome.ranking if ranked.disqualified]
    assert faults == []
    assert {outcome.reason for _, outcome in results} == {"rounds"}


def test_the_strongest_bot_clearly_beats_the_others(results):
    ahead: Counter[str] = Counter()
    met: Counter[str] = Counter()
    points: Counter[str] = Counter()
    wins = 0
    for pairing, outcome in results:
        score = {pairing.seats[ranked.seat]: ranked.score for ranked in outcome.ranking}
        wins += score[BEST] == max(score.values())
        points.update(score)
        for name in score.keys() - {BEST}:
            met[name] += 1
            ahead[name] += score[BEST] > score[name]
    mean = {name: points[name] / (met[name] or MATCHES) for name in (BEST, *OTHERS)}
    summary = f"won {wins} of {MATCHES}; ahead {dict(ahead)} of {dict(met)}; mean points {mean}"
    print(summary)
    assert wins >= 0.7 * MATCHES, summary
    for name in OTHERS:
        assert ahead[name] >= 0.75 * met[name], summary
        assert mean[BEST] >= 1.3 * mean[name], summary


def test_every_map_and_every_seat_is_played():
    played = list(pairings())
    assert len(played) == MATCHES
    assert {pairing.map_name for pairing in played} == set(MAPS)
    assert {pairing.seats.index(BEST) for pairing in played} == {0, 1, 2, 3}
    assert {name for pairing in played for name in pairing.seats} == {BEST, *OTHERS}


def test_every_sample_bot_takes_part():
    trained = "apprentice"  # test_apprentice.py
    assert {BEST, *OTHERS, trained} == set(bots.samples(GAME.name, own_runtime=True))  # the others: test_built.py
