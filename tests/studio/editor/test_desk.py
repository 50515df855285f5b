"""The process that answers questions about programs: what it refuses, and what happens if it hangs or dies."""

import os
import sys
from pathlib import Path

import pytest

from referee.sandbox.cells import confine
from referee.studio import desk as room
from referee.studio.desk import Desk
from referee.web.answers import Refusal

pytestmark = pytest.mark.machine
RECORDS = Path(__file__).parents[2] / "records"

WHOLE = "name: x\nscheme and:\n" + "-- -- -- -- -- -- --\n" * 6 + "^^ -- -- -- -- -- --\n"
SILENT = (sys.executable, "-c", "import sys; sys.stdin.read()")
MISTAKE = (
    sys.executable, "-c", 'import os; input(); print(\'{"refused": {"message": "%d"}, "is_mistake": true}\' % os.getpid())',
)  # fmt: skip
SHORT = (sys.executable, "-c", "import sys; sys.stdin.readline(); print('half of an ans', end='')")


async def test_a_wrong_program_is_refused_with_its_place(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with pytest.raises(Refusal, match="'Q' is not an element") as refused:
        await desk.ask("parse", game="viper", text=WHOLE.replace("--", "Q-", 1))
    assert refused.value.details == {"line": 3, "column": 1}
    with pytest.raises(Refusal, match="No such file"):
        await desk.ask("film", saved=str(tmp_path / "gone.jsonl"))
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


async def test_after_a_mistake_of_a_game_a_new_process_reads_the_code_that_its_author_has_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "PROCESS", MISTAKE)
    desk = Desk(tmp_path)
    ids = set()
    for _ in range(2):
        with pytest.raises(Refusal, match=r"^\d+$") as refused:
            await desk.ask("film", saved="a.jsonl")
        ids.add(str(refused.value))
    assert len(ids) == 2
    assert desk._process is None


async def test_a_process_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PROCESS", SILENT)
    desk = Desk(tmp_path, deadline=0.1)
    with pytest.raises(Refusal, match=r"no answer within 0\.1 seconds"):
        await desk.ask("parse", game="viper", text=WHOLE)
    assert desk._process is None


async def test_a_confined_process_reads_saved_games_and_nothing_else_of_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_ARENA_KEY", "secret")
    game = (RECORDS / "viper.jsonl").read_bytes()
    for path in (tmp_path / "games" / "1.jsonl", tmp_path / "web" / "2.jsonl"):
        path.parent.mkdir()
        path.write_bytes(game)
    desk = Desk(tmp_path, confined=[tmp_path / "games"], deadline=60)
    assert (await desk.ask("film", saved=str(tmp_path / "games" / "1.jsonl")))["seats"] == 4
    assert desk._process is not None
    process = Path(f"/proc/{desk._process.pid}")
    assert b"secret" not in (process / "environ").read_bytes()
    nice = min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
    assert os.getpriority(os.PRIO_PROCESS, desk._process.pid) == nice
    limits = (process / "limits").read_text()
    assert str(room.MEMORY) in limits
    assert "unlimited" not in next(line for line in limits.splitlines() if "cpu time" in line).split()[3]
    if confine.landlock_abi():
        with pytest.raises(Refusal, match="Permission denied"):
            await desk.ask("film", saved=str(tmp_path / "web" / "2.jsonl"))
    await desk.close()
