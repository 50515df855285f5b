"""The sample bot that was trained: its training gives the same file again, and its weights are those of the training."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "bots" / "apprentice"
TINY = ["--generations=2", "--candidates=4", "--deals=1", "--rounds=12"]


@pytest.fixture
def training(monkeypatch):
    """The module of train.py, which finds its neighbours by `sys.path`."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.delitem(sys.modules, "main", raising=False)
    spec = importlib.util.spec_from_file_location("apprentice_training", FOLDER / "train.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # workers find their function by this name
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("main", None)


def test_the_same_seed_gives_the_same_file_on_any_number_of_processes(training, tmp_path):
    files = [tmp_path / name for name in ("one", "two", "other")]
    training.main([*TINY, "--processes=1", "-o", str(files[0])])
    training.main([*TINY, "--processes=2", "-o", str(files[1])])
    training.main([*TINY, "--processes=1", "--seed=2", "-o", str(files[2])])
    one, two, other = (file.read_bytes() for file in files)
    assert one == two
    assert one != other


def test_the_weights_that_play_are_those_of_the_usual_training(training):
    told = json.loads((FOLDER / "weights.json").read_text(encoding="utf-8"))
    weights = told.pop("weights")
    assert told == training.BUDGET
    assert tuple(weights) == training.FEATURES
