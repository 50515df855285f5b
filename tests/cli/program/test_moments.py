"""`referee program test` at a step of a saved game."""

from __future__ import annotations

import json
import re

import pytest
from cli.program.conftest import BOTS, COBRA, TAIPAN, moves_of

pytestmark = pytest.mark.machine


@pytest.mark.parametrize(("game", "file"), [("ava", COBRA), ("viper", TAIPAN)])
def test_a_program_gives_the_same_answer_as_in_the_match(referee, saved, game, file):
    for step, answer in list(moves_of(saved / f"{game}.jsonl", 0).items())[:4]:
        report = json.loads(referee("program", "test", file, f"{game}.jsonl", "--step", step, "--json").out)
        assert (report["game"], report["step"], report["seat"]) == (game, step, 0)
        assert report["answer"] == report["recorded"] == answer


def test_test_draws_the_window_and_each_variant_beside_the_cells_below_it(referee, saved):
    step = next(iter(moves_of(saved / "viper.jsonl", 0)))
    ran = referee("program", "test", TAIPAN, "viper.jsonl", "--step", step)
    assert (ran.code, ran.err) == (0, "")
    window, moves, _ = re.split(r"^(?=  possible moves: |scheme 1 )", ran.out, maxsplit=2, flags=re.MULTILINE)
    title, *rows = window.splitlines()
    assert title == "Taipan sees"
    assert [len(row.split()) for row in rows] == [13] * 13
    assert rows[6].split()[6] == "H"
    assert "\n  candidates: " in moves
    _, variant = ran.out.split("scheme 1 as drawn and mirrored left to right, goes U: does not fit\n")
    assert re.search(r"^  -- -- -- Z- -- -- -- +(\S+ +){3}!\S( +\S+){3}$", variant, re.MULTILINE)
    assert "\n  ungrouped fails: Z- 1 up needs enemy tail, found " in variant
    assert re.search(r"^scheme \d.*: decides$", variant, re.MULTILINE)
    assert f"\nstep {step}, seat 1: the program answers " in variant


def test_test_says_why_no_map_fits(referee, saved, tmp_path):
    rows = ["-- -- -- -- -- -- --"] * 7
    rows[2], rows[3] = "-- -- -- T0 -- -- --", "-- -- -- ^^ -- -- --"
    (tmp_path / "vain.ava").write_text("\n".join(["name: Vain", "", "map: own tail", *rows, ""]))
    step = next(iter(moves_of(saved / "ava.jsonl", 0)))
    ran = referee("program", "test", "vain.ava", "ava.jsonl", "--step", step)
    assert (ran.code, ran.err) == (0, "")
    assert "  no map fits, so every possible move is a candidate" in ran.out.splitlines()
    assert "map 1, own tail: does not fit" in ran.out.splitlines()
    assert "  AND-group 0 fails: T0 1 up needs own tail, found empty" in ran.out.splitlines()


def test_test_takes_the_view_of_another_seat(referee, saved):
    step, answer = next(iter(moves_of(saved / "viper.jsonl", 3).items()))
    newt = BOTS / "newt" / "newt.viper"
    report = json.loads(referee("program", "test", newt, "viper.jsonl", "--step", step, "--seat", "4", "--json").out)
    assert (report["seat"], report["answer"]) == (3, answer)
    ran = referee("program", "test", newt, "viper.jsonl", "--step", step, "--seat", "1")
    assert ran.code == 2
    assert f"step {step} asked seat 4, not seat 1, which was asked in steps " in ran.err
    assert referee("program", "test", newt, "viper.jsonl", "--step", step, "--seat", "9").code == 2


def test_a_program_of_another_game(referee, saved):
    ran = referee("program", "test", COBRA, "viper.jsonl", "--step", "9")
    assert ran.code == 2
    assert ran.err.endswith(f"viper.jsonl is a game of viper, and {COBRA} is for ava: name a saved game of ava\n")
