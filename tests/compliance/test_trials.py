"""What a check plays: boards, which end if all seats give the bystanders' answers, and matches, which depend only on the seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import games
from referee.compliance.fixtures import MOST_SEATS, fixtures
from referee.compliance.trial_runner import IdleTurns
from referee.contract.game import Answer, Step
from referee.files import mapfiles
from referee.games.snakecore.plugin import GAME

MAPS = {name: mapfiles.read(GAME, name) for name in mapfiles.names(GAME)}
EVERY = [(game, trial) for game in games.every() for trial in game.trials()]


@pytest.mark.parametrize(("game", "trial"), EVERY, ids=lambda value: getattr(value, "title", ""))
def test_a_trial_reaches_its_end(game, trial):
    state = game.start(trial.setup, 1)
    asked = 0
    while due := state.requests():
        for request in due:
            assert game.encode(request).endswith(b"\n")
            asked += request.seat == 0
        state.advance([game.decode(request.ask, trial.bystanders[request.ask].split(b"\n")) for request in due])
    assert asked > 1
    assert state.outcome().reason != "interrupted"


def own(title: str):
    """The start position of this board, and the first python in it."""
    (trial,) = (trial for trial in GAME.trials() if trial.title == title)
    position = GAME.start(trial.setup, 1).position()
    return position, position["pythons"][0]


def test_the_boards_match_their_titles():
    assert own("a tiny board")[0]["size"] == 3
    assert own("a large board")[0]["size"] == 64
    crowded = "".join(own("a crowded board")[0]["field"])
    assert crowded.count(".") == 8 * 6  # the cells of the eight pythons
    assert len(own("a crowded board")[0]["pythons"]) == 8
    for title in ("a head alone", "nothing but its head on the board", "boxed in by walls"):
        assert own(title)[1]["blocks"] == ""
    assert own("shielded, beside a shielded rival")[1]["shield"] > 6
    assert set(own("no energy")[1]["blocks"]) == {"b"}
    assert len(own("a long python")[1]["cells"]) == 480


@pytest.mark.parametrize("title", ["boxed in by walls", "boxed in by itself and the edge"])
@pytest.mark.parametrize("letter", "ULDR")
def test_boxed_in_means_that_no_step_is_possible(title, letter):
    (trial,) = (trial for trial in GAME.trials() if trial.title == title)
    state = GAME.start(trial.setup, 1)
    for _ in range(state.seats):
        state.advance(["bot"])
    assert [event["event"] for event in state.advance([letter])] == ["skip"]


@pytest.mark.parametrize(("answers", "reasons"), [("NNN", {"waited": 3}), ("NNU", None), ("UNN", None)])
def test_turns_that_come_to_nothing_are_noted_until_one_has_a_use(answers, reasons):
    setup = GAME.maps.setup(mapfiles.read(GAME, "open"), seats=1, rng_seed=1)
    state = GAME.start(setup, 1)
    idle = IdleTurns(GAME, state, 0, [0.0])
    for number, answer in enumerate(["bot", *answers]):
        [request], turn = state.requests(), state.round
        events = state.advance([answer])
        idle.step(Step(number + 1, turn, request.ask, [Answer(0, answer, answer, 0.0)], events))
    assert idle.reasons == reasons


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
    assert type(fixture)("duel", fixture.setup, seat, rivals, 1).title == f"duel, {title}"
