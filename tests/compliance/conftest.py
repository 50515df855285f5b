"""Checks of small programs, without the matches and boards that a diagnosis does not need."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee import bots as bot_room
from referee.cli import mapfiles
from referee.clock import TimeControl
from referee.compliance.examine import Plan, Result, examine
from referee.games.snakecore import GAME
from referee.sandbox.limits import Level, Limits

HERE = Path(__file__).parent / "bots"
TIME = TimeControl(first=4.0, answer=1.0, total=30.0)
BOARDS = ("a plain board", "a head alone")


@pytest.fixture
def plan() -> Plan:
    """Two boards and a short match, and nothing that isolates."""
    game = replace(GAME, time=TIME, trials=lambda: [trial for trial in GAME.trials() if trial.title in BOARDS])
    maps = {"duel": mapfiles.read(GAME, "duel")}
    return Plan(game, Level.NONE, Limits(), maps, rng_seed=1, matches=1, rounds=3)


@pytest.fixture
def checked(plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Awaitable[Result]]:
    """Checks a program of the folder `bots`; the steps that it is told are those of the result."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    async def check(name: str, **changes: Any) -> Result:
        told = []
        result = await examine(bot_room.find(str(HERE / name)), replace(plan, **changes), tell=told.append)
        assert told == list(result.steps)
        assert [step.number for step in told] == list(range(1, len(told) + 1))
        return result

    return check
