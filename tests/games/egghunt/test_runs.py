"""Later runs of a recorded match: `follow` uses their fields if rule 1 of the game's README.md allows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from games.egghunt.drawing import WIDE, area, line_up, play, read, run_on
from hypothesis import given
from hypothesis import strategies as st

from referee.contract.positions import Position
from referee.games.egghunt.generate import Field, field_of_run, is_one_area, keeps_the_rules
from referee.games.egghunt.maps import MAPS
from referee.games.egghunt.rules import EggHunt, start
from referee.saved.record import load
from referee.saved.replay import Replay

GOLDEN = Path(__file__).parents[2] / "records" / "egghunt.jsonl"


def last_turn_of_the_first_run() -> EggHunt:
    return start(read(WIDE, runs=2, turns=1), 1, line_up(7))


def second_field(position: Any) -> Position:
    """The field of the second run, if a record contains this one."""
    state = last_turn_of_the_first_run()
    state.follow([{"event": "to", "seat": 0, "at": [1, 1]}, {"event": "run", "run": 2, "position": position}])
    (event,) = play(state, "")
    assert event["position"] == state.position()
    return event["position"]


OWN = second_field(None)


def test_a_field_that_rule_1_allows_is_followed() -> None:
    position = run_on(WIDE, runs=2, run=2, turns=1)["position"]
    assert second_field(position) == position
    assert OWN["field"] != position["field"]


def edited(drawing: str, old: str, new: str) -> Position:
    assert old in drawing
    return run_on(drawing.replace(old, new, 1), runs=2, run=2)["position"]


@pytest.mark.parametrize(
    "position",
    [
        {"field": []},
        edited(WIDE, "# o", ". o"),
        edited(WIDE, "# # #", "# . #"),
        read("\n".join([line + " #" for line in [*WIDE.split("\n"), "# " * 21]]), runs=2, run=2),
        edited(WIDE, "o o", "o ."),
        edited(WIDE, ". B", "o B"),
        edited(WIDE, " G", " ."),
        run_on(WIDE, runs=2, run=2)["position"] | {"eggs": [[1, 1]] * 28},
        read("A o . B . C . D . E . F . G", runs=2, run=2),
        MAPS.setup({"name": "Eight", "description": "A field for eight."}, seats=8, rng_seed=1),
    ],
)
def test_a_field_that_rule_1_does_not_allow_is_not_followed(position: Any) -> None:
    assert second_field(position) == OWN


def test_a_divided_field_is_not_followed() -> None:
    rows = [line.split() for line in WIDE.split("\n")]
    for row in rows[1:-1]:
        row[16] = "#"
    rows[9][9] = "o"  # replaces the egg that the wall covers
    parted = read("\n".join(map(" ".join, rows)), runs=2, run=2)
    assert (len(parted["eggs"]), len(parted["players"])) == (28, 7)
    assert second_field(parted) == OWN
    rows[9][16] = "."
    joined = read("\n".join(map(" ".join, rows)), runs=2, run=2)
    assert second_field(joined)["field"] == joined["field"]


def test_follow_applies_to_one_turn() -> None:
    state = start(read(WIDE, runs=2, turns=2), 1, line_up(7))
    state.follow([run_on(WIDE, runs=2, run=2)])
    play(state, "")
    assert play(state, "")[0]["position"]["field"] == OWN["field"]


def test_a_replay_seeks_back_and_forth_across_runs() -> None:
    replay = Replay(load(GOLDEN))
    there = [replay.state_at(number).position() for number in (5, 60, 98)]
    assert [replay.state_at(number).position() for number in (98, 60, 5)] == there[::-1]
    assert [position["run"] for position in there] == [1, 2, 3]


def test_walls_are_2_to_10_long_and_at_most_3_for_each_player() -> None:
    """On a wide field most walls touch no other wall, so the test can count their lengths."""
    lengths: dict[int, int] = {}
    for seed in range(20):
        rows = field_of_run(20, seed, 1).rows
        assert sum(row[1:-1].count("#") for row in rows[1:-1]) <= 60 * 10
        for line in (*rows[1:-1], *("".join(column) for column in list(zip(*rows, strict=True))[1:-1])):
            for run in line[1:-1].split(" "):
                lengths[len(run)] = lengths.get(len(run), 0) + 1
    assert all(lengths[length] > 20 for length in range(2, 11))
    assert sum(count for length, count in lengths.items() if length > 10) < lengths[10]


@given(
    st.lists(st.text("#  ", min_size=6, max_size=6), min_size=1, max_size=6),
    st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=4),
)
def test_things_are_in_one_area_if_steps_from_one_reach_all(rows: list[str], cells: set[tuple[int, int]]) -> None:
    first, *others = things = [(x, y % len(rows)) for x, y in sorted(cells)]
    everywhere = rows[first[1]][first[0]] == " " and set(things) <= area(rows, first)
    assert is_one_area(Field(rows, others, [first])) == everywhere


def test_a_long_path_joins_an_area() -> None:
    rows = ["#" * 7, *["#     #", "##### #", "#     #", "# #####"] * 4, "#     #", "#" * 7]
    assert is_one_area(Field(rows, [(1, 1)], [(5, 17)]))
    rows[9] = "#  #  #"
    assert not is_one_area(Field(rows, [(1, 1)], [(5, 17)]))


def test_a_generated_field_keeps_the_rules() -> None:
    assert all(keeps_the_rules(field_of_run(7, seed, 1)) for seed in range(100))
    assert all(keeps_the_rules(field_of_run(players, 1, 1)) for players in (8, 13, 20, 64))
