"""Whether files are unchanged, told without reading them."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.tournament import fingerprints
from referee.tournament.fingerprints import PROOF, fingerprint


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that these tests write is old enough."""
    monkeypatch.setattr(fingerprints, "time", SimpleNamespace(time_ns=lambda: time.time_ns() + 2 * PROOF))


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "inner").mkdir(parents=True)
    (folder / "main.py").write_text("print(1)")
    (folder / "inner" / "board.py").write_text("")
    (folder / "link").symlink_to(tmp_path / "nowhere")
    return folder


def _same_size_and_time(bot: Path) -> None:
    before = os.stat(bot / "main.py")
    (bot / "main.py").write_text("print(2)")
    os.utime(bot / "main.py", ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", [
    _same_size_and_time,
    lambda bot: (bot / "main.py").chmod(0o755),
    lambda bot: (bot / "main.py").rename(bot / "bot.py"),
    lambda bot: (bot / "inner" / "board.py").unlink(),
    lambda bot: (bot / "more").write_text(""),
    lambda bot: (bot / "more").mkdir(),
    lambda bot: (bot / "link").unlink(),
], ids=["same size and time", "may be executed", "renamed", "gone", "a file", "a folder", "no link"])  # fmt: skip
def test_a_change_shows(bot: Path, change: Callable[[Path], None]) -> None:
    before = fingerprint(bot)
    assert before.proven
    assert fingerprint(bot) == before
    change(bot)
    assert fingerprint(bot) != before


def test_what_no_player_gets_does_not_count(bot: Path) -> None:
    before = fingerprint(bot)
    for folder in (bot, bot / "inner"):
        (folder / "__pycache__").mkdir()
        (folder / "__pycache__" / "board.pyc").write_text("x")
    assert fingerprint(bot) == before


def test_a_link_to_a_bot_is_followed(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "named").symlink_to(bot)
    before = fingerprint(tmp_path / "named")
    assert before == fingerprint(bot)
    (bot / "main.py").unlink()
    assert fingerprint(tmp_path / "named") != before


@pytest.mark.parametrize("content", ["now", "long ago"])
def test_a_young_file_proves_nothing(bot: Path, content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bot / "main.py"
    if content == "long ago":  # copied with its date
        os.utime(path, (0, 0))
    changed = os.stat(path).st_ctime_ns
    for age, proven in ((0, False), (PROOF, False), (2 * PROOF, True)):
        monkeypatch.setattr(fingerprints, "time", SimpleNamespace(time_ns=lambda: changed + age))  # noqa: B023
        assert fingerprint(path).proven == proven


def test_a_file_may_be_dated_into_the_future(bot: Path) -> None:
    os.utime(bot / "main.py", (2**32, 2**32))
    assert fingerprint(bot).proven


@pytest.mark.parametrize("name", ["nothing", "too many"])
def test_what_cannot_be_looked_at_proves_nothing(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "too many":
        (tmp_path / name).mkdir()
        for number in range(3):
            (tmp_path / name / str(number)).touch()
        monkeypatch.setattr(fingerprints, "Limits", lambda: SimpleNamespace(folder_files=2))
    assert fingerprint(tmp_path / name) == ((), False)
