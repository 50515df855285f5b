"""The matches of a check: they use every map in turn and every seat, and depend only on the seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.compliance.fixtures import MOST_SEATS, fixtures
from referee.files import mapfiles
from referee.games.snakecore.plugin import GAME

MAPS = {name: mapfiles.read(GAME, name) for name in mapfiles.names(GAME)}


@given(st.integers(0, 2**31), st.integers(1, 12))
def test_every_match_can_be_played(seed, matches):
    planned = fixtures(GAME, MAPS, ["oracle", "guard"], rng_seed=seed, matches=matches)
    assert len(planned) == matches
    for fixture in planned:
        seats = len(fixture.rivals) + 1
        assert 2 <= seats <= MOST_SEATS
        assert 0 <= fixture.seat < seats
        assert GAME.start(fixture.setup, fixture.rng_seed).seats == seats


def test_matches_are_mixed():
    planned = fixtures(GAME, MAPS, ["oracle", "guard", "random"], rng_seed=1, matches=10)
    assert len(planned) == 10
    assert len({fixture.map for fixture in planned}) == 10
    assert len({len(fixture.rivals) for fixture in planned}) > 1
    assert len({fixture.seat for fixture in planned}) > 1
    assert len({fixture.rng_seed for fixture in planned}) == 10


def test_the_seed_determines_the_matches():
    one, same, other = (fixtures(GAME, MAPS, ["oracle"], rng_seed=seed, matches=10) for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize(
    ("seat", "rivals", "title"),
    [
        (0, [], "seat 1 of 1 alone"),
        (1, [""], "seat 2 of 2 against itself"),
        (1, ["a", "b"], "seat 2 of 3 against a, b"),
    ],
)
def test_a_title_has_the_map_the_seat_and_the_rivals(seat, rivals, title):
    (fixture,) = fixtures(GAME, {"duel": MAPS["duel"]}, [], rng_seed=1, matches=1, rounds=7)
    assert (fixture.rivals, fixture.setup["rounds"]) == ([""], 7), "without rivals it plays against itself"
    named = type(fixture)("duel", fixture.setup, seat, rivals, 1)
    assert named.title == f"duel, {title}"
