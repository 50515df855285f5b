"""A new game needs only new files: this test adds one to a copy of the project, and every test about games finds it.

The files of the game are in `toy/`, as they would be in the project: rules and their tests, maps, four sample bots, a starter
kit, and a golden record. A test about all games is parametrized by game. So the name of the game is in the ids of its tests.
`tests/cli/test_plugins.py` runs every command with a new game.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.machine

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "toy"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the project with the new game. It includes compiled modules, so that Python compiles only the new ones."""
    tree = tmp_path / "project"
    shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(".*"))
    for path in TOY.rglob("*"):
        target = tree / path.relative_to(TOY)
        if path.is_file() and path.name != "ruff.toml" and "__pycache__" not in path.parts:
            assert not target.exists(), "the new game must not replace a file of the project"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
    return tree


@pytest.mark.timeout(900)  # two hundred tests in sequence, and all tests are collected
def test_the_game_passes_every_test_about_games(tree: Path) -> None:
    folders = {"PYTHONPATH": tree, "XDG_DATA_HOME": tree.parent / "data", "XDG_CACHE_HOME": tree.parent / "cache"}
    environ = {**os.environ, **{name: str(folder) for name, folder in folders.items()}, "COLUMNS": "120"}

    def run(*words: str | Path) -> str:
        done = subprocess.run(
            [sys.executable, *map(str, words)], cwd=tree.parent, env=environ,
            capture_output=True, text=True, timeout=800, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert run("-c", "import referee; print(referee.__file__)").strip() == str(tree / "referee" / "__init__.py")
    options = ["--basetemp", tree.parent / "basetemp", "--hypothesis-profile=fast", "-p", "no:cacheprovider", "-rA"]
    output = run(
        "-m", "pytest", "--rootdir", tree, "-c", tree / "pyproject.toml", tree / "tests", *options, "-k", "pig"
    )
    rooms = set(re.findall(r"^PASSED \S*tests/(\w+)/", output, re.MULTILINE))
    assert rooms >= {"analysis", "cli", "conformance", "export", "games", "library"}
    assert "[snakecore]" not in output
