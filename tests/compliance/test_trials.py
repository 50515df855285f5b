"""Trial boards: those of every game can be started, and end if all seats give the bystanders' answers."""

from __future__ import annotations

import pytest

from referee import games
from referee.compliance.trial_runner import IdleTurns
from referee.contract.game import Answer, Step
from referee.files import mapfiles
from referee.games.snakecore.plugin import GAME

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
