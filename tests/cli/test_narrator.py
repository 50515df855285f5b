"""The events that `-v` prints during a match."""

import sys
from typing import Any

import pytest
import trio
from cli.conftest import Tty

from referee import games
from referee.cli.narrator import Narrator, progress, status
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Step
from referee.terminal.pace import Pace

EGGHUNT: Any = games.find("egghunt")
LATE = Fault(FaultKind.TIMEOUT, "no answer\x1b within 1 s")


def turn_lines(capsys: pytest.CaptureFixture[str], *, wire: bool = False) -> list[str]:
    """The lines about a turn in which the first of two hunters fails and the second destroys an egg."""
    setup = {"field": ["    "], "eggs": [[2, 0], [1, 0]], "players": [[0, 0], [3, 0]]}
    entrants = [Entrant("Hare", "turn"), Entrant("Fox", "turn")]
    state = EGGHUNT.start(setup, 1, entrants)
    narrator = Narrator(EGGHUNT, state, entrants, wire=wire)
    number = 0
    while state.requests()[0].ask == "getName":
        (request,) = state.requests()
        number += 1
        name = ("Hare", "Fox")[request.seat]
        narrator.step(Step(number, 0, "getName", [Answer(request.seat, name, name, 0.1)], state.advance([name])))
    action = EGGHUNT.recall("getAction", "8\nA\n", ())
    events = state.advance([LATE, action])
    answers = [Answer(0, LATE, None, 1.0), Answer(1, action, "8\nA\n", 0.1)]
    narrator.step(Step(number + 1, 1, "getAction", answers, events))
    return capsys.readouterr().err.splitlines()


def test_a_lost_turn_is_reported_when_it_happens(capsys: pytest.CaptureFixture[str]) -> None:
    lost, broken = turn_lines(capsys)
    assert lost == "round 1: Hare fails: timeout, no answer\ufffd within 1 s"
    assert broken == "round 1: Fox destroys an egg"


def test_the_wire_shows_answers_too(capsys: pytest.CaptureFixture[str]) -> None:
    lines = turn_lines(capsys, wire=True)
    assert lines[:2] == [
        "1 getAction seat 1: no answer\ufffd within 1 s (1000.00 ms)",
        '1 getAction seat 2: "8\\nA\\n" (100.00 ms)',
    ]
    assert len(lines) == 4


async def test_progress_is_shown_on_a_terminal_and_then_erased(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Tty())
    monkeypatch.setenv("COLUMNS", "15")
    async with progress(lambda: "step 40\x1b of 900"):
        await trio.sleep(1.5)
    assert terminal.getvalue() == "\r\x1b[Kstep 40\ufffd of 90\r\x1b[K"


def test_a_progress_line_takes_one_row_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Tty())
    monkeypatch.setenv("COLUMNS", "8")
    status("日本語: checked")
    assert terminal.getvalue() == "\r\x1b[K日本語:"


async def test_progress_begins_when_the_user_stops_watching(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Tty())
    pace = Pace()
    async with progress(lambda: "step 40 of 900", lambda: not pace.watching):
        await trio.sleep(5.5)
        assert terminal.getvalue() == "", "the view has the terminal"
        pace.leave()
        await trio.sleep(1)
    assert terminal.getvalue() == "\r\x1b[Kstep 40 of 900\r\x1b[K"


async def test_the_last_page_of_a_view_stays_whole(monkeypatch: pytest.MonkeyPatch, autojump_clock: object) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Tty())
    async with progress(lambda: "step 40 of 900", lambda: False):
        await trio.sleep(5)
    assert terminal.getvalue() == ""


async def test_progress_is_not_shown_without_a_terminal(
    capsys: pytest.CaptureFixture[str], autojump_clock: object
) -> None:
    async with progress(lambda: "step 40"):
        await trio.sleep(5)
    assert capsys.readouterr() == ("", "")
