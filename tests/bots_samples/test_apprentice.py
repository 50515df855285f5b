"""The sample bot that was trained: its training gives the same file again, its weights are those of the training, and it wins."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bots_samples.loading import loaded

from referee import env

FOLDER = Path(__file__).parents[2] / "bots" / "apprentice"
TINY = ["--generations=2", "--candidates=4", "--deals=1", "--rounds=12"]


@pytest.fixture
def training(monkeypatch):
    """The module of train.py, which finds its neighbours by `sys.path`."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.delitem(sys.modules, "main", raising=False)
    yield loaded("apprentice", "train.py")
    sys.modules.pop("main", None)


def test_the_same_seed_gives_the_same_file_on_any_number_of_processes(tmp_path):
    files = []
    for number, more in enumerate((["--processes=1"], ["--processes=2"], ["--processes=2", "--seed=2"])):
        files.append(tmp_path / f"{number}.json")
        command = [sys.executable, str(FOLDER / "train.py"), *TINY, *more, "-o", str(files[-1])]
        subprocess.run(command, check=True, capture_output=True)
    one, two, other = (file.read_bytes() for file in files)
    assert one == two
    assert one != other


def test_the_weights_that_play_are_those_of_the_usual_training(training):
    settings = json.loads((FOLDER / "weights.json").read_text(encoding="utf-8"))
    weights = settings.pop("weights")
    assert settings == training.BUDGET
    assert tuple(weights) == training.FEATURES


@pytest.mark.parametrize("rival", ["random", "collector"])
@pytest.mark.parametrize("seed", range(2))
def test_it_beats_weak_bots(training, rival, seed):
    """Both play in this process, on a small map."""
    match = env.aec("snakecore", map="duel", seats=2, observe="text")
    match.reset(seed=seed)
    points, deciding = [0.0, 0.0], [loaded(name).choose for name in ("apprentice", rival)]
    for turn, agent in enumerate(match.agent_iter(), 2):
        seat = match.possible_agents.index(agent)
        seen, reward, terminated, truncated, _ = match.last()
        points[seat] += reward
        area = training.AreaInfo.parse(seen["observation"])
        area.turn = turn // 2
        match.step(None if terminated or truncated else deciding[seat](area))
    assert points[0] > points[1]
