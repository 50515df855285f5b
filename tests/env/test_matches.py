"""What agents see, may do and get, and how their matches begin and end."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest

from referee import env, games
from referee.contract.game import Fault, FaultKind
from referee.errors import UsageError
from referee.files import mapfiles

GAMES = [game.name for game in games.every() if game.training is not None]


def played(made: Any, seed: int, rng: Random) -> Iterator[tuple[str, Any, float, bool, bool]]:
    """A match with random actions that are allowed: agent, observation, reward, terminated and truncated of each selection."""
    made.reset(seed=seed)
    for agent in made.agent_iter():
        seen, reward, terminated, truncated, _ = made.last()
        yield agent, seen, reward, terminated, truncated
        allowed = np.flatnonzero(seen["action_mask"])
        made.step(None if terminated or truncated else int(allowed[int(rng.random() * len(allowed))]))


def act(made: Any, *actions: int | str) -> None:
    for action in actions:
        made.step(action)


@pytest.mark.parametrize("game", GAMES)
def test_rewards_add_up_to_the_points_that_were_gained(game):
    made = env.aec(game, rounds=40)
    gained = dict.fromkeys(made.possible_agents, 0.0)
    begin = None
    for agent, _, reward, _, _ in played(made, 3, Random(1)):
        begin = begin or scores(made)
        gained[agent] += reward
    end = scores(made)
    assert begin is not None
    assert list(gained.values()) == pytest.approx([after - before for before, after in zip(begin, end, strict=True)])


def scores(made: Any) -> list[float]:
    """The points in the ranking by the rules, by seat."""
    ranking = made.unwrapped.match_state.current_result().ranking
    return [line.score for line in sorted(ranking, key=lambda line: line.seat)]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_the_one_that_the_referee_would_play_with_the_seed(game):
    found = games.find(game)
    made = env.aec(game, rounds=9)
    made.reset(seed=7)
    seats = len(made.possible_agents)
    document = mapfiles.read(found, found.maps.default)
    setup = mapfiles.setup(found, document, seats=seats, rng_seed=7, rounds=9)
    state = found.start(setup, 7)
    while state.round == 0:
        state.advance(["x"])
    assert made.unwrapped.match_state.position() == state.position()


@pytest.mark.parametrize("game", GAMES)
def test_the_text_is_the_request_of_a_bot(game):
    found = games.find(game)
    made = env.aec(game, rounds=9, observe="text")
    for agent, seen, _, terminated, truncated in played(made, 5, Random(2)):
        if not (terminated or truncated):
            seat = made.possible_agents.index(agent)
            due = next(request for request in made.unwrapped.match_state.requests() if request.seat == seat)
            assert seen["observation"].encode() == found.encode(due)


def test_a_match_without_a_seed_follows_from_the_last_seed():
    one, other = env.aec("snakecore", rounds=2), env.aec("snakecore", rounds=2)
    seeds = []
    for made in (one, other):
        made.reset(seed=4)
        made.reset()
        seeds.append(made.match_seed)
    assert seeds[0] == seeds[1] != 4


@pytest.mark.parametrize("game", GAMES)
def test_after_the_last_round_agents_are_truncated(game):
    made = env.aec(game, rounds=2)
    last = {agent: (terminated, truncated) for agent, _, _, terminated, truncated in played(made, 1, Random(1))}
    assert set(last.values()) == {(False, True)}


def test_a_match_that_ends_before_the_last_round_terminates_its_agents():
    made = env.aec("ava", map="quick")
    last = {agent: (terminated, truncated) for agent, _, _, terminated, truncated in played(made, 5, Random(5))}
    assert made.match_state.outcome().reason == "no-moves"
    assert set(last.values()) == {(True, False)}


def test_an_eaten_snake_is_terminated_and_the_others_play_on():
    made = env.aec("viper", map="quick")
    told = [line for line in played(made, 2, Random(2)) if line[3] or line[4]]
    assert [(agent, terminated, truncated) for agent, _, _, terminated, truncated in told] == [
        ("seat_3", True, False),
        ("seat_0", False, True),
        ("seat_1", False, True),
        ("seat_2", False, True),
    ]
    assert told[0][2] < 0, "its length is lost"
    assert not told[0][1]["observation"].any(), "an eaten snake sees nothing"


def test_a_snake_that_is_eaten_by_the_last_move_is_terminated_and_the_others_are_truncated():
    made = env.aec("viper", map="quick", rounds=76)
    last = {agent: (terminated, truncated) for agent, _, _, terminated, truncated in played(made, 28, Random(28))}
    assert made.match_state.board.snakes[3].eaten == 76
    eaten, left = ("seat_0", "seat_3"), ("seat_1", "seat_2")
    assert last == dict.fromkeys(eaten, (True, False)) | dict.fromkeys(left, (False, True))


def test_an_answer_that_breaks_the_protocol_disqualifies_and_the_others_play_on():
    made = env.aec("snakecore", rounds=2)
    made.reset(seed=1)
    act(made, "N", "no answer", None)
    assert made.agents == ["seat_0", "seat_2", "seat_3"]
    assert made.agent_selection == "seat_2"
    act(made, "N", "N", "N")
    assert made.agent_selection == "seat_2"


def test_a_possible_answer_without_a_number_is_given_as_text():
    made = env.aec("ants", observe="text", rounds=2, seats=2)
    made.reset(seed=1)
    act(made, f"9 1 7 {'ab' * 32}", 0)
    seen = made.last()[0]["observation"].split("\n")
    assert seen[2] == "ab" * 32


def test_the_house_plays_the_seats_that_are_left():
    made = env.parallel("egghunt", map="single", seats=2, rounds=3)
    seen, _ = made.reset(seed=1)
    assert list(seen) == ["seat_0", "seat_1"]
    before = made.match_state.position()["players"]
    for _ in range(3):
        made.step({"seat_0": 8, "seat_1": 8})  # both stay
    after = made.match_state.position()["players"]
    assert len(after) == 7
    assert before[2:] != after[2:]
    assert made.agents == []


def test_a_disqualified_agent_of_many_is_terminated_and_the_others_play_on(monkeypatch):
    made = env.parallel("egghunt", map="single", rounds=3)
    made.reset(seed=1)
    answered = made._matches.answered
    fault = Fault(FaultKind.EXIT, "")  # no answer breaks the rules of this game, so a fault stands in
    monkeypatch.setattr(made._matches, "answered", lambda action: fault if action == 26 else answered(action))
    actions = dict.fromkeys(made.agents, 8)
    _, _, terminations, truncations, _ = made.step(actions | {"seat_2": 26})
    assert [agent for agent, out in terminations.items() if out] == ["seat_2"]
    assert not any(truncations.values())
    assert len(made.agents) == 6
    seen, *_ = made.step(actions)
    assert list(seen) == made.agents


@pytest.mark.parametrize("game", [name for name in GAMES if name != "egghunt"])
def test_what_is_not_allowed_comes_to_nothing(game):
    """SnakeCore skips, ants do nothing, tail-biting snakes move at random; what is allowed does none of this."""
    made = env.aec(game, rounds=30)
    checked = set()
    for _, seen, _, terminated, truncated in played(made, 6, Random(3)):
        if terminated or truncated:
            continue
        state = made.match_state
        for number, allowed in enumerate(seen["action_mask"]):
            event = state.foresee([made._matches.actions[number]])[0]
            void = event["event"] in ("skip", "void") or event.get("how") == "random"
            assert void != bool(allowed), (made.answers[number], event, made.render())
            checked.add(void)
        if len(checked) == 2 and made.match_state.round > 10:
            break
    assert checked == {True, False}


def test_an_observation_stays_as_it_was():
    made = env.aec("snakecore", rounds=9)
    made.reset(seed=1)
    seen = made.last()[0]
    kept = {name: array.copy() for name, array in seen.items()}
    act(made, *"RDLU" * 4)
    assert all(np.array_equal(seen[name], kept[name]) for name in seen)
    assert all(array.flags.writeable for array in seen.values())


@pytest.mark.parametrize("again", [deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
@pytest.mark.parametrize("observe", ["planes", "text"])
@pytest.mark.parametrize("game", GAMES)
def test_a_copy_plays_on_alike(game, observe, again):
    """Searches copy environments, and processes send them to each other."""
    made = env.aec(game, observe=observe, rounds=40)
    begun = played(made, 1, Random(1))
    for _ in range(30):
        next(begun)
    other = again(made)
    assert played_on(other) == played_on(made)
    for one in (made, other):
        one.reset()
    assert made.unwrapped.match_seed == other.unwrapped.match_seed


def played_on(made: Any) -> list[Any]:
    """What agents see and get in the next selections, by actions that follow from what is allowed."""
    told = []
    for _ in range(60):
        seen, reward, *ends, _ = made.last()
        what = seen["observation"]
        told.append((made.agent_selection, what if isinstance(what, str) else what.tobytes(), reward, ends))
        made.step(None if any(ends) else int(np.flatnonzero(seen["action_mask"])[-1]))
    return told


def test_render_draws_the_board():
    made = env.aec("snakecore", map="duel", seats=2)
    made.reset(seed=1)
    assert "round 1 of 200" in made.render()


def test_numbers_can_be_integers_of_numpy():
    made = env.aec("snakecore", map="duel", seats=np.int64(2), rounds=np.int64(3))
    made.reset(seed=np.int64(7))
    assert type(made.match_seed) is int
    made.step(np.int64(4))
    assert made.agent_selection == "seat_1"


@pytest.mark.parametrize("answer", ["", "1\nN", "1\nN\n\n\n"])
def test_a_text_with_another_number_of_lines_disqualifies_as_in_a_match(answer):
    made = env.parallel("egghunt", seats=2)
    made.reset(seed=1)
    _, _, terminations, _, _ = made.step({"seat_0": answer, "seat_1": "1\nN\n"})
    assert terminations == {"seat_0": True, "seat_1": False}


def test_mistakes_say_what_to_do():
    made = env.aec("snakecore")
    with pytest.raises(UsageError, match=r"call reset\(\) first"):
        made.render()
    made.reset(seed=1)
    with pytest.raises(UsageError, match="no action 6: the numbers are 0 to 5"):
        made.step(6)
    with pytest.raises(UsageError, match="no action -1"):
        made.step(-1)
    for wrong in (1.5, b"N", np.array([0]), np.array([0, 1]), None):
        with pytest.raises(UsageError, match=r"no action .*: the numbers are 0 to 5"):
            made.step(wrong)
    for seed in ("7", 1.5, True):
        with pytest.raises(UsageError, match="seed must be a whole number"):
            made.reset(seed=seed)
    with pytest.raises(UsageError, match=r"use referee.env.aec\('ava'\)"):
        env.parallel("ava")
    with pytest.raises(UsageError, match="no game is called 'snake'"):
        env.aec("snake")
    with pytest.raises(UsageError, match="is for 2 to 4 players, not 9"):
        env.aec("ava", seats=9)
    with pytest.raises(UsageError, match="a game is found by its name, not by 5"):
        env.aec(5)  # type: ignore[arg-type]
    for name in ("seats", "rounds"):
        with pytest.raises(UsageError, match=f"{name} must be a whole number, not '2'"):
            env.aec("ava", **{name: "2"})
    with pytest.raises(UsageError, match="'planes' or 'text', not 'pixels'"):
        env.aec("ava", observe="pixels")  # type: ignore[arg-type]
    over = env.aec("ava", rounds=1)
    list(played(over, 1, Random(1)))
    with pytest.raises(UsageError, match=r"match is over: call reset\(\)"):
        over.step(0)
    together = env.parallel("egghunt")
    together.reset(seed=1)
    with pytest.raises(UsageError, match="seat_1 has none"):
        together.step({"seat_0": 1})


@pytest.mark.parametrize("package", env.EXTRA)
def test_without_the_extra_the_error_has_the_command_that_installs_it(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=rf"need {package}, which is not installed: .* -m pip install .referee\[rl\]"):
        env.aec("snakecore")
