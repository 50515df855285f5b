"""The parts that only Ants' README.md has. `referee.testing` tests the other examples."""

from __future__ import annotations

import re

from games.ants.drawing import A, B, asked, begin, play

from referee.games.ants.position import MAX_ANTS, SIZES
from referee.testing.assets import blocks, readme_of

README = readme_of("ants")


def test_the_table_of_lost_turns_agrees_with_the_rules() -> None:
    table = ["who bites in unit 10   whom                                lost units   asked again in"]
    for biter, victim, whom in ((A, B, "one of player 2, still to act"), (B, A, "one of player 1, that has acted")):
        state = begin("unit 10 of 99, A0 to move \n a A0 . \n . B0 . \n . . b", ants=1)
        play(state, "v" if biter == A else "void ^")
        while asked(state)[0] != victim:
            play(state, "void")
        again = state.round
        lost = f"{again - 8} to {again - 1}"
        table.append(f"player {biter + 1}               {whom:<36}{lost:<13}{again}")
    ((_, block),) = blocks("ants", "bites")
    assert block.splitlines() == table


def test_the_limits_in_it_are_those_of_the_code() -> None:
    assert f"{SIZES.start} to {SIZES.stop - 1} cells a side, up to {MAX_ANTS} ants a hill" in " ".join(README.split())


def test_every_key_of_a_position_is_explained() -> None:
    table = README.partition("\n## Positions\n")[2].partition("\n## ")[0]
    named = " ".join(re.findall(r"^\| ([^|]*)\|", table, re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", named)) == set(begin("a,A0 . \n . b,B0").position())
