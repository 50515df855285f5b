"""Random matches for the conformance tests: from the setup of the golden record, and with its answers as the vocabulary.

1. A game needs a golden record, `tests/records/<game>.jsonl`. Random matches start from its setup and draw from its answers.
2. If a game has more than one lifetime, tests play a match with each lifetime for all players, and one with the lifetimes of
   the golden record (`line_ups`).
3. Matches have no faults unless a test is about faults. Tests play only some hundreds of the steps of a long game.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from hypothesis import strategies as st

from referee import games
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Game, State, Step
from referee.saved.record import Record, digest, load

RECORDS: Final = Path(__file__).parents[1] / "records"
MOST_STEPS: Final = 400
"""The maximum number of steps of a random match."""


@cache
def golden(name: str) -> Record:
    """The golden record of a game."""
    return load(RECORDS / f"{name}.jsonl")


@cache
def vocabulary(name: str) -> dict[str, list[Any]]:
    """The actions in the golden record, by the name of the request."""
    game = games.find(name)
    found: dict[str, list[Any]] = {}
    for step in golden(name).steps:
        for answer in step.answers:
            if answer.answer is not None:
                found.setdefault(step.ask, []).append(game.recall(step.ask, answer.answer, step.events))
    return found


@cache
def recorded(name: str) -> tuple[Entrant, ...]:
    """The entrants of the golden record."""
    return tuple(Entrant(player.bot, player.lifetime, player.house) for player in golden(name).header.players)


def line_ups(game: Game[Any, Any]) -> list[tuple[Entrant, ...]]:
    """Possible entrants for the golden record's setup: each lifetime for all seats, the recorded ones, and none."""
    seats = len(recorded(game.name))
    alike = [tuple(Entrant(f"bot {k}", lifetime) for k in range(seats)) for lifetime in game.lifetimes]
    return [*alike, recorded(game.name), ()]


def new(game: Game[Any, Any], rng_seed: int = 1, entrants: Sequence[Entrant] | None = None) -> State[Any, Any]:
    """Start a match from the golden record's setup, by default between its players."""
    who = recorded(game.name) if entrants is None else entrants
    return game.start(golden(game.name).header.setup, rng_seed, who)


def random_answers(
    game: Game[Any, Any], state: State[Any, Any], chance: random.Random, faults: float = 0.0
) -> list[Answer[Any]]:
    """An answer to each request that is due: an action from the vocabulary or, with the given probability, a fault."""
    words, kinds = vocabulary(game.name), list(FaultKind)
    answers: list[Answer[Any]] = []
    for request in state.requests():
        if faults and chance.random() < faults:
            kind = chance.choice(kinds)
            elapsed = max(game.time.first, game.time.answer) if kind is FaultKind.TIMEOUT else 0.5
            answers.append(Answer(request.seat, Fault(kind, "a test"), None, elapsed))
        else:
            action = chance.choice(words[request.ask])
            answers.append(Answer(request.seat, action, game.format(action), 0.001))
    return answers


def random_steps(
    game: Game[Any, Any], state: State[Any, Any], chance: random.Random, most: int = MOST_STEPS, faults: float = 0.0
) -> Iterator[Step]:
    """Play on with actions from the vocabulary, and faults with the given probability."""
    for number in range(1, most + 1):
        if not (due := state.requests()):
            return
        round_, ask, answers = state.round, due[0].ask, random_answers(game, state, chance, faults)
        yield Step(number, round_, ask, answers, state.advance([answer.action for answer in answers]))


def played(
    game: Game[Any, Any], state: State[Any, Any], chance: random.Random, most: int = MOST_STEPS, faults: float = 0.0
) -> State[Any, Any]:
    """The same state, at most `most` steps later."""
    for _ in random_steps(game, state, chance, most, faults):
        pass
    return state


def recorded_actions(game: Game[Any, Any]) -> Iterator[tuple[Any, list[Any]]]:
    """The golden record's steps, each with its actions and faults."""
    for step in golden(game.name).steps:
        yield (
            step,
            [
                Fault(FaultKind(answer.fault), answer.detail or "")
                if answer.answer is None
                else game.recall(step.ask, answer.answer, step.events)
                for answer in step.answers
            ],
        )


def there_and_back(game: Game[Any, Any], state: State[Any, Any]) -> None:
    """Check that a position survives JSON, and that a state made from it has the same position."""
    position = state.position()
    read = json.loads(json.dumps(position, allow_nan=False))
    assert read == position
    assert digest(game.start(read, 1).position()) == digest(position)


def lines_of(text: str) -> list[bytes]:
    """The lines of a saved answer."""
    return text.encode().split(b"\n")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
"""Wrong values, as they may be in an untrusted file."""
