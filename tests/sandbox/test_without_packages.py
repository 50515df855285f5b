"""Bots in Python get the standard library and the SDK, and nothing that is installed beside the referee's interpreter."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from sandbox.test_cells import ended, says

from referee import bots
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox, start
from referee.sandbox.runtimes import base_python, python
from referee.sandbox.uid_pool import UIDS, can_reach

pytestmark = pytest.mark.machine

SAYS = """
import sys, snake, ssl
print(*(path for path in sys.path if "-packages" in path), sep=",")
print(sys.base_prefix, sys.flags.no_site, flush=True)
exit()
"""


@pytest.fixture
def bot(tmp_path: Path) -> bots.Bot:
    (tmp_path / "bot.py").write_text(SAYS)
    return bots.find(str(tmp_path / "bot.py"))


@pytest.fixture
def reachable(bot: bots.Bot, monkeypatch: pytest.MonkeyPatch) -> bots.Bot:
    """The bot, for Debian's interpreter if players of a root referee may not reach its own at level reduced."""
    if os.geteuid() == 0 and not can_reach(base_python(), UIDS[0]):
        debian = Path("/usr/bin/python3").resolve()
        if not debian.exists():
            pytest.skip("players cannot reach the interpreter")
        monkeypatch.setattr(python, "base_python", lambda: debian)
        monkeypatch.setattr(python, "_base_library", list)
        return replace(bot, argv=[str(debian), *bot.argv[1:]])
    return bot


async def sees_no_packages(level: Level, bot: bots.Bot) -> None:
    with open_sandbox(level) as sandbox:
        cell = await start(sandbox, bot)
        assert await says(cell, 2) == ["", f"{Path(bot.argv[0]).parent.parent} 0"]
        assert await ended(cell) == 0


@pytest.mark.parametrize("level", [Level.FULL, Level.NONE])
async def test_a_bot_sees_no_packages(level: Level, bot: bots.Bot) -> None:
    if level is Level.FULL and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    await sees_no_packages(level, bot)


async def test_nor_at_level_reduced(reachable: bots.Bot) -> None:
    await sees_no_packages(Level.REDUCED, reachable)


async def test_its_environment_is_removed_at_the_end(bot: bots.Bot) -> None:
    with open_sandbox(Level.NONE) as sandbox:
        cell = await start(sandbox, bot)
        python = cell.popen.args[0]
        assert leads_to(python) == str(base_python())
        cell.kill()
        await ended(cell)
    assert leads_to(python) == python


def leads_to(path: str) -> str:
    return os.path.realpath(path)
