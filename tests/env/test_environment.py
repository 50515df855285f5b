"""What agents see, may do and get, and how their matches begin and end."""

import doctest
import pickle
import re
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from referee import env, games
from referee.contract.game import Fault, FaultKind
from referee.errors import UsageError
from referee.files import assets, mapfiles

GAMES = [game.name for game in games.every() if game.training is not None]


def played(match: Any, seed: int, rng: Random) -> Iterator[tuple[str, Any, float, bool, bool]]:
    """A match with random actions that are allowed: agent, observation, reward, terminated and truncated of each selection."""
    match.reset(seed=seed)
    for agent in match.agent_iter():
        seen, reward, terminated, truncated, _ = match.last()
        yield agent, seen, reward, terminated, truncated
        allowed = np.flatnonzero(seen["action_mask"])
        match.step(None if terminated or truncated else int(allowed[int(rng.random() * len(allowed))]))


def begun(make: Any = env.aec, game: str = "snakecore", **more: Any) -> Any:
    """An environment whose match has begun."""
    match = make(game, **more)
    match.reset(seed=1)
    return match


def act(match: Any, *actions: int | str) -> None:
    for action in actions:
        match.step(action)


@pytest.mark.parametrize("game", GAMES)
def test_rewards_add_up_to_the_points_that_were_gained(game):
    match = env.aec(game, rounds=40)
    gained = dict.fromkeys(match.possible_agents, 0.0)
    begin = None
    for agent, _, reward, _, _ in played(match, 3, Random(1)):
        begin = begin or scores(match)
        gained[agent] += reward
    end = scores(match)
    assert begin is not None
    assert list(gained.values()) == pytest.approx([after - before for before, after in zip(begin, end, strict=True)])


def scores(match: Any) -> list[float]:
    """The points in the ranking by the rules, by seat."""
    ranking = match.match_state.current_result().ranking
    return [line.score for line in sorted(ranking, key=lambda line: line.seat)]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_the_one_that_the_referee_would_play_with_the_seed(game):
    plugin = games.find(game)
    match = env.aec(game, rounds=9)
    match.reset(seed=7)
    seats = len(match.possible_agents)
    document = mapfiles.read(plugin, plugin.maps.default)
    setup = mapfiles.setup(plugin, document, seats=seats, rng_seed=7, rounds=9)
    state = plugin.start(setup, 7)
    while state.round == 0:
        state.advance(["x"])
    assert match.match_state.position() == state.position()


@pytest.mark.parametrize("game", GAMES)
def test_the_text_is_the_request_of_a_bot(game):
    plugin = games.find(game)
    match = env.aec(game, rounds=9, observe="text")
    assert match.planes == ()
    assert match.metadata["is_parallelizable"] == plugin.together
    for agent, seen, _, terminated, truncated in played(match, 5, Random(2)):
        assert match.observation_space(agent).contains(seen)
        if not (terminated or truncated):
            seat = match.possible_agents.index(agent)
            due = next(request for request in match.match_state.requests() if request.seat == seat)
            assert seen["observation"].encode() == plugin.encode(due)


def test_a_match_without_a_seed_follows_from_the_last_seed():
    one, other = env.aec("snakecore", rounds=2), env.aec("snakecore", rounds=2)
    seeds = []
    for match in (one, other):
        match.reset(seed=4)
        match.reset()
        seeds.append(match.match_seed)
    assert seeds[0] == seeds[1] != 4


@pytest.mark.parametrize("game", GAMES)
def test_after_the_last_round_agents_are_truncated(game):
    match = env.aec(game, rounds=2)
    last = {agent: (terminated, truncated) for agent, _, _, terminated, truncated in played(match, 1, Random(1))}
    assert set(last.values()) == {(False, True)}


def test_a_match_that_ends_before_the_last_round_terminates_its_agents():
    match = env.aec("ava", map="quick")
    last = {agent: (terminated, truncated) for agent, _, _, terminated, truncated in played(match, 5, Random(5))}
    assert match.match_state.outcome().reason == "no-moves"
    assert set(last.values()) == {(True, False)}


def test_an_eaten_snake_is_terminated_and_the_others_play_on():
    match = env.aec("viper", map="quick")
    ended = [line for line in played(match, 2, Random(2)) if line[3] or line[4]]
    ends = [(agent, terminated, truncated) for agent, _, _, terminated, truncated in ended]
    assert ends == [("seat_3", True, False), *((f"seat_{seat}", False, True) for seat in range(3))]
    assert ended[0][2] < 0, "its length is lost"
    assert not ended[0][1]["observation"].any(), "an eaten snake sees nothing"


