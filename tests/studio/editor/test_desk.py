"""The process that answers questions about programs: what it refuses, and what happens if it hangs or dies."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.studio import desk as room
from referee.studio.desk import Desk
from referee.web.answers import Refusal

pytestmark = pytest.mark.machine

WHOLE = "name: x\nscheme and:\n" + "-- -- -- -- -- -- --\n" * 6 + "^^ -- -- -- -- -- --\n"
SILENT = (sys.executable, "-c", "import sys; sys.stdin.read()")
SHORT = (sys.executable, "-c", "import sys; sys.stdin.readline(); print('half of an ans', end='')")


async def test_a_wrong_program_is_refused_with_its_place(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with pytest.raises(Refusal, match="'Q' is not an element") as refused:
        await desk.ask("parse", game="viper", text=WHOLE.replace("--", "Q-", 1))
    assert refused.value.details == {"line": 3, "column": 1}
    assert (await desk.ask("parse", game="viper", text=WHOLE))["document"]["name"] == "x"
    await desk.close()


async def test_a_process_that_dies_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(room, "PROCESS", SHORT)
        desk = Desk(tmp_path)
    with pytest.raises(Refusal, match="has ended: try again"):
        await desk.ask("parse", game="viper", text=WHOLE)
    desk._words = Desk(tmp_path)._words
    assert (await desk.ask("parse", game="viper", text=WHOLE))["document"]["name"] == "x"
    await desk.close()


async def test_a_process_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PROCESS", SILENT)
    monkeypatch.setattr(room, "DEADLINE", 0.1)
    desk = Desk(tmp_path)
    with pytest.raises(Refusal, match=r"no answer within 0\.1 seconds"):
        await desk.ask("parse", game="viper", text=WHOLE)
    assert desk._process is None
