"""The line that says how far a match is."""

from __future__ import annotations

import sys

import pytest
import trio
from cli.conftest import Tty

from referee.cli.narrator import progress
from referee.terminal.pace import Pace


async def test_progress_is_shown_on_a_terminal_and_then_erased(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Tty())
    monkeypatch.setenv("COLUMNS", "15")
    async with progress(lambda: "step 40\x1b of 900"):
        await trio.sleep(1.5)
    assert terminal.getvalue() == "\r\x1b[Kstep 40\ufffd of 90\r\x1b[K"


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
