"""Test positions: a moment of a game, what a program must do there, and whether it does."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.analysis.program_tests import (
    MOST_BYTES,
    MOST_TESTS,
    Demand,
    _table,
    outcomes,
    read_tests,
    with_test,
    without_test,
)
from referee.analysis.programs import Script, decision
from referee.errors import ProgramError, UsageError
from referee.saved.record import load
from referee.saved.replay import Replay

GAME = games.find("viper")
PROGRAM = b"""\
name: Biter

scheme and: bite
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- Z- -- -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

scheme and: anywhere
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- V- -- -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
"""
SCRIPT = Script(GAME, GAME.programs, PROGRAM, "biter.viper")
POSITION = """
position = {size = 7, steps = 9, order = [1, 0], snakes = [{cells = [[0, 0], [1, 0]]}, {cells = [[3, 3], [3, 4], [3, 5]]}]}
"""
"""Seat 1 is asked and can go U, L and R."""
BESIDE = POSITION.replace("[0, 0], [1, 0]", "[1, 3], [2, 3]")
"""Left of it is a tail."""


def toml_of(*tests: str) -> bytes:
    return "\n".join(f"[[test]]\n{test}" for test in tests).encode()


def verdicts(*tests: str) -> list[tuple[str, str | None, int | None]]:
    results = outcomes(SCRIPT, read_tests(toml_of(*tests), "x.tests.toml"))
    return [(result["verdict"], result["answer"], result["chart"]) for result in results]


REPLAY = Replay(load(Path(__file__).parents[1] / "records" / "viper.jsonl"))
MOVES = [step.number for step in REPLAY.steps if step.ask != "getName"]


# -- Running ------------------------------------------------------------------------------------------------------


def test_a_demand_is_met_by_all_moves_that_the_program_may_make():
    assert verdicts(
        'must = "L"' + BESIDE, 'must = "LU"' + BESIDE, 'must = "U"' + BESIDE, 'must_not = "L"' + BESIDE,
        'must_not = "UR"' + BESIDE, "chart = 1" + BESIDE, "chart = 2" + BESIDE,
    ) == [
        ("pass", "LL", 1), ("pass", "LL", 1), ("fail", "LL", 1), ("fail", "LL", 1),
        ("pass", "LL", 1), ("pass", "LL", 1), ("fail", "LL", 1),
    ]  # fmt: skip
    assert verdicts('must = "UL"' + POSITION, 'must = "ULR"\nchart = 2' + POSITION, 'must = "L"\nchart = 2' + POSITION) == [
        ("fail", "UULLRR", 2), ("pass", "UULLRR", 2), ("fail", "UULLRR", 2),
    ]  # fmt: skip


def test_chart_0_means_that_none_decides():
    alone = SCRIPT._replace(source=PROGRAM[: PROGRAM.index(b"\nscheme and: anywhere")])
    (result,) = outcomes(alone, read_tests(toml_of("chart = 0" + POSITION), "x"))
    assert (result["verdict"], result["chart"], result["demand"]) == ("pass", 0, "no scheme may decide")


def test_an_outcome_says_what_was_demanded_and_why_it_failed():
    texts = ['must = "LU"\nmust_not = "R"\nchart = 2\nsaved = "a.jsonl"\nstep = 7\nnote = "trap"', "chart = 1"]
    first, second = outcomes(SCRIPT, read_tests(toml_of(texts[0] + BESIDE, texts[1] + POSITION), "x"))
    assert first == {
        "test": 1, "demand": "must go L or U, must not go R, scheme 2 must decide", "saved": "a.jsonl", "step": 7,
        "origin": "a.jsonl, step 7: trap", "verdict": "fail", "answer": "LL", "chart": 1,
        "why": "scheme 1 decides before scheme 2",
    }  # fmt: skip
    assert second["why"] == "ungrouped fails: Z- 1 up needs enemy tail, found empty"
    assert (second["saved"], second["step"], second["origin"]) == (None, None, "")


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ('must = "L"' + POSITION.replace("size = 7", "size = 8"), "position: size: must be odd, not 8"),
        ('must = "L"\nseat = 0' + POSITION, "position: it asks seat 1, not seat 0 (seats count from 0)"),
        ('must = "l"' + POSITION, "must: l is not a move: use letters of U L D R"),
        ('must_not = "UX"' + POSITION, "must_not: X is not a move: use letters of U L D R"),
        (
            'must = "L"' + POSITION.replace("{cells = [[0, 0], [1, 0]]}", "{cells = [[0, 0]], eaten = 1}").replace("1, 0]", "1]"),
            "position: the match is over there, so no seat is asked",
        ),
    ],
)  # fmt: skip
def test_a_test_that_cannot_be_run_is_wrong_and_others_go_on(test, why):
    wrong, good = outcomes(SCRIPT, read_tests(toml_of(test, 'must = "L"' + BESIDE), "x"))
    assert (wrong["verdict"], wrong["why"], wrong["answer"]) == ("wrong", why, None)
    assert good["verdict"] == "pass"


def test_a_program_with_a_mistake_has_no_outcomes():
    with pytest.raises(ProgramError, match=r"biter\.viper, line 1"):
        outcomes(SCRIPT._replace(source=b"nam: x"), [])


# -- Files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff", "x.tests.toml, line 1, column 1: not TOML: byte 1 of the line is not UTF-8"),
        (b"[[test]", "x.tests.toml, line 1, column 7: not TOML: "),
        (b"tests = 1", "x.tests.toml: tests: unknown key"),
        (toml_of('must = "L"'), "x.tests.toml: test.0.position: missing"),
        (toml_of(POSITION), "x.tests.toml: test.0: a test needs must, must_not or chart"),
        (toml_of('must = ""' + POSITION), "x.tests.toml: test.0.must: must have 1 character or more"),
        (toml_of('must = "L"\nnote = "\\u001b[31m"' + POSITION), "test.0.note: must have no control characters"),
        (toml_of(*["chart = 1" + POSITION] * (MOST_TESTS + 1)), f"test: must have at most {MOST_TESTS} entries"),
        (b"#" * (MOST_BYTES + 1), "x.tests.toml is longer than 256 KiB"),
    ],
)
def test_a_wrong_file_gives_one_sentence(data, says):
    with pytest.raises(UsageError) as caught:
        read_tests(data, "x.tests.toml")
    assert says in str(caught.value)
    assert str(caught.value).isprintable()


def test_the_example_of_the_manual_is_true():
    page = files("referee").joinpath("docs", "programs.md").read_text(encoding="utf-8")
    program, test = (
        re.findall(rf"^```{kind}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0] for kind in ("viper", "toml")
    )
    (result,) = outcomes(SCRIPT._replace(source=program.encode()), read_tests(test.encode(), "x"))
    assert (result["verdict"], result["answer"], result["origin"]) == ("pass", "LL", "an easy bite")


# -- Pinning ------------------------------------------------------------------------------------------------------


def test_a_pinned_moment_gives_the_decision_of_the_saved_game():
    text, steps = "", MOVES[::12]
    for step in steps:
        text = with_test(text.encode(), "x", SCRIPT, REPLAY, step, None, Demand(must="ULDR"))
    results = outcomes(SCRIPT, read_tests(text.encode(), "x"))
    assert [(result["step"], result["verdict"]) for result in results] == [(step, "pass") for step in steps]
    for result in results:
        report = decision(SCRIPT, REPLAY, result["step"])
        assert report["answer"] == result["answer"]
        assert [c["chart"] for c in report["charts"] if c["verdict"] == "fires"] == [result["chart"]]
    assert {result["chart"] for result in results} == {1, 2}


def test_a_pinned_test_is_added_below_what_is_there():
    old = "# mine\n" + toml_of('must = "L"' + BESIDE).decode() + "\n# the end"
    new = with_test(old.encode(), "x", SCRIPT, REPLAY, MOVES[0], None, Demand(chart=2))
    assert new.startswith(old)
    first, second = read_tests(new.encode(), "x")
    assert (first.must, second.chart, second.saved) == ("L", 2, REPLAY.record.path)
    assert with_test(b"", "x", SCRIPT, REPLAY, MOVES[0], None, Demand(chart=2)).startswith(
        "# Test positions of biter.viper\n\n[[test]]\nchart = 2\n"
    )


def test_a_test_is_taken_out_and_the_others_stay_as_they_are():
    first, second, third = (f'[[test]]\nmust = "{move}"{BESIDE}\n# {move}\n' for move in "LUR")
    old = f"# mine\n{first}{second}{third}"
    assert without_test(old.encode(), "x", 1) == f"# mine\n{second}{third}"
    assert without_test(old.encode(), "x", 2) == f"# mine\n{first}{third}"
    assert without_test(f"# mine\n{third}".encode(), "x", 1) == "# mine\n"


@pytest.mark.parametrize(
    ("old", "says"),
    [
        ("", "x has no test 1"),
        ("[[", "x: not TOML"),
        ('test = [{must = "L", position = {}}]', "test 1 cannot be taken out of x: write its tests as"),
    ],
)
def test_a_test_that_is_not_there_or_has_no_table_stays(old, says):
    with pytest.raises(UsageError, match=says):
        without_test(old.encode(), "x", 1)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"step": 1}, "step 1 asks for a name"),
        ({"step": 999}, "there is no step 999"),
        ({"seat": 9}, "there is no seat 10"),
        ({"demand": Demand(must="J")}, "must: J is not a move"),
        ({"old": b"test = []\n"}, "x, line 3.*: not TOML: "),
    ],
)
def test_what_cannot_be_pinned_is_refused(given, says):
    usual = {"old": b"", "step": MOVES[0], "seat": None, "demand": Demand(must="L")}
    with pytest.raises(UsageError, match=says):
        with_test(file="x", script=SCRIPT, replay=REPLAY, **usual | given)


def test_a_position_that_hides_something_is_not_kept():
    seen: list[bytes] = []

    def encode(request: Any) -> bytes:
        seen.append(GAME.encode(request))
        return seen[-1] + str(len(seen)).encode()

    script = SCRIPT._replace(game=replace(GAME, encode=encode))
    with pytest.raises(UsageError, match=r"its position does not show all that seat \d saw"):
        with_test(b"", "x", script, REPLAY, MOVES[0], None, Demand(must="L"))


def test_values_of_positions_are_written_as_toml():
    value = {"a": [1, True, -1.5], "b c": {"x": 'q"\\ж', "y": None}, "rows": [{"z": []}, {"z": [[1]]}]}
    text = "\n".join(_table(value))
    assert tomllib.loads(text) == {**value, "b c": {"x": value["b c"]["x"]}}
