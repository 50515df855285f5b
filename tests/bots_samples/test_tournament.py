"""The strongest sample bot plays four matches on three maps, from every seat, against every second group of three others.

The bots and the game are deterministic, so the results are always the same. The margins are wide all the same: a bot can be
improved without a change of this test.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from bots_samples.loading import loaded
from games.playing import shipped
from sdk.snakes import AreaInfo

from referee import bots, games

GAME = games.find("snakecore")
BEST = "oracle"
OTHERS = ("courier", "hunter", "guard", "collector", "random")
GROUPS = list(combinations(OTHERS, 3))[:8:2]
MAPS = ("crossroads", "arena", "open", "crossroads")

pytestmark = pytest.mark.timeout(900)


def play(seats: list[str], map_name: str, seed: int) -> dict[str, float]:
    """The points of each bot in a match in this process."""
    state = GAME.start(GAME.maps.setup(shipped(GAME.name)[map_name], seats=4, rng_seed=seed), seed)
    choosing = [loaded(name).choose for name in seats]
    while due := state.requests():
        (request,) = due
        if request.ask == "getName":
            state.advance([seats[request.seat]])
            continue
        area = AreaInfo.parse(GAME.encode(request).decode())
        area.turn = state.round
        state.advance([choosing[request.seat](area)])
    return {line.name: line.score for line in state.current_result().ranking}


def test_the_strongest_bot_clearly_beats_the_others() -> None:
    ahead, met, points = Counter[str](), Counter[str](), Counter[str]()
    wins = 0
    for number, (group, map_name) in enumerate(zip(GROUPS, MAPS, strict=True)):
        turned = [*group[number % 3 :], *group[: number % 3]]
        score = play([*turned[:number], BEST, *turned[number:]], map_name, number)
        wins += score[BEST] == max(score.values())
        points.update(score)
        met.update(score.keys())
        ahead.update(name for name in score if score[BEST] > score[name])
    mean = {name: points[name] / met[name] for name in (BEST, *OTHERS)}
    summary = f"won {wins} of {len(MAPS)}; ahead {dict(ahead)} of {dict(met)}; mean points {mean}"
    assert wins >= 0.7 * len(MAPS), summary
    for name in OTHERS:
        assert ahead[name] >= 0.75 * met[name], summary
        assert mean[BEST] >= 1.3 * mean[name], summary


def test_every_sample_bot_takes_part() -> None:
    trained = "apprentice"  # test_apprentice.py
    assert {BEST, *OTHERS, trained} == set(bots.samples(GAME.name, own_runtime=True))  # the others: test_built.py
    assert {name for group in GROUPS for name in group} == set(OTHERS)
