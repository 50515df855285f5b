"""Maps of ava and viper: sizes, starts, the setup of a match, and the boards of `referee check`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from games.playing import map_refusal, named, refusal, shipped
from hypothesis import given
from hypothesis import strategies as st

from referee import games
from referee.errors import SetupError
from referee.tailbite.trials import trials

AVA: Any = games.find("ava").maps
VIPER: Any = games.find("viper").maps
SHIPPED = {game: shipped(game) for game in ("ava", "viper")}


def document(**more: Any) -> dict[str, Any]:
    return {"name": "Drawn", "description": "For a test.", **more}


# -- The starts (rule 1) ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("maps", "heads", "tails", "steps"),
    [
        (AVA, [(12, 15), (9, 12), (12, 9), (15, 12)], [(12, 24), (0, 12), (12, 0), (24, 12)], 1000),
        (VIPER, [(10, 13), (7, 10), (10, 7), (13, 10)], [(10, 20), (0, 10), (10, 0), (20, 10)], 500),
    ],
)
def test_the_default_starts(maps: Any, heads: list[tuple[int, int]], tails: list[tuple[int, int]], steps: int) -> None:
    facts = maps.facts(document())
    assert (facts.starts, facts.rounds) == (heads, steps)
    setup = maps.setup(document(), seats=4, rng_seed=1)
    cells = [[tuple(cell) for cell in snake["cells"]] for snake in setup["snakes"]]
    assert sorted((chain[0], chain[-1]) for chain in cells) == sorted(zip(heads, tails, strict=True))
    length = 10 if maps is AVA else 8
    for chain in cells:
        assert len(chain) == length
        assert len(set(chain)) == length
        assert len({x for x, _ in chain}) == 1 or len({y for _, y in chain}) == 1


def test_a_map_is_drawn() -> None:
    assert AVA.facts(document(size=7, length=3)).rows == [
        "...t...",
        "...o...",
        "...3...",
        "to2.4ot",
        "...1...",
        "...o...",
        "...t...",
    ]


@given(st.data())
def test_every_size_and_length_gives_a_position_that_is_read(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 20)) * 2 + 1
    length = data.draw(st.integers(2, (size - 1) // 2))
    setup = AVA.setup(document(size=size, length=length, steps=3), seats=4, rng_seed=data.draw(st.integers()))
    assert games.find("ava").start(setup, 1).position() == setup


def test_snakes_are_shuffled_over_all_four_starts() -> None:
    places = Counter()
    for seed in range(600):
        setup = AVA.setup(document(size=5, length=2), seats=2, rng_seed=seed)
        places[tuple(tuple(snake["cells"][0]) for snake in setup["snakes"])] += 1
    assert len(places) == 4 * 3
    assert min(places.values()) > 25


def test_rotating_seats_takes_them_through_the_same_places() -> None:
    setups = [AVA.setup(document(), seats=3, rng_seed=7, rotate=turn)["snakes"] for turn in range(4)]
    assert setups[1] == [setups[0][1], setups[0][2], setups[0][0]]
    assert setups[2] == [setups[0][2], setups[0][0], setups[0][1]]
    assert setups[3] == setups[0]


def test_the_same_seed_gives_the_same_places_on_every_version() -> None:
    setup = AVA.setup(document(size=5, length=2), seats=4, rng_seed=2026)
    assert [snake["cells"][0] for snake in setup["snakes"]] == [[1, 2], [3, 2], [2, 1], [2, 3]]


# -- Documents -------------------------------------------------------------------------------------------------------


def test_rounds_set_the_steps_and_options_are_in_the_position() -> None:
    setup = VIPER.setup(document(options={"or_groups": "any"}), seats=4, rng_seed=1, rounds=17)
    assert setup["steps"] == 17
    assert setup["options"] == {"rating": "sum", "failed_and_groups": "count", "or_groups": "any"}
    assert (setup["step"], setup["moved"], setup["order"]) == (1, False, [])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"size": 24}, "size: must be odd, so that there is a middle, not 24"),
        ({"size": 3}, "size: must be 5 or more"),
        ({"size": 257}, "size: must be 255 or less"),
        ({"length": 13}, "length: on 25 cells a side snakes have 2 to 12 segments, not 13"),
        ({"length": 1}, "length: must be 2 or more"),
        ({"steps": 0}, "steps: must be 1 or more"),
        ({"options": {"rating": "mean"}}, "options.rating: must be 'sum' or 'max'"),
    ],
)
def test_facts_check_and_setup_refuse_an_invalid_document(wrong: dict[str, Any], sentence: str) -> None:
    assert sentence in map_refusal(AVA, document(**wrong))


def test_too_many_or_too_few_bots_or_rounds_are_refused() -> None:
    for maps, seats, sentence in (
        (AVA, 1, "ava is for 2 to 4 bots, not 1"),
        (VIPER, 5, "viper is for 2 to 4 bots, not 5"),
    ):
        assert refusal(maps.setup, document(), seats=seats, rng_seed=1) == sentence
    with pytest.raises(SetupError, match="rounds: a match has 1 to 40000 steps, not 0"):
        AVA.setup(document(), seats=2, rng_seed=1, rounds=0)


def test_the_default_map_has_the_usual_sizes() -> None:
    for game, maps in (("ava", AVA), ("viper", VIPER)):
        facts, usual = maps.facts(SHIPPED[game][maps.default]), maps.facts(document())
        assert (facts.size, facts.rounds, facts.counts) == (usual.size, usual.rounds, usual.counts)


def test_each_game_has_a_quick_map() -> None:
    for game in ("ava", "viper"):
        assert min(document["size"] for document in SHIPPED[game].values()) <= 13


def begun(title: str) -> Any:
    """The match on this board, at the first request for a move."""
    (trial,) = (trial for trial in trials() if trial.title == title)
    return named(games.find("viper").start(trial.setup, 1))


@pytest.mark.parametrize(
    ("title", "letters"),
    [
        ("nothing but itself in sight", ".HST"),
        ("in the corner", ".WHST"),
        ("a rival's tail beside the head", ".HSTXYZ"),
        ("heads all around", ".HSTX"),
    ],
)
def test_these_letters_are_in_the_window(title: str, letters: str) -> None:
    seen = set(begun(title).board.window(0).decode())
    assert seen >= set(letters)
    if title == "nothing but itself in sight":
        assert seen == set(letters)
