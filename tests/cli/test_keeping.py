"""When steps are saved (together, or at once if there is an observer), and how file names are claimed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Ran, Shell

from referee.cli import exit_codes
from referee.errors import BotError
from referee.match import loop, session
from referee.match.tally import Tally
from referee.players.policy import PolicyPlayer
from referee.saved.record import Recorder

pytestmark = pytest.mark.machine


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> list[str]:
    """The calls in a match of two policies, one word each: `ask` when a call begins, `/ask` when it returns."""
    calls: list[str] = []

    def noted(kind: type, name: str, word: str) -> None:
        done = getattr(kind, name)

        def do(*arguments: Any) -> Any:
            calls.append(word)
            result = done(*arguments)
            calls.append(f"/{word}")
            return result

        monkeypatch.setattr(kind, name, do)

    noted(PolicyPlayer, "at_once", "ask")
    noted(Recorder, "record", "save")
    noted(Tally, "record", "count")
    monkeypatch.setattr(loop, "BREATH", float("inf"))  # otherwise a slow match is saved sooner
    monkeypatch.chdir(tmp_path)
    return calls


MATCH = ["play", "cobra", "asp", "--game=ava", "--rounds=2", "-q", "-o"]
ASK = ["ask", "/ask"]
KEEP = ["save", "/save", "count", "/count"]


def test_without_an_observer_steps_are_saved_together(calls: list[str], capsys: Any) -> None:
    assert exit_codes.run([*MATCH, "a.jsonl"]) == 0
    assert calls == [*ASK * calls.count("ask"), *KEEP]


def test_with_an_observer_each_step_is_saved_at_once(calls: list[str], capsys: Any) -> None:
    assert exit_codes.run([*MATCH, "a.jsonl", "-v"]) == 0
    assert calls == [*ASK, *KEEP] * calls.count("ask")


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_file_name_is_claimed_before_the_players_start(
    referee: Shell, monkeypatch: pytest.MonkeyPatch, capsys: Any, name: str
) -> None:
    seated = session.seated
    second: list[Ran] = []

    def starting(*arguments: Any, **named: Any) -> Any:
        second.append(referee(*MATCH, name, "--seed=2"))
        return seated(*arguments, **named)

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
