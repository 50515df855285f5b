"""The subjects of `scripts/bench`: what they compare, and that its players follow their scripts."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "scripts"))  # the package `benchmarks` is there

from benchmarks import figures, kits, rehearsals, work, workers  # noqa: E402
from benchmarks.__main__ import warnings  # noqa: E402
from benchmarks.figures import spread  # noqa: E402
from benchmarks.loops import WrongError, check, python_loop, started  # noqa: E402
from benchmarks.setting import PROGRAMS, Setting, UnavailableError  # noqa: E402
from benchmarks.subjects import launch, match, pipe, request, scale, sdk, tournament  # noqa: E402
from benchmarks.subjects.launch import Way  # noqa: E402

from referee import bots, games  # noqa: E402
from referee.cli import COLLECT_AFTER  # noqa: E402
from referee.sandbox.limits import Level  # noqa: E402


@pytest.fixture
def setting(tmp_path):
    return Setting(quick=True, folder=tmp_path)


@pytest.mark.parametrize("game", games.every(), ids=lambda game: game.name)
def test_the_requests_of_a_work_are_those_of_its_scripts(game, setting):
    made = work.standard(setting, game, 30)
    assert made.asked >= 30
    told = [(message.seat, message.request) for message in made.messages()]
    stored = work.unpacked((made.folder / "messages").read_bytes())
    assert stored == [*((seat, b"getName\n") for seat in range(made.seats)), *told]
    assert python_loop(made) > 0  # each player exited with status 0: its requests were exactly those of its script


def test_without_a_c_compiler_the_pipe_has_a_python_player_and_no_c_loop(setting):
    vars(setting)["compiler"] = None  # the cached result of the search for a compiler
    (table,) = pipe.measure(setting).tables
    assert len(table.rows) == 2 * len(pipe.SIZES)
    for _place, _size, c, python, ratio in table.rows:
        assert (c, ratio) == (None, None)
        assert isinstance(python, figures.Spread)
    assert any("players are in Python" in line for line in warnings(setting))


def needs_compiler(setting):
    if setting.compiler is None:
        pytest.skip("there is no C compiler")


@pytest.mark.parametrize(("name", "abreast"), [("snakecore", 1), ("ants", 1), ("egghunt", 4)])
def test_the_share_of_the_referee_is_reported_only_if_players_answer_one_by_one(name, abreast, setting):
    made = work.standard(setting, games.find(name), 12)
    assert made.abreast == abreast
    for row in request.by_processes(setting, made):
        whole, own, _to_c, to_python = row[5:]
        assert (own is None) == (abreast > 1)
        assert own is None or 0 < own.median < whole.median
        assert to_python.median > 0


def test_a_match_is_compared_with_both_loops(setting):
    needs_compiler(setting)
    steps, _record = match.measure(setting).tables
    assert {row[0] for row in steps.rows} == {"same core", "free"}
    for row in steps.rows:
        c, python, referee, to_c, to_python = row[2:7]
        assert len({c, python, referee}) == 3
        assert to_c.median == pytest.approx(referee.median / c.median)  # there is only one round
        assert to_python.median == pytest.approx(referee.median / python.median)


def test_without_a_c_compiler_a_match_is_compared_with_the_python_loop(setting):
    vars(setting)["compiler"] = None
    steps, _record = match.measure(setting).tables
    for row in steps.rows:
        c, python, _referee, to_c, to_python = row[2:7]
        assert (c, to_c) == (None, None)
        assert to_python.count == python.count == 1


def test_boards_of_both_sizes_are_compared_with_both_loops(setting):
    needs_compiler(setting)
    table = scale.boards(setting, setting.room("saved"))
    assert [row[:2] for row in table.rows] == [
        [place, f"{size}x{size}"] for place in ("same core", "free") for size in scale.SIZES
    ]
    for row in table.rows:
        c, python, referee, to_c, to_python = row[3:8]
        assert len({c, python, referee, to_c, to_python}) == 5


def test_the_cost_of_a_coordinator_is_that_of_all_its_matches(tmp_path):
    folder = rehearsals.prepared(tmp_path, 'kind = "ladder"\nseries = 10', 8)
    found = workers.alone(partial(rehearsals.rehearse, folder, 40))
    assert (found.entrants, found.matches, found.tours) == (8, 40, 10)
    assert len(found.marks) == 11
    moments = [*found.marks, found.run, found.table]
    assert moments == sorted(moments, key=lambda mark: mark.cpu)
    assert max(mark.memory for mark in moments) < 1.1 * found.peak, "the kernel counts in lumps"


def test_a_loop_worker_waits_until_all_are_ready_and_returns_its_rate(setting):
    made = work.standard(setting, games.find(), 8)
    calls = []
    assert tournament.loop_worker(made, 0.001, lambda: calls.append("ready")) > 0
    assert calls == ["ready"]


def test_starts_without_and_with_a_cell_are_interleaved(monkeypatch):
    order = []

    @contextmanager
    def opened(level):
        async def prepare(_bot):
            return level

        yield SimpleNamespace(prepare=prepare)

    async def first_answer(level, *_of_what):
        order.append(level)
        return float(len(order))

    monkeypatch.setattr(launch, "opened", opened)
    monkeypatch.setattr(launch, "first_answer", first_answer)
    monkeypatch.setattr(launch, "with_options", lambda bot: bot)
    kit = kits.Built("C", games.find(), None)
    found = launch.started(kit, None, list(Way), 3)
    assert order == [Level.NONE, Level.NONE, Level.FULL] * 3
    assert found == {Way.BARE: 4.0, Way.OPTIONS: 5.0, Way.CELL: 6.0}


def test_the_overhead_of_a_cell_is_computed_per_round_and_only_if_there_is_a_cell():
    kit = kits.Built("C", games.find(), None)
    rounds = [
        {Way.BARE: 0.001, Way.OPTIONS: 0.003, Way.CELL: 0.006},
        {Way.BARE: 0.004, Way.OPTIONS: 0.003, Way.CELL: 0.007},
    ]
    told = launch.row(kit, rounds)[2:]
    assert [figure.median for figure in told] == pytest.approx([2.5, 3.0, 6.5, 3.5, 4.0])
    assert (told[4].least, told[4].greatest) == pytest.approx((3.0, 5.0))
    assert launch.row(kit, [{Way.BARE: 0.001}])[3:] == [None] * 4
    assert launch.row(kit, [{Way.CELL: 0.001}])[2:] == [None, None, spread([1.0]), None, None]


def test_with_options_changes_only_the_command_line_and_the_environment(tmp_path):
    (tmp_path / "main.py").write_text("")
    bot = bots.find(str(tmp_path))
    told = launch.with_options(bot)
    assert told.argv[1:] == ("-B", "main.py")
    assert told.env["PYTHONDONTWRITEBYTECODE"] == "1"
    assert told.cwd == bot.cwd


def test_measuring_processes_collect_garbage_as_seldom_as_commands():
    assert workers.alone(gc.get_threshold)[0] == COLLECT_AFTER


def test_without_measurements_the_report_has_no_figure():
    assert scale.in_millis([[], []]) == [None, None, None]
    most = scale.in_millis([[0.001, 0.002, 0.009], [], [0.003]])
    assert most == [figures.spread([2.0, 3.0]), figures.spread([9.0, 3.0]), 9.0]


def test_a_quick_run_measures_languages_that_build_fast_and_says_so(setting, tmp_path):
    readers = sorted(path.name for path in sdk.READERS.iterdir())
    assert kits.measured_languages(Setting(quick=False, folder=tmp_path), readers) == (readers, [])
    chosen, (note,) = kits.measured_languages(setting, readers)
    assert chosen == sorted(kits.CHEAP)
    assert "C, JavaScript, Python" in note


def test_a_request_that_is_not_in_the_script_is_detected(setting):
    made = work.standard(setting, games.find(), 8)
    with started(made.folder, made.player, 0) as player:
        assert player.stdin is not None
        player.stdin.write(b"getName\ngetN")
        with pytest.raises(WrongError, match="ended with status 1"):
            check([player])


@pytest.mark.parametrize("form", ["c", "py"])
def test_players_in_both_languages_follow_a_script(form, setting):
    if form == "c":
        try:
            program = [str(setting.built("scripted"))]
        except UnavailableError as why:
            pytest.skip(str(why))
    else:
        program = [sys.executable, "-I", "-S", str(PROGRAMS / "scripted.py")]

    def said(script: bytes, asked: bytes) -> tuple[bytes, int]:
        (setting.folder / "script").write_bytes(script)
        done = subprocess.run([*program, setting.folder / "script"], input=asked, capture_output=True, check=False)
        return done.stdout, done.returncode

    script = work.entry(3, b"one\n") + work.entry(2, b"two\n")
    assert said(script, b"abcde") == (b"one\ntwo\n", 0)
    assert said(script, b"abc") == (b"one\n", 0)
    assert said(script, b"abcd") == (b"one\n", 1)
    assert said(script, b"abcdef") == (b"one\ntwo\n", 1)
    assert said(work.entry(work.ALL, b"all\n"), b"anything\nat all\n") == (b"all\n", 0)
    clock, status = said(work.entry(1, None), b"x")
    assert re.fullmatch(rb"\d{6,}\n", clock)
    assert status == 0
