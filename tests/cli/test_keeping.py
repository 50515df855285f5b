"""How the names of saved games are claimed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Ran, Shell

from referee.cli import exit_codes
from referee.errors import BotError
from referee.match import session

pytestmark = pytest.mark.machine


MATCH = ["play", "cobra", "asp", "--game=ava", "--rounds=2", "-q", "-o"]


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
