"""The sample bots for ants: each answers any request, keeps no state except an ant's memory, and has its stated strength."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
from bots_samples.loading import loaded, ready
from games.playing import shipped
from languages.present import require
from sdk.ants.asking import Asked, Cell, answers, at_random, cpp, pascal
from sdk.snakes import PlayGetAction

from referee import bots, games

ROOT = Path(__file__).parents[2]
GAME = games.find("ants")
NAMES = bots.samples("ants")
PYTHON = bots.samples("ants", own_runtime=True)
SANITIZED = ["-std=c++20", "-fsanitize=undefined", "-fno-sanitize-recover", "-static-libubsan"]
STAY = f"10 0 0 {'0' * 64}"

Answer = Callable[[str], str]


@cache
def answering(name: str) -> Answer:
    """A function that returns a Python bot's answer to a getAction."""
    asked = PlayGetAction._asked(loaded(name, "GetAction.py").GetAction)
    return lambda text: asked(text.encode().splitlines(keepends=True)[1:]).decode().rstrip("\n")


@pytest.fixture(scope="module", params=NAMES)
def bot(request, tmp_path_factory):
    """`bot(requests)` returns the answers of a new process to these requests."""
    sample = ready(request.param, tmp_path_factory.mktemp("built"))

    def answers(asked: Sequence[str]) -> list[str]:
        done = subprocess.run(
            sample.argv, cwd=sample.cwd, env=sample.env, input="".join(asked).encode(), capture_output=True,
            timeout=120, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr.decode()) == (0, "")
        return done.stdout.decode().splitlines()

    answers.name = sample.name
    return answers


def played(
    teams: Sequence[Answer], map_name: str, seed: int, units: int | None = None
) -> tuple[list[int], Counter[tuple[int, str]]]:
    """The milligrams on each team's hill at the end of a match, and the number of events by team and kind."""
    document = shipped("ants")[map_name]
    return finished(GAME.start(GAME.maps.setup(document, seats=len(teams), rng_seed=seed, rounds=units), seed), teams)


def finished(state, teams: Sequence[Answer]) -> tuple[list[int], Counter[tuple[int, str]]]:
    counts: Counter[tuple[int, str]] = Counter()
    while due := state.requests():
        (request,) = due
        line = "" if request.ask == "getName" else teams[request.seat](GAME.encode(request).decode())
        for event in state.advance([GAME.decode(request.ask, [line.encode()])]):
            counts[event.get("seat", -1), event["event"]] += 1
    ranking = sorted(state.outcome().ranking, key=lambda ranked: ranked.seat)
    return [int(ranked.score) for ranked in ranking], counts


def test_four_samples_need_nothing_installed_and_two_are_in_other_languages():
    assert PYTHON == ["robber", "trailblazer", "forager", "drifter"]
    assert {bots.find(name).language.name for name in set(NAMES) - set(PYTHON)} == {"cpp", "pascal"}


@cache
def odd_requests() -> list[str]:
    """Requests that the protocol allows: some are impossible in a match, and some have memories that these bots never write."""
    asked = [at_random(seed) for seed in range(300)]
    boards = [
        Asked().cells,
        [Cell(wall=True)] * 9,
        [Cell(enemy=True)] * 9,
        *(at_random(seed).cells for seed in range(10)),
    ]
    memories = (bytes(32), b"\xff" * 32, bytes(range(128, 160)))
    asked += [Asked(cells, food, memory) for cells in boards for memory in memories for food in (False, True)]
    return [request.text for request in asked]


def test_every_request_gets_an_answer_that_depends_on_that_request_alone(bot):
    """The same requests in another order get the same answers, so the bot keeps no state."""
    asked = ["getName\n", *odd_requests()]
    name, *replies = bot(asked)
    assert name == bot.name
    for line in replies:
        assert GAME.decode("getAction", [line.encode()]).kind in range(10)
    shuffled = list(range(len(replies)))
    Random(1).shuffle(shuffled)
    assert bot([asked[1 + index] for index in shuffled]) == [replies[index] for index in shuffled]


@pytest.mark.parametrize(
    ("language", "source", "make"),
    [
        ("pascal", "ploughman/main.pas", lambda folder, source: pascal(folder, source, "-Cr")),
        ("cpp", "sentinel/main.cpp", lambda folder, source: cpp(folder, source, "-O1", *SANITIZED)),
    ],
)
def test_no_request_causes_an_access_out_of_bounds(language, source, make, tmp_path):
    require(language)
    program = make(tmp_path, (ROOT / "bots" / source).read_text(encoding="utf-8"))
    assert len(answers(program, *odd_requests())) == len(odd_requests())


@pytest.mark.parametrize("name", PYTHON)
@pytest.mark.parametrize("trial", GAME.trials(), ids=lambda trial: trial.title)
def test_an_answer_on_every_trial(trial, name):
    teams = [answering(name), *[lambda _: STAY] * 3]
    _, counts = finished(GAME.start(trial.setup, 1), teams)
    assert not counts[0, "disqualified"]


def test_forager_collects_far_more_than_drifter():
    (knowing, drifting), _ = played([answering("forager"), answering("drifter")], "meadow", 1, 300)
    assert knowing > 3 * drifting > 0


def test_trailblazer_collects_more_than_forager():
    """The difference shows late in a match, when most food lies on the hills."""
    (silent, telling), _ = played([answering("forager"), answering("trailblazer")], "meadow", 1)
    assert telling > 1.1 * silent


def test_robber_beats_forager_by_biting_its_carriers():
    (robbed, waited), counts = played([answering("forager"), answering("robber")], "meadow", 2, 500)
    assert waited > 1.3 * robbed
    assert counts[1, "bite"] > 100
    assert counts[0, "drop"] > 3, "bitten ants drop their food"
