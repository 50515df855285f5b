"""`scripts/bench`: its arithmetic, its report, its command line and its players. The figures are not tested."""

from __future__ import annotations

import gc
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from benchmarks import __main__ as bench
from benchmarks import figures, work, workers
from benchmarks.loops import bare_loop, check, started
from benchmarks.setting import Setting, WrongError
from benchmarks.subjects import launch, request

from referee import games
from referee.cli import COLLECT_AFTER
from referee.sandbox.limits import Level

pytestmark = pytest.mark.machine

ROOT = Path(__file__).parents[1]


@pytest.fixture
def setting(tmp_path):
    return Setting(quick=True, folder=tmp_path)


@pytest.mark.timeout(900)
@pytest.mark.skipif(not shutil.which("gcc"), reason="the players are in C")
@pytest.mark.parametrize("subject", bench.NAMES)
def test_a_subject_is_measured(subject):
    words = (ROOT / "scripts" / "bench", "--quick", "--only", subject)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "\n| --- |" in done.stdout


def test_figures_are_medians_with_quartiles_and_ratios_within_a_round():
    assert figures.spread([4.0, 1.0, 2.0, 3.0, 100.0]) == figures.Spread(3.0, 2.0, 4.0)
    assert figures.spread([0.007], 1e3) == figures.Spread(7.0, 7.0, 7.0)
    assert figures.compared([2.0, 9.0, 4.0], [1.0, 3.0, 1.0]) == figures.spread([2.0, 3.0, 4.0])
    with pytest.raises(ValueError, match="shorter"):
        figures.compared([1.0, 2.0], [1.0])


def test_measurements_are_interleaved_and_the_first_round_is_a_warm_up():
    measured: list[str] = []

    def measure(name: str) -> float:
        measured.append(name)
        return float(len(measured))

    times = figures.interleaved(2, {"a": lambda: measure("a"), "b": lambda: measure("b")})
    assert "".join(measured) == "ababab"
    assert times == {"a": [3.0, 5.0], "b": [4.0, 6.0]}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (0.001234, "0.00123"), (1.234, "1.23"), (1234.5, "1,234"), (-3.21, "-3.21"),
    ],
)  # fmt: skip
def test_a_figure_has_three_digits(value, text):
    assert figures.shown(value) == text


def test_every_subject_has_a_line_in_the_document():
    text = (ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == bench.NAMES


@pytest.mark.parametrize("game", games.every(), ids=lambda game: game.name)
def test_the_requests_of_a_work_are_those_of_its_scripts(game, setting):
    script = work.standard(setting, game, 30)
    assert len(script.messages) >= 30
    assert bare_loop(script) > 0  # each player exited with status 0: its requests were exactly those of its script
    for row in request.by_processes(setting, script):
        whole, own = row[4:6]
        assert (own is None) == game.together, "players that answer concurrently are charged for the same time"
        assert own is None or 0 < own.median < whole.median


def test_a_request_that_is_not_in_the_script_is_detected(setting):
    with started(work.standard(setting, games.find(), 8), 0) as player:
        player.stdin.write(b"getName\ngetN")
        with pytest.raises(WrongError, match="ended with status 1"):
            check([player])


def test_the_cost_of_a_cell_is_computed_per_round_and_only_if_there_is_a_cell():
    kit = launch.Built("C", games.find(), None)
    bare, cell = launch.Starts(0.002, 0.001), launch.Starts(0.009, 0.006)
    rounds = [
        {Level.NONE: bare, Level.FULL: cell},
        {Level.NONE: launch.Starts(0.002, 0.004), Level.FULL: launch.Starts(0.005, 0.007)},
    ]
    assert [cell.median for cell in launch.row(kit, rounds)[2:]] == pytest.approx([2.5, 6.5, 4.0, 5.0])
    assert launch.row(kit, [{Level.NONE: bare}])[3:] == [None] * 3


def test_measuring_processes_collect_garbage_as_seldom_as_commands():
    assert workers.alone(gc.get_threshold)[0] == COLLECT_AFTER
