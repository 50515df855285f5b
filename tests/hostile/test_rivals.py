"""A player can read what the machine shows, but never a rival's source, wherever bots are."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile.conftest import PYTHON
from hostile.running import celled, read_to_end

from referee.bots import find
from referee.files import assets
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox
from referee.sandbox.program import Program

SECRET = "the plan of somebody else"
SPY = """
import os, sys
for path in sys.argv[1:]:
    try:
        print(open(path).read())
    except OSError as refused:
        print(refused)
"""


@pytest.fixture
def spy(tmp_path: Path) -> Path:
    (tmp_path / "spy").mkdir()
    (tmp_path / "spy/main.py").write_text(SPY)
    return tmp_path / "spy"


@pytest.fixture
def in_usr() -> Iterator[Path]:
    """A folder in /usr, where an administrator may have put bots."""
    try:
        folder = tempfile.mkdtemp(prefix="referee-test-", dir="/usr/local/share")
    except OSError:
        pytest.skip("only root can put bots into /usr")
    try:
        Path(folder).chmod(0o755)
        yield Path(folder)
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def venv() -> Iterator[Path]:
    """A virtual environment outside of pytest's folder, which the players of a root referee cannot enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", f"{folder}/venv"], check=True)
        yield Path(folder, "venv")


@pytest.fixture
def copied() -> Iterator[str]:
    """An interpreter of the user's own, which is not on PATH."""
    if (node := shutil.which("node")) is None:
        pytest.skip("node is not installed")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield shutil.copy(os.path.realpath(node), f"{folder}/node")


def rival(folder: Path) -> Path:
    """A rival's folder, which everybody may read."""
    folder.mkdir(parents=True)
    (folder / "main.py").write_text(f"# {SECRET}\n")
    return folder


async def output_of(level: Level, spy: Program, *others: Program) -> str:
    """The spy's output about the paths in its arguments. The others are prepared after it."""
    with open_sandbox(level) as sandbox:
        launch = await sandbox.prepare(spy)
        for other in others:
            await sandbox.prepare(other)
        async with celled(Ready(launch), spy) as cell:
            cell.stdin.close()
            return (await read_to_end(cell)).decode()


class Ready:
    """A sandbox that returns a launch that was made before."""

    def __init__(self, launch: object) -> None:
        self._launch = launch

    async def prepare(self, _program: object) -> object:
        return self._launch


ISOLATED = pytest.mark.parametrize("level", [Level.FULL, Level.REDUCED])


def asks(spy: Path, *paths: Path, python: str = PYTHON) -> Program:
    return Program("spy", [python, "main.py", *map(str, paths)], spy, trusted=True)


@ISOLATED
async def test_bots_in_usr_do_not_see_each_other(level, spy, in_usr):
    folder, file = rival(in_usr / "rival"), rival(in_usr / "files") / "main.py"
    program = Program("rival", [PYTHON, "main.py"], folder)
    single = Program("single", [PYTHON, "main.py"], file.parent, files={"main.py": file})
    assert SECRET in await output_of(level, asks(spy, folder / "main.py")), "the test can fail"
    assert SECRET not in await output_of(level, asks(spy, folder / "main.py", file), program, single)
    shown = rival(in_usr / "other")
    assert SECRET in await output_of(level, asks(spy, shown / "main.py"), program, single), "no bot: it stays readable"


@ISOLATED
async def test_the_sample_bots_are_not_seen(level, spy, in_usr, monkeypatch):
    bot = rival(in_usr / "bots" / "sample")
    monkeypatch.setattr(assets, "folder", lambda _name: in_usr / "bots")
    assert SECRET not in await output_of(level, asks(spy, bot / "main.py"))


@ISOLATED
async def test_a_bot_in_a_virtual_environment_is_not_seen(level, spy, venv):
    folder = rival(venv / "lib/rival")
    python = str(venv / "bin/python")
    assert SECRET in await output_of(level, asks(spy, folder / "main.py", python=python)), "the test can fail"
    rivals = Program("rival", [PYTHON, "main.py"], folder)
    assert SECRET not in await output_of(level, asks(spy, folder / "main.py", python=python), rivals)


@ISOLATED
async def test_an_interpreter_that_a_command_line_names_is_not_hidden(level, spy, copied):
    (spy / "main.js").write_text("console.log('it runs')")
    bots = [find(f"{name}=cmd:{copied} {spy}/main.js") for name in ("one", "other")]
    assert "it runs" in await output_of(level, *bots)
