"""Makes a golden record: the random match that shows the most kinds of events, and a fault, in a short file."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from referee.contract.game import Entrant, Fault, FaultKind, Step
from referee.contract.positions import Position
from referee.errors import SetupError
from referee.testing.assets import readme_of
from referee.testing.saved_games import SIZE, save
from referee.testing.subject import AnyState, LeftOut, Subject

MATCHES: Final = 60
"""Matches from which the record is chosen, for each number of rounds."""
LONGEST: Final = 1_000
"""The most steps of a record."""
ROUNDS: Final = (None, 100, 30, 10)
"""How many rounds a match may have; fewer if it does not end in `LONGEST` steps or its file is too long."""


class Recording(NamedTuple):
    """A golden record.

    Attributes:
        content: the file. steps: its steps. kinds: the events that it shows.
        missing: the events that other matches had, or that the README's table names, and that it does not show.
    """

    content: bytes
    steps: int
    kinds: list[str]
    missing: list[str]


class _Match(NamedTuple):
    """A whole match that can be saved: its file, its steps, its kinds of events, and whether it has a fault."""

    content: bytes
    steps: int
    kinds: set[str]
    has_fault: bool

    @property
    def merit(self) -> tuple[bool, int, int]:
        """Whether it has the fault that a golden record must have, how much it shows, and how short it is."""
        return self.has_fault, len(self.kinds), -len(self.content)


def make_recording(subject: Subject) -> Recording | None:
    """The golden record; None if no match ends in a file of a golden record's size."""
    for rounds in ROUNDS:
        with suppress(SetupError):
            tried = (_match(subject, subject.usual_setup(seed, rounds), seed) for seed in range(1, MATCHES + 1))
            if matches := [match for match in tried if match is not None]:
                best = max(matches, key=lambda match: match.merit)
                known = named_events(subject.game.name).union(*(match.kinds for match in matches))
                return Recording(best.content, best.steps, sorted(best.kinds), sorted(known - best.kinds))
    return None


def named_events(game: str) -> set[str]:
    """The events that the table in the chapter `Saved games` of a README names, in its first column."""
    with suppress(LeftOut):
        chapter = readme_of(game).partition("\n## Saved games\n")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| ((?:`\w[\w-]*` *)+)\|", chapter, re.MULTILINE)
        return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    return set()


def _match(subject: Subject, setup: Position, seed: int) -> _Match | None:
    """A random match; None if it does not end, or its file is too long."""
    game, guests = subject.game, subject.usual_seats
    subject.seed, subject.step = seed, 0
    size, lifetimes = game.start(setup, seed).seats, game.lifetimes
    line_up = [Entrant(f"bot {seat}", lifetimes[seat % len(lifetimes)], seat >= guests) for seat in range(size)]
    state = game.start(setup, seed, line_up)
    steps = _steps(subject, state, Random(seed), possible=seed % 2 == 0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        record = save(subject, path, state, steps, line_up, seed)
        content = path.read_bytes()
    if state.requests() or len(content) > SIZE:
        return None
    has_fault = any(answer.fault for step in record.steps for answer in step.answers)
    kinds = {event["event"] for step in record.steps for event in step.events}
    return _Match(content, len(record.steps), kinds, has_fault)


def _steps(subject: Subject, state: AnyState, chance: Random, *, possible: bool) -> Iterator[Step]:
    """A match in which the last seat fails at a random time, after the names."""
    at = chance.randrange(1, 60)
    for number in range(1, LONGEST + 1):
        if not (due := state.requests()):
            return
        answers = subject.answers(state, chance, possible=possible)
        if number >= at and state.round and due[-1].seat == state.seats - 1:
            answers[-1] = answers[-1]._replace(action=Fault(FaultKind.INVALID, "a test"), text=None)
            at = LONGEST
        yield Step(number, state.round, due[0].ask, answers, state.advance([answer.action for answer in answers]))