def test_a_snake_that_is_eaten_by_the_last_move_is_terminated_and_the_others_are_truncated():
    match = env.aec("viper", map="quick", rounds=76)
    last = {agent: (terminated, truncated) for agent, _, _, terminated, truncated in played(match, 28, Random(28))}
    assert match.match_state.board.snakes[3].eaten == 76
    eaten, left = ("seat_0", "seat_3"), ("seat_1", "seat_2")
    assert last == dict.fromkeys(eaten, (True, False)) | dict.fromkeys(left, (False, True))


def test_an_answer_that_breaks_the_protocol_disqualifies_and_the_others_play_on():
    match = begun(env.aec, "snakecore", rounds=2)
    act(match, "N", "no answer", None)
    assert (match.agents, match.agent_selection) == (["seat_0", "seat_2", "seat_3"], "seat_2")
    act(match, "N", "N", "N")
    assert match.agent_selection == "seat_2"


def test_a_possible_answer_without_a_number_is_given_as_text():
    match = begun(env.aec, "ants", observe="text", rounds=2, seats=2)
    act(match, f"9 1 7 {'ab' * 32}", 0)
    assert match.last()[0]["observation"].split("\n")[2] == "ab" * 32


def test_the_house_plays_the_seats_that_are_left():
    match = env.parallel("egghunt", map="single", seats=2, rounds=3)
    seen, _ = match.reset(seed=1)
    assert list(seen) == ["seat_0", "seat_1"]
    before = match.match_state.position()["players"]
    for _ in range(3):
        match.step({"seat_0": 8, "seat_1": 8})  # both stay
    after = match.match_state.position()["players"]
    assert len(after) == 7
    assert before[2:] != after[2:]
    assert match.agents == []


def test_a_disqualified_agent_of_many_is_terminated_and_the_others_play_on(monkeypatch):
    match = begun(env.parallel, "egghunt", map="single", rounds=3)
    answered = match._to_action
    fault = Fault(FaultKind.EXIT, "")  # no answer breaks the rules of this game, so a fault stands in
    monkeypatch.setattr(match, "_to_action", lambda ask, action: fault if action == 26 else answered(ask, action))
    actions = dict.fromkeys(match.agents, 8)
    _, _, terminations, truncations, _ = match.step(actions | {"seat_2": 26})
    assert [agent for agent, out in terminations.items() if out] == ["seat_2"]
    assert not any(truncations.values())
    assert len(match.agents) == 6
    seen, *_ = match.step(actions)
    assert list(seen) == match.agents


@pytest.mark.parametrize("game", [name for name in GAMES if name != "egghunt"])
def test_what_is_not_allowed_comes_to_nothing(game):
    """SnakeCore skips, ants do nothing, tail-biting snakes move at random; what is allowed does none of this."""
    crowded = game == "snakecore"  # pythons that bite each other need a small field and time
    match = env.aec(game, rounds=150, map="pocket" if crowded else None)
    checked = set()
    for _, seen, _, terminated, truncated in played(match, 6, Random(9)):
        if terminated or truncated:
            continue
        state = match.match_state
        for number, allowed in enumerate(seen["action_mask"]):
            event = state.foresee([match._to_action("getAction", number)])[0]
            void = event["event"] in ("skip", "void") or event.get("how") == "random"
            assert void != bool(allowed), (match.answers[number], event, match.render())
            checked.add(void)
        if len(checked) == 2 and state.round > 10 and not crowded:
            break
    assert checked == {True, False}


def test_an_observation_stays_as_it_was():
    match = begun(env.aec, "snakecore", rounds=9)
    seen = match.last()[0]
    copies = {name: array.copy() for name, array in seen.items()}
    act(match, *"RDLU" * 4)
    assert all(np.array_equal(seen[name], copies[name]) for name in seen)
    assert all(array.flags.writeable for array in seen.values())


