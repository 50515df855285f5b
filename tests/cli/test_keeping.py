"""When a match is saved: while the next player thinks, and at once where somebody looks on."""

from __future__ import annotations

from typing import Any

import pytest

from referee import match
from referee.cli import exits
from referee.cli.tally import Tally
from referee.players.policy import PolicyPlayer
from referee.record import Recorder


@pytest.fixture
def deeds(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> list[str]:
    """What happens in a match of two policies, a word each."""
    deeds: list[str] = []

    def noted(kind: type, name: str, word: str) -> None:
        done = getattr(kind, name)

        def do(*given: Any) -> Any:
            deeds.append(word)
            result = done(*given)
            deeds.append(f"/{word}")
            return result

        monkeypatch.setattr(kind, name, do)

    noted(PolicyPlayer, "at_once", "ask")
    noted(Recorder, "step", "save")
    noted(Tally, "step", "count")
    monkeypatch.setattr(match, "BREATH", float("inf"))  # else a match that takes its time is saved sooner
    monkeypatch.chdir(tmp_path)
    return deeds


ASK = ["ask", "/ask"]
KEEP = ["save", "/save", "count", "/count"]


@pytest.mark.parametrize(
    ("more", "first"),
    [([], [*ASK, "ask", *KEEP, "/ask", "ask", *KEEP, "/ask"]), (["-v"], [*ASK, *KEEP, *ASK, *KEEP])],
    ids=["nobody looks on", "somebody does"],
)
def test_when_a_match_is_saved(deeds: list[str], more: list[str], first: list[str], capsys: Any) -> None:
    assert exits.run(["play", "cobra", "asp", "--game=ava", "--rounds=2", "-o", "a.jsonl", *more]) == 0
    assert deeds[: len(first)] == first
    assert deeds[-len(KEEP) :] == KEEP
    assert deeds.count("ask") == deeds.count("save") == deeds.count("count")
