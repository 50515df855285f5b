"""Checks of saved games: the golden record, random matches, and what readers of a saved game may meet."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from referee.contract.game import Entrant, Step
from referee.errors import SavedGameError
from referee.moments.sentences import in_words
from referee.saved.record import Record, Recorder, header_line, load
from referee.saved.replay import Replay, verify
from referee.testing.positions import NONSENSE
from referee.testing.states import drawn
from referee.testing.subject import AnyState, Broken, Subject

SIZE: Final = 150_000
"""The most bytes of a golden record."""
NONSENSE_TRIES: Final = 40
CREATED: Final = "2026-01-31T12:00:00Z"
"""A date, so that the same match is the same file."""


def golden_record(subject: Subject) -> None:
    """The golden record verifies with these rules, follows from its seed, ends by them, and is a short file."""
    subject.must(subject.wrong_record is None, f"{subject.path}: {subject.wrong_record}")
    record = subject.golden()
    subject.must(_verified(record), "its seed gives another match: is there chance from elsewhere, such as set order?")
    final = Replay(record).state_at(len(record.steps))
    subject.restarted(final)
    drawn(subject, final)
    assert record.result is not None
    subject.must(record.result.reason not in {"interrupted", "void"}, f"it ends as {record.result.reason}")
    size = Path(record.path).stat().st_size
    subject.must(size <= SIZE, f"it has {size} bytes, more than {SIZE}")


def record_answers(subject: Subject) -> None:
    """The golden record shows a name, another answer, a fault, and players of every lifetime."""
    record, vocabulary = subject.golden(), subject.vocabulary
    subject.must("getName" in vocabulary and len(vocabulary) > 1, f"it has only answers to {sorted(vocabulary)}")
    subject.must(any(answer.fault for step in record.steps for answer in step.answers), "it has no fault")
    lifetimes = {player.lifetime for player in record.header.players}
    subject.must(lifetimes == set(subject.game.lifetimes), f"its players have the lifetimes {sorted(lifetimes)}")


def length(subject: Subject) -> None:
    """`Game.steps` says about how many steps the golden record has, or 0."""
    about, were = subject.game.steps(subject.golden().header.setup), len(subject.golden().steps)
    subject.must(about == 0 or about / 10 <= were <= about * 3, f"it says {about}, and there are {were}")


def words_and_columns(subject: Subject) -> None:
    """Every event has a line of printable words or None, and adds a whole number to each column."""
    game, record = subject.game, subject.golden()
    names = [f"bot {player.seat}" for player in record.header.players]
    for step in record.steps:
        for event in step.events:
            words, where = in_words(game, event, names), f"line {step.step + 1}: {event}"
            subject.must(words is None or (words and words.isprintable()), f"{where} is {words!r}")
            for column in game.columns:
                adds = column.of(event)
                subject.must(
                    isinstance(adds, int), f"{where}: the column {column.title} adds {adds!r:.40}, no whole number"
                )


def _keys(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Every key in a JSON value, with its object; only the first and the last entry of a list are searched."""
    if isinstance(value, dict):
        for key in list(value):
            yield value, key
            yield from _keys(value[key])
    elif isinstance(value, list):
        for inner in (value[0], value[-1]) if value else ():
            yield from _keys(inner)


def whole_positions(subject: Subject) -> None:
    """A saved position has every key, also those that a setup may leave out."""
    record = subject.golden()
    setup = deepcopy(record.header.setup)
    for holder, key in _keys(setup):
        was = dict(holder)
        del holder[key]
        damaged = replace(record, header=record.header.model_copy(update={"setup": setup}))
        message = subject.refusal(SavedGameError, f"a record without {key} in its setup", Replay, damaged)
        subject.must(f"{key}: missing" in message, f"without {key}: {message}")
        holder.clear()
        holder.update(was)


# -- Random matches ------------------------------------------------------------------------------------------------


def save(
    subject: Subject, path: Path, state: AnyState, steps: Iterator[Step], line_up: Sequence[Entrant], seed: int
) -> Record:
    """Save a match; `seed` is what its header says."""
    game = subject.game
    header = header_line(
        game, game.time, line_up or [Entrant(f"bot {seat}") for seat in range(state.seats)],
        rng_seed=seed, setup=state.position(), created=CREATED, referee="0.1.0",
    )  # fmt: skip
    recorder = Recorder(path, header)
    for step in steps:
        recorder.record([step])
    recorder.end(state.current_result(), state.position())
    return load(path)


def _verified(record: Record) -> bool:
    """Whether a record follows from its seed. Raises: Broken: it is no proof."""
    try:
        return verify(record)
    except SavedGameError as wrong:
        raise Broken(str(wrong).removeprefix(f"{record.path}, ")) from None


def saved_games(subject: Subject) -> None:
    """A saved match verifies, also when it follows the events of another generator."""
    with tempfile.TemporaryDirectory() as folder:
        for line_up in subject.line_ups:
            for header_seed in (7, 2):
                path, state = Path(folder) / f"{header_seed}.jsonl", subject.new(7, line_up)
                steps = subject.steps(state, Random(5), faults=0.01)
                record = save(subject, path, state, steps, line_up, header_seed)
                subject.must(_verified(record) or header_seed != 7, "the saved match does not follow from its seed")
                path.unlink()


def strange_events(subject: Subject) -> None:
    """`follow` ignores what the rules do not allow: then the rules draw."""
    steps = list(subject.recorded_actions())
    for number in range(NONSENSE_TRIES if steps else 0):
        chance = Random(number)
        state = subject.new(subject.golden().header.rng_seed)
        target = chance.randrange(min(len(steps), 400))
        for step, actions in steps[:target]:
            state.follow(step.events)
            state.advance(actions)
        step, actions = steps[target]
        strange = deepcopy(list(step.events))
        for event in strange:
            for key in sorted(set(event) - {"event"}):
                if chance.random() < 0.5:
                    event[key] = chance.choice(NONSENSE)
        strange += [{"event": chance.choice(NONSENSE)} for _ in range(chance.randrange(3))]
        chance.shuffle(strange)
        subject.seed, subject.step = number, target + 1
        state.follow(strange)
        state.advance(actions)
        subject.played(state, chance, 20)
        subject.restarted(state)


def other_seeds(subject: Subject) -> None:
    """The golden record verifies with another seed: its events say every random choice."""
    record = subject.golden()
    header = record.header.model_copy(update={"rng_seed": record.header.rng_seed + 1})
    _verified(replace(record, header=header))
