"""What every game must keep. Games are found by their folder, so a new one is tested by being there.

A game needs a golden record, `tests/records/<game>.jsonl`, and a `README.md` in its folder. The record's answers are the
vocabulary with which random matches are played here. A README's fenced blocks are marked with what they hold:

    request ASK    what the referee sends, from the README's `position` if there is one
    answers ASK    answers that are taken      (as many lines each as the game wants for ASK)
    refused ASK    answers that are no answer
    position       a setup to start from, as JSON
    record         a saved game that verifies; lines that begin with a blank belong to the line before
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import games
from referee.errors import InvalidReply
from referee.game import Answer, Event, Fault, FaultKind, Game, State, Step
from referee.record import Record, Recorder, header_line, load
from referee.replay import verify

RECORDS = Path(__file__).parents[1] / "records"
GAMES = games.every()
MOST_STEPS = 400
"""A random match is followed for so many steps: some games have tens of thousands."""

pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@cache
def golden(name: str) -> Record:
    return load(RECORDS / f"{name}.jsonl")


@cache
def vocabulary(name: str) -> dict[str, list[Any]]:
    """The actions that the golden record holds, by the name of the request."""
    game = games.find(name)
    found: dict[str, list[Any]] = {}
    for step in golden(name).steps:
        for answer in step.answers:
            if answer.answer is not None:
                found.setdefault(step.ask, []).append(game.recall(step.ask, answer.answer, step.events))
    return found


def new(game: Game[Any, Any], rng_seed: int = 1) -> State[Any, Any]:
    return game.start(golden(game.name).header.setup, rng_seed)


def random_steps(
    game: Game[Any, Any], state: State[Any, Any], chance: random.Random, most: int = MOST_STEPS
) -> Iterator[Step]:
    """Play on with actions from the vocabulary, faults left out."""
    words = vocabulary(game.name)
    for number in range(1, most + 1):
        due = state.requests()
        if not due:
            return
        round_ = state.round
        actions = [chance.choice(words[request.ask]) for request in due]
        answers = [
            Answer(request.seat, action, game.format(action), 0.001)
            for request, action in zip(due, actions, strict=True)
        ]
        yield Step(number, round_, due[0].ask, answers, state.advance(actions))


# -- The golden record --------------------------------------------------------------------------------------------


def test_there_is_a_golden_record_and_it_replays_to_its_digest(game: Game[Any, Any]) -> None:
    record = golden(game.name)
    assert record.header.game == game.name
    assert record.header.rules == game.rules_version
    assert verify(record)


def test_the_golden_record_ends_by_the_rules_and_has_a_fault_in_it(game: Game[Any, Any]) -> None:
    record = golden(game.name)
    assert record.result is not None
    assert record.result.reason != "interrupted"
    assert any(answer.fault for step in record.steps for answer in step.answers)


def test_every_event_of_the_golden_record_can_be_told_and_added_up(game: Game[Any, Any]) -> None:
    record = golden(game.name)
    names = [f"bot {player.seat}" for player in record.header.players]
    for step in record.steps:
        for event in step.events:
            sentence = game.tell(event, names)
            assert sentence is None or (sentence and "\n" not in sentence)
            assert all(isinstance(column.of(event), int) for column in game.columns)


# -- Determinism and shape -----------------------------------------------------------------------------------------


def saved(game: Game[Any, Any], path: Path, rng_seed: int) -> bytes:
    state = new(game, rng_seed)
    header = header_line(
        game=game.name,
        rules=game.rules_version,
        rng_seed=rng_seed,
        setup=state.position(),
        bots=[f"bot {line.seat}" for line in state.standing().ranking],
        limits=game.time.as_json(),
        created="2026-01-31T12:00:00Z",
        referee="0.1.0",
    )
    recorder = Recorder(path, header)
    for step in random_steps(game, state, random.Random(5)):
        recorder.step(step)
    recorder.end(state.standing(), state.position())
    return path.read_bytes()


def test_the_same_seed_gives_the_same_record_which_replays(game: Game[Any, Any], tmp_path: Path) -> None:
    once, again = (saved(game, tmp_path / f"{k}.jsonl", 7) for k in range(2))
    assert once == again
    assert verify(load(tmp_path / "0.jsonl"))


def test_requests_are_empty_when_and_only_when_there_is_an_outcome(game: Game[Any, Any]) -> None:
    state = new(game)
    assert (not state.requests()) == (state.outcome() is not None)
    for _ in random_steps(game, state, random.Random(6), 10_000):
        assert (not state.requests()) == (state.outcome() is not None)
        asked = [request.seat for request in state.requests()]
        assert len(set(asked)) == len(asked)
        assert len({request.ask for request in state.requests()}) <= 1


def test_rounds_go_on_and_names_are_asked_in_round_0(game: Game[Any, Any]) -> None:
    state = new(game)
    last = 0
    for step in random_steps(game, state, random.Random(7)):
        assert (step.ask == "getName") == (step.round == 0)
        assert step.round >= last or step.round == 1  # 1 again where a match is several runs
        last = step.round


def test_a_state_that_is_copied_goes_on_alike(game: Game[Any, Any]) -> None:
    """Replays keep copies; the generator of chance is copied too."""
    state = new(game)
    for _ in random_steps(game, state, random.Random(8), 60):
        pass
    other = deepcopy(state)
    mine = [step.events for step in random_steps(game, state, random.Random(9), 100)]
    theirs = [step.events for step in random_steps(game, other, random.Random(9), 100)]
    assert mine == theirs
    assert state.position() == other.position()


def test_a_position_survives_json(game: Game[Any, Any]) -> None:
    state = new(game)
    for _ in random_steps(game, state, random.Random(10), 150):
        position = state.position()
        there_and_back = json.loads(json.dumps(position, allow_nan=False))
        assert there_and_back == position
        assert game.start(there_and_back, 1).position() == position


def test_every_moment_can_be_drawn(game: Game[Any, Any]) -> None:
    state = new(game)
    for _ in random_steps(game, state, random.Random(11), 150):
        frame = state.draw()
        assert len({len(row) for row in frame.cells}) == 1
        for mark in {mark for row in frame.cells for mark in row} | {mark for mark, _ in frame.legend}:
            assert len(mark.text) == 2
            assert mark.text.isascii()
            assert mark.text.isprintable()
        assert [line.seat for line in frame.seats] == list(range(len(frame.seats)))
        assert all(len(line.figures) == len(frame.figures) for line in frame.seats)
        assert list(frame.to_move) == [request.seat for request in state.requests()]


# -- Faults -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(FaultKind))
@pytest.mark.parametrize("after", [0, 30])
def test_every_fault_at_every_seat_ends_or_goes_on_cleanly(game: Game[Any, Any], kind: FaultKind, after: int) -> None:
    """Whoever fails is told of in an event, and every seat is ranked in the end, whoever is left."""
    seats = len(new(game).standing().ranking)
    for seat in range(seats):
        state = new(game)
        for _ in random_steps(game, state, random.Random(12), after):
            pass
        happened: list[Event] = []
        words, chance = vocabulary(game.name), random.Random(13)
        for _ in range(MOST_STEPS):
            due = state.requests()
            if not due:
                break
            happened += state.advance(
                [
                    Fault(kind, "a test") if request.seat == seat else chance.choice(words[request.ask])
                    for request in due
                ]
            )
        told = [event for event in happened if event["event"] == "disqualified"]
        assert [(event["seat"], event["why"], event["detail"]) for event in told[:1]] == [(seat, kind.value, "a test")]
        ranking = state.standing().ranking
        assert sorted(line.seat for line in ranking) == list(range(seats))
        assert [line.disqualified for line in ranking if line.seat == seat] == [kind.value]


def test_when_everybody_fails_the_match_is_over(game: Game[Any, Any]) -> None:
    for after in (0, 10, 30):
        state = new(game)
        for _ in random_steps(game, state, random.Random(14), after):
            pass
        for _ in range(1_000):
            due = state.requests()
            if not due:
                break
            state.advance([Fault(FaultKind.EXIT, "a test") for _ in due])
        outcome = state.outcome()
        assert outcome is not None
        assert all(line.disqualified == "exit" for line in outcome.ranking)


# -- The codec ----------------------------------------------------------------------------------------------------


def lines_of(text: str) -> list[bytes]:
    return text.encode().split(b"\n")


def test_what_format_writes_decode_reads(game: Game[Any, Any]) -> None:
    for ask, actions in vocabulary(game.name).items():
        for action in actions:
            lines = lines_of(game.format(action))
            assert len(lines) == game.reply_lines(ask)
            assert game.decode(ask, lines) == action
            assert game.recall(ask, game.format(action), []) == action


@settings(max_examples=300, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_bytes_are_an_action_or_an_invalid_reply(game: Game[Any, Any], data: st.DataObject) -> None:
    ask = data.draw(st.sampled_from(sorted(vocabulary(game.name))))
    good = st.sampled_from([lines_of(game.format(action)) for action in vocabulary(game.name)[ask][:50]])
    count = game.reply_lines(ask)
    noise = st.binary(max_size=game.reply_cap).filter(lambda line: b"\n" not in line)
    lines = data.draw(st.lists(noise, min_size=count, max_size=count))
    if data.draw(st.booleans()):
        lines = list(data.draw(good))
        place = data.draw(st.integers(0, count - 1))
        cut = data.draw(st.integers(0, len(lines[place])))
        lines[place] = lines[place][:cut] + data.draw(noise) + lines[place][cut:]
    try:
        action = game.decode(ask, lines)
    except InvalidReply as refused:
        said = str(refused)
    else:
        said = game.format(action)
        if ask != "getName":  # a name in cp1251 may be too long in UTF-8
            assert game.decode(ask, lines_of(said)) == action
    assert len(said) < 10 * game.reply_cap


def test_every_request_is_whole_lines_that_begin_with_its_name(game: Game[Any, Any]) -> None:
    state = new(game)
    for _ in random_steps(game, state, random.Random(15), 100):
        for request in state.requests():
            data = game.encode(request)
            assert data.startswith(request.ask.encode() + b"\n")
            assert data.endswith(b"\n")
            assert b"\r" not in data


# -- The README ----------------------------------------------------------------------------------------------------


@cache
def blocks(name: str) -> list[tuple[str, str, str]]:
    """The marked blocks of a game's README: what each holds, of which request, and the text."""
    package = import_module(f"referee.games.{name}")
    assert package.__file__ is not None
    text = (Path(package.__file__).parent / "README.md").read_text()
    return re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def of_kind(game: Game[Any, Any], kind: str) -> list[tuple[str, str]]:
    return [(ask, text) for found, ask, text in blocks(game.name) if found == kind]


