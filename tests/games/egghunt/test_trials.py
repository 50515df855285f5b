"""The boards of `referee check` match their titles. The bot is in seat 0."""

from __future__ import annotations

from games.egghunt.drawing import line_up

from referee.games.egghunt.rules import EggHunt, start
from referee.games.egghunt.trials import MANY, trials
from referee.games.egghunt.wire import decode, encode_turn

TRIALS = {trial.title: trial for trial in trials()}


def begun(title: str) -> EggHunt:
    setup = TRIALS[title].setup
    return start(setup, 1, line_up(8)[:1] * len(setup["players"]))


def sight(title: str) -> list[str]:
    """The lines of the first request to the bot."""
    return encode_turn(begun(title).requests()[0]).decode().split("\n")


def ring(title: str) -> str:
    """The eight cells around the bot."""
    rows = sight(title)
    return rows[1][1:4] + rows[2][1] + rows[2][3] + rows[3][1:4]


def test_the_cells_around_the_bot_match_the_title() -> None:
    assert ring("walls on all sides") == "#" * 8
    assert ring("eggs on all sides") == "o" * 8
    assert ring("players on all sides") == "*" * 8
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
