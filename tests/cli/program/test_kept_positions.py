"""`referee program test` with test positions: kept by `--pin`, and run."""

from __future__ import annotations

import json
import shutil

import pytest
from cli.program.conftest import COBRA, TAIPAN, moves_of

pytestmark = pytest.mark.machine


def test_charts_say_which_decides(referee, saved):
    for game, file in (("ava", COBRA), ("viper", TAIPAN)):
        for step in list(moves_of(saved / f"{game}.jsonl", 0))[:4]:
            report = json.loads(referee("program", "test", file, f"{game}.jsonl", "--step", step, "--json").out)
            fired = [chart["chart"] for chart in report["charts"] if chart["verdict"] == "fires"]
            decides = [sheet["title"] for sheet in report["sheets"] if sheet["title"].endswith(": decides")]
            assert len(report["charts"]) == file.read_text().count("^^")
            assert [title.split()[1].rstrip(",:") for title in decides] == [str(number) for number in fired]


def test_a_pinned_moment_is_run_without_its_saved_game(referee, saved):
    shutil.copy(TAIPAN, saved / "mine.viper")
    step, answer = next(iter(moves_of(saved / "viper.jsonl", 0).items()))
    moment = ["mine.viper", "viper.jsonl", "--step", step]
    letters = "".join(sorted(set(answer)))
    ran = referee("program", "test", *moment, "--pin", f"must={letters}")
    assert (ran.code, ran.err) == (0, "")
    added, line = ran.out.splitlines()
    assert added == "mine.tests.toml: added a test, which now gives"
    assert line.startswith(f"pass  1: must go {' or '.join(letters)}: goes ")
    assert line.endswith(f" [viper.jsonl, step {step}]")
    (saved / "viper.jsonl").unlink()
    ran = referee("program", "test", "mine.viper")
    assert (ran.code, ran.out.splitlines(), ran.err) == (0, [line, "1 of 1 test passed"], "")
    report = json.loads(referee("program", "test", "mine.viper", "--json").out)
    assert (report["file"], report["tests"][0]["verdict"]) == ("mine.tests.toml", "pass")


def test_a_test_that_fails_gives_exit_code_1(referee, saved):
    shutil.copy(TAIPAN, saved / "mine.viper")
    step = next(iter(moves_of(saved / "viper.jsonl", 3)))
    words = ["mine.viper", "viper.jsonl", "--step", step, "--seat", "4", "--json"]
    report = json.loads(referee("program", "test", *words, "--pin", "must_not=ULDR", "--pin", "chart=99").out)
    assert [(test["verdict"], test["demand"]) for test in report["tests"]] == [
        ("fail", "must not go U or L or D or R, scheme 99 must decide")
    ]
    ran = referee("program", "test", "mine.viper")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.endswith("\n0 of 1 test passed\n")
    assert ran.out.startswith("fail  1: must not go U or L or D or R, scheme 99 must decide: goes ")


def test_texts_of_tests_are_escaped(referee, tmp_path):
    shutil.copy(TAIPAN, tmp_path / "mine.viper")
    (tmp_path / "mine.tests.toml").write_text(
        '[[test]]\nmust = "L"\nnote = "[bold]ж"\n[test.position]\n"\\u001b[31m" = 1\n'
    )
    ran = referee("program", "test", "mine.viper")
    assert ran.code == 1
    assert "\x1b" not in ran.out
    assert ran.out.startswith("wrong 1: must go L: position: ")
    assert "[[bold]ж]" in ran.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "there is no mine.tests.toml, so mine.viper has no test positions: keep one with "),
        (["viper.jsonl"], "say which step with --step; without a saved game, the test positions are run"),
        (["--pin", "must=L"], "say which step with --step"),
        (["viper.jsonl", "--step", 9, "--pin", "must"], "--pin must: write must=LU, must_not=L or chart=2, each once"),
        (["viper.jsonl", "--step", 9, "--pin", "turn=L"], "--pin turn=L: write must=LU, must_not=L or chart=2"),
        (["viper.jsonl", "--step", 9, "--pin", "must=U", "--pin", "must=L"], "--pin must=L: write must=LU"),
        (["viper.jsonl", "--step", 9, "--pin", "chart=x"], "--pin: chart: must be a whole number"),
    ],
)
def test_what_cannot_be_run_or_pinned_is_a_usage_error(referee, saved, words, says):
    shutil.copy(TAIPAN, saved / "mine.viper")
    ran = referee("program", "test", "mine.viper", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"referee: {says}")
    assert ran.err.count("\n") == 1
    assert not (saved / "mine.tests.toml").exists()


def test_nothing_is_kept_beside_a_sample(referee, saved):
    ran = referee("program", "test", "taipan", "viper.jsonl", "--step", "9", "--pin", "must=U")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"referee: {TAIPAN} is a sample of the referee: copy it, and keep test positions of the copy\n"
    assert not TAIPAN.with_suffix(".tests.toml").exists()
