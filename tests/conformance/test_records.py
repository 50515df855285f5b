"""The golden record of each game passes verification, has every kind of event, and can be followed with other random draws."""

from __future__ import annotations

import json
import random
import runpy
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from conformance.playing import (
    MOST_STEPS,
    RECORDS,
    golden,
    json_values,
    line_ups,
    new,
    played,
    random_steps,
    recorded_actions,
    vocabulary,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import games
from referee.contract.game import Entrant, Game
from referee.errors import SavedGameError
from referee.moments.telling import in_words
from referee.saved.record import Record, Recorder, header_line, load
from referee.saved.replay import Replay, verify

SIZE = 150_000
"""The maximum size of a golden record, in bytes."""


def test_there_is_a_golden_record_and_it_replays_to_its_digest(game: Game[Any, Any]) -> None:
    record = golden(game.name)
    assert record.header.game == game.name
    assert record.header.rules == game.rules_version
    assert verify(record)
    assert (RECORDS / f"{game.name}.jsonl").stat().st_size <= SIZE


def test_its_script_makes_the_golden_record_byte_for_byte(game: Game[Any, Any], tmp_path: Path) -> None:
    runpy.run_path(str(RECORDS / f"make_{game.name}.py"))["make"](tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (RECORDS / f"{game.name}.jsonl").read_bytes()


def test_the_golden_record_ends_by_the_rules_and_has_a_fault_in_it(game: Game[Any, Any]) -> None:
    record = golden(game.name)
    assert record.result is not None
    assert record.result.reason not in {"interrupted", "void"}
    assert any(answer.fault for step in record.steps for answer in step.answers)


def test_the_golden_record_has_about_as_many_steps_as_its_game_says(game: Game[Any, Any]) -> None:
    """A live view uses the estimate for its speed. 0 means unknown."""
    about, were = game.steps(golden(game.name).header.setup), len(golden(game.name).steps)
    assert about == 0 or about / 10 <= were <= about * 3


def test_every_event_of_the_golden_record_has_words_and_columns(game: Game[Any, Any]) -> None:
    record = golden(game.name)
    names = [f"bot {player.seat}" for player in record.header.players]
    told = 0
    for step in record.steps:
        for event in step.events:
            sentence = in_words(game, event, names)
            assert sentence is None or (sentence and sentence.isprintable())
            told += sentence is not None
            assert all(isinstance(column.of(event), int) for column in game.columns)
    assert told


def test_the_readme_explains_every_event_and_reason_of_the_golden_record(game: Game[Any, Any]) -> None:
    record = golden(game.name)
    text = (files(games) / game.name / "README.md").read_text(encoding="utf-8")
    assert record.result is not None
    words = {event["event"] for step in record.steps for event in step.events} | {record.result.reason}
    assert {word for word in words if f"`{word}`" not in text} == set()


def test_every_kind_of_answer_is_in_the_golden_record(game: Game[Any, Any]) -> None:
    assert "getName" in vocabulary(game.name)
    assert len(vocabulary(game.name)) > 1
    lifetimes = {player.lifetime for player in golden(game.name).header.players}
    assert lifetimes == set(game.lifetimes)


def keys(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Every key in a JSON value, with its object; only the first and the last entry of a list are searched."""
    if isinstance(value, dict):
        for key in list(value):
            yield value, key
            yield from keys(value[key])
    elif isinstance(value, list):
        for inner in (value[0], value[-1]) if value else ():
            yield from keys(inner)


def test_a_saved_position_has_every_key(game: Game[Any, Any]) -> None:
    """Keys that a setup may leave out are present in a saved game."""
    record = golden(game.name)
    setup = deepcopy(record.header.setup)
    assert len(list(keys(setup))) >= len(setup)
    for holder, key in keys(setup):
        was = dict(holder)
        del holder[key]
        with pytest.raises(SavedGameError, match=rf"line 1: setup: (.*\.)?{key}: missing"):
            Replay(replace(record, header=record.header.model_copy(update={"setup": setup})))
        holder.clear()
        holder.update(was)
    assert setup == record.header.setup


# -- Other matches -------------------------------------------------------------------------------------------------


def save(game: Game[Any, Any], path: Path, line_up: Sequence[Entrant], *, seed: int, told: int | None = None) -> Record:
    """Save a random match with faults. `told` is another seed for its header."""
    state = new(game, seed, line_up)
    known = line_up or [Entrant(f"bot {seat}") for seat in range(state.seats)]
    header = header_line(
        game=game.name,
        rules=game.rules_version,
        rng_seed=seed if told is None else told,
        setup=state.position(),
        bots=known,
        limits=game.time.as_json(),
        created="2026-01-31T12:00:00Z",
        referee="0.1.0",
    )
    recorder = Recorder(path, header)
    for step in random_steps(game, state, random.Random(5), faults=0.01):
        recorder.record([step])
    recorder.end(state.current_result(), state.position())
    return load(path)


def test_the_same_seed_gives_the_same_record_and_it_verifies(game: Game[Any, Any], tmp_path: Path) -> None:
    for number, line_up in enumerate(line_ups(game)):
        once, again = (tmp_path / f"{number}-{k}.jsonl" for k in range(2))
        assert verify(save(game, once, line_up, seed=7))
        save(game, again, line_up, seed=7)
        assert once.read_bytes() == again.read_bytes()


def test_a_record_with_another_seed_is_followed_by_its_events(game: Game[Any, Any], tmp_path: Path) -> None:
    for number, line_up in enumerate(line_ups(game)):
        record = save(game, tmp_path / f"{number}.jsonl", line_up, seed=1, told=2)
        Replay(record).verify()
        verify(record)  # strict or not, depending on whether the match had random draws
    header = golden(game.name).header
    verify(replace(golden(game.name), header=header.model_copy(update={"rng_seed": header.rng_seed + 1})))


def numbered(value: Any) -> list[tuple[Any, Any]]:
    """The place of every whole number in a JSON value: the object or list, and the key or index."""
    if not isinstance(value, dict | list):
        return []
    found = []
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        found += [(value, key)] if type(value[key]) is int else numbered(value[key])
    return found


@settings(max_examples=40)
@given(data=st.data())
def test_a_whole_number_with_a_point_is_refused(game: Game[Any, Any], data: st.DataObject) -> None:
    """14.0 is not accepted as 14 in any line of a record."""
    path = RECORDS / f"{game.name}.jsonl"
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    number = data.draw(st.sampled_from([0, len(lines) - 1, *range(len(lines))]))
    holder, key = data.draw(st.sampled_from(numbered(lines[number])))
    holder[key] = float(holder[key])
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.jsonl"
        copy.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        with pytest.raises(SavedGameError, match=rf", line {number + 1}: "):
            verify(load(copy))


@settings(max_examples=40)
@given(data=st.data())
def test_follow_ignores_nonsense_in_events(game: Game[Any, Any], data: st.DataObject) -> None:
    """If an event has invalid values, the rules draw instead."""
    steps = list(recorded_actions(game))
    state = new(game, golden(game.name).header.rng_seed)
    target = data.draw(st.integers(0, min(len(steps), MOST_STEPS) - 1))
    for step, actions in steps[:target]:
        state.follow(step.events)
        state.advance(actions)
    step, actions = steps[target]
    strange = deepcopy(list(step.events))
    for event in strange:
        for key in sorted(set(event) - {"event"}):
            if data.draw(st.booleans()):
                event[key] = data.draw(json_values)
    strange = [
        *data.draw(st.permutations(strange)),
        *data.draw(st.lists(st.fixed_dictionaries({"event": json_values}))),
    ]
    state.follow(strange)
    state.advance(actions)
    played(game, state, random.Random(4), 20)
    assert game.start(state.position(), 1).position() == state.position()
