"""What a designer must know of a game: how fast it is, how long its matches are, and whether its seats are fair.

All figures are those of matches between players that give random answers: possible ones if `Game.training` says which those are,
otherwise known ones. Players of the house decide as in any match, and their seats do not win. Seat bias is counted in standard
errors of a fair game.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from copy import deepcopy
from math import sqrt
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple

from referee.contract.game import Answer, Request, Step
from referee.contract.programs import Policy
from referee.saved.record import digest
from referee.testing.saved_games import save
from referee.testing.subject import AnyState, Subject

MATCHES: Final = 200
IN_ALL: Final = 300_000
"""The most steps of all matches: no further match begins after so many."""
LOOKS: Final = 60
"""Moments at which answers are compared."""
TRIED: Final = 40
"""Answers that are compared at one moment."""


class Figures(NamedTuple):
    """The figures; times are in microseconds.

    Attributes:
        matches: how many were played. steps: of a match, on average.
        ended: the share of matches that ended by the rules. reasons: how often each reason was the end.
        rules: the time of a step in the rules. encoding: the time to write a request. request: its bytes, on average.
        saved: the bytes of the saved game of the first match.
        answers: how many answers lead to different positions, on average; at most `TRIED`.
        wins: by seat, the share of matches that it won; a shared first place is shared.
        bias: how far the share of a seat is from a fair one at most, in standard errors.
    """

    matches: int
    steps: float
    ended: float
    reasons: dict[str, int]
    rules: float
    encoding: float
    request: float
    saved: int
    answers: float
    wins: list[float]
    bias: float


class _Meter:
    """What is added up over all matches."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.steps = self.requests = self.bytes = 0
        self.rules = self.encoding = 0.0
        self.answers: list[int] = []

    def played(self, state: AnyState, chance: Random, house: Mapping[int, Policy[Any, Any]]) -> Iterator[Step]:
        """Play a match to its end, or to the most steps."""
        encode = self.subject.game.encode
        for number in range(1, IN_ALL + 1):
            begun = perf_counter()
            due = state.requests()
            self.rules += perf_counter() - begun
            if not due:
                return
            begun = perf_counter()
            self.bytes += sum(len(encode(request)) for request in due)
            self.encoding += perf_counter() - begun
            round_, answers = state.round, self.subject.answers(state, chance, possible=True)
            if len(self.answers) < LOOKS and round_ and number % 7 == 0:
                self.answers.append(self._different(state, [answer.action for answer in answers], due[0].ask))
            answers = [self._of_house(house, *pair) for pair in zip(due, answers, strict=True)]
            actions = [answer.action for answer in answers]
            begun = perf_counter()
            events = state.advance(actions)
            self.rules += perf_counter() - begun
            self.steps, self.requests = self.steps + 1, self.requests + len(due)
            yield Step(number, round_, due[0].ask, answers, events)

    def _of_house(
        self, house: Mapping[int, Policy[Any, Any]], request: Request[Any], answer: Answer[Any]
    ) -> Answer[Any]:
        """The answer of the house, if it is its seat; otherwise the given one."""
        if (policy := house.get(request.seat)) is None:
            return answer
        action = policy.decide(request)
        return answer._replace(action=action, text=self.subject.game.format(action))

    def _different(self, state: AnyState, actions: list[Any], ask: str) -> int:
        """How many positions the first seat that is due can choose from."""
        words = {self.subject.game.format(action): action for action in self.subject.words(ask)}
        positions = set()
        for action in list(words.values())[:TRIED]:
            copy = deepcopy(state)
            copy.advance([action, *actions[1:]])
            positions.add(digest(copy.position()))
        return len(positions)


def measure(subject: Subject, matches: int = MATCHES) -> Figures:
    """The figures of a game that plays."""
    meter, saved = _Meter(subject), 0
    reasons: Counter[str] = Counter()
    wins: defaultdict[int, float] = defaultdict(float)
    for seed in range(1, matches + 1):
        setup = subject.usual_setup(seed)
        line_up, house = subject.with_house(setup, seed)
        state = subject.game.start(setup, seed, line_up)
        steps = meter.played(state, Random(seed), house)
        if seed == 1:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "first.jsonl"
                save(subject, path, state, steps, line_up, seed)
                saved = path.stat().st_size
        else:
            for _ in steps:
                pass
        outcome = state.current_result()
        reasons[outcome.reason] += 1
        places = [line.rank for line in outcome.ranking]
        for line in outcome.ranking:
            wins[line.seat] += (line.rank == places[0]) / places.count(places[0])
        if meter.steps > IN_ALL:
            break
    played, fair = reasons.total(), 1 / len(wins)
    shares = [wins[seat] / played for seat in sorted(wins)]
    error = sqrt(fair * (1 - fair) / played) or 1.0
    return Figures(
        matches=played, steps=meter.steps / played, ended=1 - reasons["interrupted"] / played, reasons=dict(reasons),
        rules=meter.rules / meter.steps * 1e6, encoding=meter.encoding / meter.requests * 1e6,
        request=meter.bytes / meter.requests, saved=saved, answers=sum(meter.answers) / max(len(meter.answers), 1),
        wins=shares, bias=max(abs(share - fair) for share in shares) / error,
    )  # fmt: skip
