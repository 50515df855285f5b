"""When a match is saved: while the next player thinks, or immediately if there is an observer; and claims of names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Ran, Shell

from referee import match, session
from referee.cli import exit_codes
from referee.errors import BotError
from referee.players.policy import PolicyPlayer
from referee.record import Recorder
from referee.tally import Tally


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
    assert exit_codes.run(["play", "cobra", "asp", "--game=ava", "--rounds=2", "-o", "a.jsonl", *more]) == 0
    assert deeds[: len(first)] == first
    assert deeds[-len(KEEP) :] == KEEP
    assert deeds.count("ask") == deeds.count("save") == deeds.count("count")


MATCH = ["play", "cobra", "asp", "--game=ava", "--rounds=2", "-q", "-o"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_name_is_taken_before_the_players_start(
    referee: Shell, monkeypatch: pytest.MonkeyPatch, capsys: Any, name: str
) -> None:
    seated = session.seated
    second: list[Ran] = []

    def starting(*given: Any, **named: Any) -> Any:
        second.append(referee(*MATCH, name, "--seed=2"))
        return seated(*given, **named)

    monkeypatch.setattr(session, "seated", starting)
    monkeypatch.chdir(referee.folder)
    assert exit_codes.run([*MATCH, name, "--seed=1"]) == 0
    assert (second[0].code, second[0].err) == (
        2,
        f"referee: another match is being saved as {name} right now: choose another name\n",
    )
    assert [path.name for path in referee.folder.iterdir()] == [name]
    assert capsys.readouterr().err == ""
    assert exit_codes.run(["verify", name]) == 0


def test_players_that_cannot_start_leave_saved_games_as_they_were(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    def unstartable(*_given: Any, **_named: Any) -> Any:
        raise BotError("it cannot be started")

    monkeypatch.setattr(session, "seated", unstartable)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text("an old one")
    assert exit_codes.run([*MATCH, "a.jsonl"]) == 4
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
    assert (tmp_path / "a.jsonl").read_text() == "an old one"