@pytest.mark.parametrize("again", [deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
@pytest.mark.parametrize("observe", ["planes", "text"])
@pytest.mark.parametrize("game", GAMES)
def test_a_copy_plays_on_alike(game, observe, again):
    """Searches copy environments, and processes send them to each other."""
    match = env.aec(game, observe=observe, rounds=40)
    selections = played(match, 1, Random(1))
    for _ in range(30):
        next(selections)
    other = again(match)
    assert played_on(other) == played_on(match)
    for each in (match, other):
        each.reset()
    assert match.match_seed == other.match_seed


def played_on(match: Any) -> list[Any]:
    """What agents see and get in the next selections, by actions that follow from what is allowed."""
    steps = []
    for _ in range(60):
        seen, reward, *ends, _ = match.last()
        what = seen["observation"]
        steps.append((match.agent_selection, what if isinstance(what, str) else what.tobytes(), reward, ends))
        match.step(None if any(ends) else int(np.flatnonzero(seen["action_mask"])[-1]))
    return steps


def test_render_draws_the_board():
    assert "round 1 of 200" in begun(env.aec, "snakecore", map="duel", seats=2).render()


def test_numbers_can_be_integers_of_numpy():
    match = env.aec("snakecore", map="duel", seats=np.int64(2), rounds=np.int64(3))
    match.reset(seed=np.int64(7))
    assert type(match.match_seed) is int
    match.step(np.int64(4))
    assert match.agent_selection == "seat_1"


@pytest.mark.parametrize("answer", ["", "1\nN", "1\nN\n\n\n"])
def test_a_text_with_another_number_of_lines_disqualifies_as_in_a_match(answer):
    match = begun(env.parallel, "egghunt", seats=2)
    _, _, terminations, _, _ = match.step({"seat_0": answer, "seat_1": "1\nN\n"})
    assert terminations == {"seat_0": True, "seat_1": False}


def test_a_number_means_what_its_answer_means_to_the_request_and_is_a_fault_if_it_answers_another():
    match = env.aec("snakecore")
    decode = match._game.decode
    match._game = replace(match._game, decode=lambda ask, lines: ask if ask != "getAction" else decode(ask, lines))
    assert [match._to_action(ask, 4) for ask in ("getPlace", "getAction")] == ["getPlace", "N"]
    match._game = replace(match._game, decode=lambda ask, lines: decode(ask, [b"?"] if ask == "getBid" else lines))
    assert [type(match._to_action(ask, 4)) for ask in ("getBid", "getAction")] == [Fault, str]


def over() -> Any:
    match = env.aec("ava", rounds=1)
    list(played(match, 1, Random(1)))
    return match


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        *((call, r"call reset\(\) first") for call in (
            lambda: env.aec("snakecore").render(), lambda: env.aec("snakecore").agent_iter(),
        )),
        *((lambda action=action: begun().step(action), r"no action .*: the numbers are 0 to 5")
          for action in (6, -1, 1.5, np.array([0, 1]), None)),
        *((lambda seed=seed: begun().reset(seed=seed), "seed must be a whole number") for seed in ("7", 1.5)),
        (lambda: env.parallel("ava"), r"use referee.env.aec\('ava'\)"),
        (lambda: env.aec("snake"), "no game is called 'snake'"),
        (lambda: env.aec(5), "a game is found by its name, not by 5"),
        (lambda: env.aec("ava", seats=9), "is for 2 to 4 players, not 9"),
        (lambda: env.aec("ava", seats="2"), "seats must be a whole number, not '2'"),
        (lambda: env.aec("ava", rounds="2"), "rounds must be a whole number, not '2'"),
        (lambda: env.aec("ava", observe="pixels"), "'planes' or 'text', not 'pixels'"),
        (lambda: over().step(0), r"match is over: call reset\(\)"),
        (lambda: begun(env.parallel, "egghunt").step({"seat_0": 1}), "seat_1 has none"),
    ],
)  # fmt: skip
def test_mistakes_say_what_to_do(mistake, message):
    with pytest.raises(UsageError, match=message):
        mistake()


def test_a_map_can_be_a_path(tmp_path):
    (tmp_path / "own.toml").write_bytes((assets.maps("snakecore") / "duel.toml").read_bytes())
    assert env.aec("snakecore", map=tmp_path / "own.toml").possible_agents == ["seat_0", "seat_1"]


@pytest.mark.parametrize("package", env.EXTRA)
def test_without_the_extra_the_error_has_the_command_that_installs_it(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=rf"need {package}, which is not installed: .* -m pip install .referee\[rl\]"):
        env.aec("snakecore")


def test_the_examples_of_the_manual_run_and_print_what_it_says():
    page = Path(__file__).parents[2] / "referee" / "docs" / "training.md"
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