def replies(game: Game[Any, Any], ask: str, text: str) -> list[list[bytes]]:
    lines, count = text.encode().splitlines(), game.reply_lines(ask)
    assert len(lines) % count == 0
    return [lines[k : k + count] for k in range(0, len(lines), count)]


def test_a_readme_has_an_example_of_everything(game: Game[Any, Any]) -> None:
    asks = set(vocabulary(game.name))
    assert {ask for ask, _ in of_kind(game, "request")} == asks
    assert {ask for ask, _ in of_kind(game, "answers")} == asks
    assert of_kind(game, "position")
    assert of_kind(game, "record")


def test_the_answers_of_a_readme_are_taken_and_the_refused_are_refused(game: Game[Any, Any]) -> None:
    for ask, text in of_kind(game, "answers"):
        for lines in replies(game, ask, text):
            action = game.decode(ask, lines)
            assert game.format(action) == b"\n".join(lines).decode()
    for ask, text in of_kind(game, "refused"):
        for lines in replies(game, ask, text):
            with pytest.raises(InvalidReply):
                game.decode(ask, lines)


def test_the_requests_of_a_readme_are_those_of_its_position(game: Game[Any, Any]) -> None:
    words = {ask: game.decode(ask, replies(game, ask, text)[0]) for ask, text in reversed(of_kind(game, "answers"))}
    for ask, text in of_kind(game, "request"):
        state = game.start(json.loads(of_kind(game, "position")[0][1]), 1)
        while state.requests()[0].ask != ask:
            state.advance([words[request.ask] for request in state.requests()])
        assert game.encode(state.requests()[0]).decode() == text


def test_the_saved_games_of_a_readme_verify(game: Game[Any, Any], tmp_path: Path) -> None:
    for _, text in of_kind(game, "record"):
        path = tmp_path / "readme.jsonl"
        path.write_text(re.sub(r"\n +", "", text))
        assert verify(load(path))
