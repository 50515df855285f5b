"""A new game needs only new files: these tests add one to a copy of the project, and every command and test finds it.

The files of the game are in `toy/`, as they would be in the project: rules and their tests, maps, four sample bots, a starter
kit, and a golden record. A test about all games is parametrized by game. So the name of the game is in the ids of its tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.machine

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "toy"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the new game. It includes compiled modules, so that Python compiles only the new ones."""
    tree = tmp_path_factory.mktemp("six") / "project"
    shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(".*"))
    for path in TOY.rglob("*"):
        place = tree / path.relative_to(TOY)
        if path.is_file() and path.name != "ruff.toml" and "__pycache__" not in path.parts:
            assert not place.exists(), "the new game must not replace a file of the project"
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place)
    return tree


@pytest.fixture(scope="module")
def run(tree: Path) -> Run:
    """Runs Python in that project, with its own history."""
    environ = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "XDG_DATA_HOME": str(tree.parent / "data"),
        "XDG_CACHE_HOME": str(tree.parent / "cache"),
        "COLUMNS": "120",
    }

    def run(*words: str | Path, code: int = 0, timeout: int = 150) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, *map(str, words)], cwd=tree.parent, env=environ,
            capture_output=True, text=True, timeout=timeout, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


@pytest.fixture(scope="module")
def referee(run: Run) -> Run:
    """Runs a command of that project's referee."""

    def referee(*words: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        return run("-m", "referee", *words, code=code)

    return referee


@pytest.fixture(scope="module")
def saved(referee: Run, tree: Path) -> Path:
    """The file of a saved match. `referee play` gets the name of the game and chooses the bots itself."""
    path = tree.parent / "pig.jsonl"
    done = referee("play", "--game", "pig", "-o", path, "--seed", "5")
    assert "Twenty" in done.stdout
    assert "Once" in done.stdout
    return path


def test_the_tests_run_the_copy_of_the_referee(run: Run, tree: Path) -> None:
    assert run("-c", "import referee; print(referee.__file__)").stdout.strip() == str(tree / "referee" / "__init__.py")


def test_matches_are_saved_verified_shown_and_continued(referee: Run, saved: Path) -> None:
    assert "ok, pig" in referee("verify", "--strict", saved).stdout
    assert "round" in referee("replay", saved).stdout
    assert "1=" in referee("replay", saved, "--step", "40", "--ascii").stdout
    assert "turning point" in referee("explain", saved).stdout
    page = saved.with_name("pig.html")
    referee("export", saved, "-o", page)
    assert "<h1>Pig" in page.read_text()
    moment = saved.with_name("moment.json")
    moment.write_text(referee("state", saved, "--step", "40").stdout)
    assert json.loads(moment.read_text())["goal"] == 50
    played = json.loads(
        referee(
            "play", "pig-once", "pig-bold", "pig-ten", "pig-twenty", "--game", "pig", "--setup", moment,
            "--isolation", "none", "--json", "--seed", "1",
        ).stdout
    )  # fmt: skip
    assert played["game"] == "pig"


def test_rules_and_maps_are_shown_and_checked(referee: Run) -> None:
    assert referee("rules", "pig").stdout.startswith("# Pig\n")
    assert "fifty" in referee("map", "show", "--game", "pig").stdout
    assert "50x50" in referee("map", "show", "fifty", "--game", "pig").stdout
    assert "fifty: ok" in referee("map", "check", "--game", "pig").stdout
    assert "write one by hand" in referee("map", "new", "--game", "pig", code=2).stderr


def test_bots_can_be_checked_and_asked(referee: Run, saved: Path, tree: Path) -> None:
    checked = json.loads(
        referee(
            "check", "pig-ten", "--game", "pig", "--matches", "1", "--isolation", "none", "--json"
        ).stdout
    )  # fmt: skip
    assert checked["passed"]
    asked = referee("ask", "pig-ten", saved, "--seat", "1", "--isolation", "none")
    assert "differ" in asked.stdout


@pytest.mark.timeout(900)  # two hundred tests in sequence, and all tests are collected
def test_the_game_passes_every_test_about_games(run: Run, tree: Path) -> None:
    words = (
        "-p",
        "no:cacheprovider",
        "--basetemp",
        tree.parent / "basetemp",
        "--hypothesis-profile=fast",
        "-k",
        "pig",
        "-rA",
    )
    done = run("-m", "pytest", "--rootdir", tree, "-c", tree / "pyproject.toml", tree / "tests", *words, timeout=800)
    rooms = set(re.findall(r"^PASSED \S*tests/(\w+)/", done.stdout, re.MULTILINE))
    assert rooms >= {"analysis", "cli", "conformance", "export", "games", "library"}
    assert "[snakecore]" not in done.stdout
