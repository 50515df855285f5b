"""Saved games: opened, walked step by step, and proven."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import override

from referee.contract.game import Event, Fault
from referee.contract.positions import Position
from referee.contract.ranking import Ranked
from referee.errors import UsageError
from referee.library.board import Board, Game, requests_of
from referee.moments.scene import draw_with_names
from referee.moments.sentences import sentences
from referee.saved.record import Record
from referee.saved.record import load as load_record
from referee.saved.replay import Replay
from referee.saved.replay import verify as prove
from referee.text.amounts import whole
from referee.text.words import counted


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat answered.

    Attributes:
        seat: the seat, from 0.
        text: the answer as it is saved, its lines joined by line feeds; None after a fault.
        fault: why there is no answer; None if there is one.
        seconds: the time charged to the player.
    """

    seat: int
    text: str | None
    fault: Fault | None
    seconds: float


class Step:
    """One step of a saved game: the requests that were due, the answers, and what happened.

    >>> step = referee.load("game.jsonl").step(3)
    >>> step.round, step.ask, step.requests[0].text[:12], step.answers[0].text
    (1, 'getAction', 'getAction\\n15', 'U')

    Attributes:
        number: the number of the step, from 1.
        round: the game's round, from 1; 0 while names are asked.
        ask: the name of the request, such as "getAction".
        requests: the requests that were due, one for each answer.
        answers: an answer to each request, in the same order.
        events: what happened, as JSON objects; the game's rules list them.
    """

    def __init__(self, saved: SavedGame, number: int) -> None:
        """Internal: steps are made by `SavedGame`."""
        replay = saved._replay
        self.requests = requests_of(replay.game, replay.state_at(number - 1))  # now: later, the way back would be long
        replay.state_at(number)
        step = replay.steps[number - 1]
        self.number = number
        self.round = step.round
        self.ask = step.ask
        self.answers = [
            Answer(
                answer.seat,
                answer.text,
                answer.action if isinstance(answer.action, Fault) else None,
                round(answer.elapsed, 6),  # as it is saved: without the error of a division
            )
            for answer in step.answers
        ]
        self.events: list[Event] = deepcopy(list(step.events))
        self._saved = saved

    @property
    def words(self) -> list[str]:
        """The events and faults in plain words; those that are not worth a line are left out."""
        replay = self._saved._replay
        frame = draw_with_names(replay.state_at(self.number), replay.entrants)
        step = replay.steps[self.number - 1]
        return [sentence.text for sentence in sentences(replay.game, step, [line.name for line in frame.seats])]

    @property
    def board(self) -> Board:
        """The board after this step; a copy, to play on or to look ahead."""
        return self._saved.board(self.number)

    @override
    def __repr__(self) -> str:
        answers = {
            answer.seat: answer.text if answer.fault is None else answer.fault.kind.value for answer in self.answers
        }
        return f"<referee.Step {self.number}, round {self.round}, {self.ask}: {answers}>"


class SavedGame:
    """A saved game. `len(saved)` is the number of its steps; `for step in saved` walks through them. Each is played by the rules,
    and one that does not follow from them raises `SavedGameError`.

    >>> saved = referee.load("game.jsonl")
    >>> step = next(step for step in saved if any("delivers" in line for line in step.words))
    >>> step.number, step.words, step.board.scores
    (127, ['Oracle delivers 17 for 153 points'], [162, 0])

    Attributes:
        path: the file; None for a match that was not saved in one.
        game: the `Game`.
        seed: the seed of everything random.
        setup: the first position.
        bots: the names of the bots, one for each seat.
        created: when the match began, in ISO 8601.
        reason: see `Match`; None if the file has no result.
        rounds: see `Match`; 0 without a result.
        ranking: see `Match`; empty without a result.
    """

    def __init__(self, record: Record, path: Path | None) -> None:
        """Internal: `load` opens a saved game."""
        header, result = record.header, record.result
        self._record = record
        self._replay = Replay(record)
        self.path = path
        self.game = Game(header.game)
        self.seed = header.rng_seed
        self.setup: Position = deepcopy(header.setup)
        self.bots = [player.bot for player in header.players]
        self.created = header.created
        self.reason = None if result is None else result.reason
        self.rounds = 0 if result is None else result.rounds
        ranking = [] if result is None else result.ranking
        self.ranking = [Ranked(**entry.model_dump()) for entry in ranking]

    def __len__(self) -> int:
        return len(self._replay.steps)

    def __iter__(self) -> Iterator[Step]:
        for number in range(1, len(self) + 1):
            yield self.step(number)

    def step(self, number: int) -> Step:
        """One step.

        Args:
            number: the number of the step, from 1.

        Raises:
            SavedGameError: a step up to it does not follow from the rules.
            UsageError: there is no such step.
        """
        number = whole("number", number)
        if not 1 <= number <= len(self):
            raise UsageError(f"there is no step {number}: {self._record.path} has steps 1 to {len(self)}")
        return Step(self, number)

    def board(self, step: int | None = None) -> Board:
        """The board after a step; a copy, to play on or to look ahead.

        Args:
            step: the step, 0 for the first position, in which names are asked; None for the last.

        Raises:
            SavedGameError: a step up to it does not follow from the rules.
            UsageError: there is no such step.
        """
        state = deepcopy(self._replay.state_at(len(self) if step is None else whole("step", step)))
        return Board(self.game, state, self.seed, self._replay.entrants)

    def verify(self) -> bool:
        """Prove the saved game: play it again, and compare every event, the result, and times with limits.

        Returns:
            Whether all random choices follow from the seed. If not, another program drew them, and everything else is right.

        Raises:
            SavedGameError: the first line that does not follow from the rules, or a file without its end.
        """
        return prove(self._record)

    def _repr_html_(self) -> str:
        return self.board().svg()

    @override
    def __repr__(self) -> str:
        steps = counted(len(self), "step")
        return f"<referee.SavedGame {self._record.path}: {self.game.name}, {', '.join(self.bots)}, {steps}>"


def load(path: str | Path) -> SavedGame:
    """Open a saved game, `.jsonl` or `.jsonl.gz`. A file that was cut off is read to its last whole step.

    Raises:
        SavedGameError: it cannot be read, or its game, version or first position is unknown here.
    """
    return SavedGame(load_record(path), Path(path))
