"""Maps of the egg hunt: reading, checks, the setup of a match, and the boards of `referee check`."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from games.egghunt.drawing import line_up
from games.playing import map_refusal, refusal, shipped

from referee.errors import SetupError
from referee.games.egghunt.maps import MAPS
from referee.games.egghunt.rules import EggHunt, start
from referee.games.egghunt.trials import MANY, trials
from referee.games.egghunt.wire import decode, encode_turn

SHIPPED = shipped("egghunt")
FAIR = """
########
#*  o  #
#  ##  #
#   o  #
#  o   #
#  ##  #
#  o  *#
########
"""


def drawn(field: str, symmetry: str = "none", **more: Any) -> dict[str, Any]:
    return {"name": "Drawn", "description": "For a test.", "symmetry": symmetry, "field": field, **more}


WIDE = drawn("\n".join(["#" * 12, "#" + "* " * 5 + "#", *["#* o       #"] * 9, "#" * 12]))

refused = partial(map_refusal, MAPS)


# -- Shipped maps ----------------------------------------------------------------------------------------------------


def test_the_default_map_is_the_match_of_the_rules() -> None:
    setup = MAPS.setup(SHIPPED[MAPS.default], seats=9, rng_seed=4)
    assert (setup["runs"], setup["run"], setup["turns"], setup["turn"]) == (10, 1, 225, 1)
    assert (len(setup["field"]), len(setup["eggs"]), len(setup["players"])) == (27, 36, 9)
    assert start(setup, 4).position() == setup


def test_the_other_maps_have_a_single_run_or_are_small_and_fair() -> None:
    assert MAPS.setup(SHIPPED["single"], seats=1, rng_seed=4)["runs"] == 1
    nest = MAPS.facts(SHIPPED["nest"])
    assert (nest.size, len(nest.starts), nest.counts["eggs"], nest.symmetry) == (13, 4, 16, "quarter")
    assert MAPS.setup(SHIPPED["nest"], seats=4, rng_seed=1)["runs"] == 1


def test_facts_of_a_map_with_generated_fields_show_an_example() -> None:
    facts = MAPS.facts(SHIPPED["easter"])
    assert facts.description.endswith("(What is drawn here is an example, for 7 players.)")
    assert (facts.size, len(facts.starts), facts.rounds) == (21, 7, 175)
    text = "".join(facts.rows)
    assert (text.count("o"), text.count("*")) == (28, 7)
    assert facts.counts == {"runs": 10, "eggs": 28, "wall cells": text.count("#")}
    assert all(facts.rows[y][x] == "*" for x, y in facts.starts)
    assert "example" not in MAPS.facts(SHIPPED["nest"]).description


# -- The setup of a match --------------------------------------------------------------------------------------------


def test_rounds_set_the_turns_of_a_run() -> None:
    assert MAPS.setup(SHIPPED["easter"], seats=7, rng_seed=1, rounds=3)["turns"] == 3
    assert MAPS.setup(SHIPPED["nest"], seats=2, rng_seed=1)["turns"] == 60
    assert MAPS.setup(SHIPPED["nest"], seats=2, rng_seed=1, rounds=3)["turns"] == 3


def test_rotation_moves_the_bots_and_not_the_house_players() -> None:
    plain = MAPS.setup(SHIPPED["easter"], seats=3, rng_seed=1)["players"]
    for rotate in range(4):
        players = MAPS.setup(SHIPPED["easter"], seats=3, rng_seed=1, rotate=rotate)["players"]
        assert players == [*(plain[(seat + rotate) % 3] for seat in range(3)), *plain[3:]]


@pytest.mark.parametrize(("seats", "players"), [(1, 2), (2, 2)])
def test_house_players_take_only_the_places_of_the_map(seats: int, players: int) -> None:
    setup = MAPS.setup(drawn(FAIR, "half"), seats=seats, rng_seed=1)
    assert setup["players"] == [[1, 1], [6, 6]][:players]
    assert setup["eggs"] == [[4, 1], [4, 3], [3, 4], [3, 6]]
    assert (setup["runs"], setup["turns"]) == (1, 50)


def test_on_a_map_with_many_places_the_house_fills_up_to_seven() -> None:
    assert len(MAPS.facts(WIDE).starts) == 14
    assert len(MAPS.setup(WIDE, seats=9, rng_seed=1)["players"]) == 9
    assert len(MAPS.setup(WIDE, seats=2, rng_seed=1)["players"]) == 7


def test_a_map_with_several_runs_needs_seven_places() -> None:
    setup = MAPS.setup(WIDE | {"runs": 3}, seats=2, rng_seed=1)
    assert (setup["runs"], len(setup["players"])) == (3, 7)
    with pytest.raises(SetupError, match="runs: Drawn has 2 places, too few for more than one run"):
        MAPS.setup(drawn(FAIR, "half", runs=2), seats=2, rng_seed=1)


@pytest.mark.parametrize(
    ("document", "seats", "rounds", "complaint"),
    [
        (SHIPPED["easter"], 0, None, "a match on Easter takes 1 to 64 bots, not 0"),
        (SHIPPED["easter"], 65, None, "a match on Easter takes 1 to 64 bots, not 65"),
        (SHIPPED["easter"], 1, 0, "rounds: must be 1 or more, not 0"),
        (SHIPPED["nest"], 5, None, "Nest has 4 places to start, too few for 5 bots"),
    ],
)
def test_an_impossible_setup_is_refused(document: Any, seats: int, rounds: int | None, complaint: str) -> None:
    assert refusal(MAPS.setup, document, seats=seats, rng_seed=1, rounds=rounds).startswith(complaint)


# -- Reading a map ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        (drawn(FAIR, runs=0), "runs: must be 1 or more"),
        (drawn(FAIR, "paths"), "symmetry: must be 'none', 'half', 'left-right', 'top-bottom' or 'quarter'"),
        (SHIPPED["easter"] | {"symmetry": "half"}, "symmetry: a field that is drawn from the seed has none"),
        (drawn("##\n##"), "field: must have 3 to 999 rows, not 2"),
        (drawn("####\n#  #\n####"), "field: row 1 has 4 characters, but a field of 3 rows needs 3 in each"),
        (drawn("###\n#.#\n###"), "field: '.' at (1, 1) is not a cell: use # wall, o egg, * place to start, or a blank"),
        *((drawn(FAIR.replace(thing, " ")), "field: must have an egg (o) and a place to start (*)") for thing in "o*"),
        (drawn("\n".join(["*" * 8 + "o"] * 9)), "field: 72 places to start, 64 are allowed"),
    ],
)
def test_an_invalid_document_is_refused_with_the_key(document: dict[str, Any], complaint: str) -> None:
    assert refused(document).startswith(complaint)


# -- Checking a map --------------------------------------------------------------------------------------------------


def test_a_fair_map_has_no_warnings() -> None:
    assert MAPS.check(drawn(FAIR, "half")) == []


@pytest.mark.parametrize(
    ("document", "complaints"),
    [
        (drawn(FAIR.replace("#   o  #", "    o  #")),
         ["The border is open at (0, 3): a field has walls all around."]),
        (drawn(FAIR.replace("#  ##  #", "########")),
         ["The place to start at (6, 6) cannot be reached from the place to start at (1, 1).",
          "The egg at (4, 3) cannot be reached from the place to start at (1, 1)."]),
        (drawn(FAIR, "quarter"),
         ["The wall at (3, 2) has no counterpart at (2, 4), which the symmetry quarter requires.",
          "The egg at (3, 4) has no counterpart at (3, 3), which the symmetry quarter requires.",
          "The place to start at (1, 1) has no counterpart at (1, 6), which the symmetry quarter requires."]),
        (drawn(FAIR, "half", runs=10),
         ["A match of 10 runs needs 7 places to start: draw more, or leave out runs."]),
    ],
)  # fmt: skip
def test_check_names_what_is_unfair_or_impossible(document: dict[str, Any], complaints: list[str]) -> None:
    assert MAPS.check(document) == complaints


TRIALS = {trial.title: trial for trial in trials()}


def begun(title: str) -> EggHunt:
    setup = TRIALS[title].setup
    return start(setup, 1, line_up(8)[:1] * len(setup["players"]))


def sight(title: str) -> list[str]:
    """The lines of the first request to the bot."""
    return encode_turn(begun(title).requests()[0]).decode().split("\n")


def test_the_corner_and_the_crowd_are_as_their_titles_say() -> None:
    assert sight("the corner of the field")[:3] == ["XXXXX", "X####", "X#*  "]
    assert sight("a field without a border")[:3] == ["XXXXX", "XXXXX", "XX*  "]
    assert begun("the most players allowed").seats == 64


def test_a_board_gives_the_bot_no_memory() -> None:
    """In a match, a player gets only its own memory. An unknown one could crash a correct program."""
    assert {sight(title)[5] for title in TRIALS} == {""}


def test_the_match_of_many_turns_has_the_same_length_for_every_bot() -> None:
    """One egg is out of reach, so the run cannot end early."""
    state = begun("many turns in a row")
    for turn in range(MANY):
        actions = [decode("getAction", [b"%d" % (1 + (turn * 5 + request.seat) % 8)]) for request in state.requests()]
        state.advance(actions)
    assert state.current_result().rounds == MANY
    assert len(state.position()["eggs"]) >= 1


def test_the_board_of_several_runs_plays_three_runs() -> None:
    state = begun("several runs")
    runs = []
    while due := state.requests():
        runs.append(state.run)
        state.advance([decode("getAction", TRIALS["several runs"].bystanders["getAction"].split(b"\n")) for _ in due])
    assert runs == [1, 1, 1, 2, 2, 2, 3, 3, 3]
