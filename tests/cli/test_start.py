"""What a match imports before its first request: each import makes every match start later."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from referee import games

pytestmark = pytest.mark.machine

NEEDLESS = (
    "rich", "referee.moments", "referee.terminal",  # nobody watches
    "referee.building", "referee.sandbox.builds",  # nothing is to be built
    "referee.sandbox.probing.probe", "referee.sandbox.probing.canary",  # nothing is to be proven
    "referee.sandbox.advice", "referee.cli.closing",  # nobody has failed yet
    "referee.compliance", "referee.saved.replay", "referee.match.rerun",
    "referee.studio", "referee.web", "starlette", "hypercorn",  # no browser is served
    "markdown_it", "cyclopts.help", "asyncio", "unittest", "pyseccomp",
)  # fmt: skip
PLAY = """
import sys

from referee.match import loop
from referee.cli.exit_codes import run

play = loop.play


async def told(*args, **more):
    print(*sys.modules, file=sys.stderr)
    return await play(*args, **more)


loop.play = told
sys.exit(run(sys.argv[1:]))
"""


def imported(pair: list[Path], folder: Path) -> list[str]:
    """The modules that are loaded when two players without a sandbox get their first request."""
    words = ["play", *map(str, pair), "--rounds=1", "--seed=1", "--isolation=none", "--quiet", "-o", "game.jsonl"]
    done = subprocess.run(
        [sys.executable, "-c", PLAY, *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr.splitlines()[0].split()


def test_a_match_imports_no_unneeded_module_before_its_first_request(pair: list[Path], tmp_path: Path):
    assert all(map(find_spec, NEEDLESS)), "a module that was renamed is never imported"
    there = imported(pair, tmp_path)
    assert "referee.match.loop" in there
    assert [module for module in there for name in NEEDLESS if f"{module}.".startswith(f"{name}.")] == []


def test_a_match_imports_only_its_own_game(pair: list[Path], tmp_path: Path):
    there = imported(pair, tmp_path)
    main, *others = games.names()
    assert f"referee.games.{main}.rules" in there
    assert [module for name in others for module in there if module.startswith(f"referee.games.{name}.")] == []


def test_a_status_imports_nothing_that_builds_or_plays(tmp_path: Path):
    needless = ("trio", "referee.building", "referee.sandbox.builds", "referee.sandbox.cells")
    assert all(map(find_spec, needless))
    script = "import sys\nfrom referee.cli.exit_codes import run\nrun(sys.argv[1:])\nprint(*sys.modules)"
    words = ("tournament", "status", tmp_path)
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True)
    assert "has no tournament.toml" in done.stderr
    assert set(needless).isdisjoint(done.stdout.split())
