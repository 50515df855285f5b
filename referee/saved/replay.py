"""From a saved game to its states: the match is played again with the recorded answers, and every line must agree.

1. The game, the setup and the seed of the header make the first state. The answers of each step, actions or faults, make
   the next. Only two things come from the recorded events: names that the saved answer cannot encode, and random choices.
   The generator of another program is unknown, but its choices can be followed if the rules allow them.
   `Replay(record, own_chance=True)` draws from the seed instead, as in the match.
2. An event that the rules do not give, an answer from a seat that was not asked, another digest, a time that contradicts
   its verdict: each is a `SavedGameError` with the line of the file.
3. Seeking backwards starts from the last kept state at or before the goal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from referee import games
from referee.contract.clock import TimeControl
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Game, State, Step
from referee.errors import AbsentGameError, InvalidReply, SavedGameError, SetupError, UsageError
from referee.games.mistakes import mistake
from referee.saved.entries import StepEntry, without_collection
from referee.saved.record import VOID, Record, digest, to_json
from referee.saved.timekeeping import check_times
from referee.text.words import counted, shorten

KEEP_EVERY: Final = 200
"""Steps between two kept states; a game plays so many in a few milliseconds."""
SHOWN: Final = 200
"""The most characters of a value that an error shows."""
CONTEXT: Final = 60
"""Characters that an error shows before the first difference of long values."""


class Replay:
    """A saved game and its states; `steps[k - 1]` is step k, `state_at(0)` is the setup."""

    def __init__(self, record: Record, *, own_chance: bool = False) -> None:
        """Start a replay; with `own_chance`, everything random is drawn from the header's seed.

        Raises:
            SavedGameError: the game is unknown or has another version of the rules, or the setup is wrong or lacks a key.
        """
        header = record.header
        self.record = record
        self._own_chance = own_chance
        if header.game not in games.own() and header.game not in (installed := games.names()):
            why = f"{shorten(header.game)} is not installed here; these are: {', '.join(installed)}"
            raise AbsentGameError(record.path, 1, f"game: {why}")
        self.game: Game[Any, Any] = games.find(header.game)
        if header.rules != self.game.rules_version:
            package = f" of {shorten(header.package)}" if header.package else ""
            raise self._wrong(1, f"rules version {header.rules}{package}; this referee plays {self.game.rules_version}")
        self.entrants = [Entrant(player.bot, player.lifetime, player.house, player.given) for player in header.players]
        for entrant in self.entrants:
            if entrant.lifetime not in self.game.lifetimes or (entrant.house and self.game.house is None):
                what = "a player of the house" if entrant.house else f"a player whose lifetime is {entrant.lifetime!r}"
                raise self._wrong(1, f"players: {what}, which {self.game.name} does not have")
        self.time = TimeControl(header.limits.first, header.limits.answer, header.limits.total, header.clock)
        try:
            first = self.game.start(header.setup, header.rng_seed, self.entrants)
        except SetupError as failed:
            raise self._wrong(1, f"setup: {failed}") from None
        if lacking := _missing_key(first.position(), header.setup):
            raise self._wrong(1, f"setup: {lacking}: missing; a saved position has every key")
        seats = [player.seat for player in header.players]
        if seats != list(range(len(seats))) or len(seats) != first.seats:
            raise self._wrong(1, f"players: the seats {shorten(str(seats))} are not those of the setup")
        self.played: Callable[[int, int], None] | None = None
        """Gets the number of each step that has been played again, and that of the last one; for progress."""
        self.proven = 0
        """All steps up to this one have been played again, and follow from the rules."""
        self._snapshots = [first]
        """The state after each `KEEP_EVERY` steps, as far as the match has been played again."""
        self._now: tuple[int, State[Any, Any]] | None = None
        with without_collection():
            self.steps: Sequence[Step] = [_step(entry) for entry in record.steps]

    @property
    def title(self) -> str:
        """The game and its bots, for people, and whether the file is cut off."""
        bots = ", ".join(player.bot for player in self.record.header.players)
        return f"{self.game.title}: {bots}" + (", cut off" if self.record.cut_off is not None else "")

    @property
    def void(self) -> bool:
        """Whether the match is void, as its last line says."""
        return self.record.result is not None and self.record.result.reason == VOID

    def state_at(self, number: int) -> State[Any, Any]:
        """The state after step `number`; 0 is the setup. It is valid until the next call.

        Raises:
            SavedGameError: a step up to `number` does not follow from the rules. UsageError: there is no such step.
        """
        if not 0 <= number <= len(self.steps):
            raise UsageError(f"there is no step {number}: {self.record.path} has steps 0 to {len(self.steps)}")
        now, self._now = self._now, None  # a step that fails leaves a state that is not valid
        nearest = min(number // KEEP_EVERY, len(self._snapshots) - 1)
        if now is not None and nearest * KEEP_EVERY <= now[0] <= number:
            at, state = now
        else:
            at, state = nearest * KEEP_EVERY, deepcopy(self._snapshots[nearest])
        while at < number:
            self._advance(state, self.steps[at])
            at += 1
            if self.played is not None:
                self.played(at, len(self.steps))
            if at == len(self._snapshots) * KEEP_EVERY:
                self._snapshots.append(deepcopy(state))
        self._now = (at, state)
        self.proven = max(self.proven, at)
        return state

    def verify(self) -> None:
        """Play the whole match again and compare everything.

        Raises:
            SavedGameError: the first line that does not follow, or a file without its result.
        """
        path, result = self.record.path, self.record.result
        state = self.state_at(len(self.steps))
        check_times(path, self.record.header, self.record.steps)
        line = self.record.line_of(len(self.steps)) + 1
        if result is None:
            raise self._wrong(line, f"{self.record.cut_off}: the match is incomplete")
        if self.record.cut_off is not None:
            raise self._wrong(0, self.record.cut_off)
        outcome = state.current_result()
        # The rules do not know why a match was broken off.
        if result.reason != outcome.reason and (result.reason, outcome.reason) != (VOID, "interrupted"):
            reason = shorten(repr(result.reason))
            raise self._wrong(line, f"the reason is {outcome.reason!r}, the file says {reason}")
        if result.rounds != outcome.rounds:
            raise self._wrong(line, f"the match had {counted(outcome.rounds, 'round')}, the file says {result.rounds}")
        ours = [ranked.as_json() for ranked in outcome.ranking]
        theirs = [entry.model_dump() for entry in result.ranking]
        if not _same(ours, theirs):
            raise self._wrong(line, f"ranking: {_difference(ours, theirs)}")
        if result.digest != (proof := digest(state.position())):
            raise self._wrong(
                line, f"the digest of the final position is {proof}, the file says {shorten(result.digest)}"
            )

    def _wrong(self, line: int, why: str) -> SavedGameError:
        """The error of a line of the file."""
        return SavedGameError(self.record.path, line, why)

    def _advance(self, state: State[Any, Any], step: Step) -> None:
        line = self.record.line_of(step.number)
        due = state.requests()
        if not due:
            raise self._wrong(line, "the match was already over")
        expected = [(request.ask, request.seat) for request in due]
        actual = [(step.ask, answer.seat) for answer in step.answers]
        if expected != actual:
            raise self._wrong(line, f"an answer out of turn: {_asks(expected)} was due, not {_asks(actual)}")
        if state.round != step.round:
            raise self._wrong(line, f"this is round {state.round}, the file says {step.round}")
        actions = list(self._actions(step, line))
        if not self._own_chance:
            state.follow(step.events)
        events = state.advance(actions)
        if not _same(list(events), step.events):
            raise self._wrong(line, f"events: {_difference(events, step.events)}")

    def _actions(self, step: Step, line: int) -> Iterator[Any]:
        for answer in step.answers:
            if isinstance(answer.action, Fault):
                yield answer.action
                continue
            try:
                self._check_length(step.ask, answer)
                yield self.game.recall(step.ask, answer.action, step.events)
            except InvalidReply as wrong:
                raise self._wrong(line, f"invalid answer of seat {answer.seat}: {wrong}") from None

    def _check_length(self, ask: str, answer: Answer[Any]) -> None:
        """Refuse an answer that no player can have given. A process that lives for one turn may write any number of lines."""
        lines = str(answer.action).split("\n")
        cap, line_count = self.game.reply_cap, self.game.reply_lines(ask)
        if len(lines) != line_count and self.entrants[answer.seat].lifetime == "game":
            raise InvalidReply(f"{counted(len(lines), 'line')}, not {line_count}")
        if max(map(len, lines)) > cap:  # each character was at least a byte
            raise InvalidReply(f"longer than {cap} bytes")


def verify(record: Record, *, strict: bool = False) -> bool:
    """Prove a saved game: every line follows from the rules, and so does the result; with `strict`, from the seed too.

    Returns:
        Whether this referee draws the same random choices from the seed. If not, the match was played with another
        generator, and everything else agrees with the choices in the file.

    Raises:
        SavedGameError: the first line that does not follow.
    """
    try:
        _prove(record, own_chance=True)
    except SavedGameError as drawn:
        _prove(record, own_chance=False)
        if strict:
            drawn.args = (f"{drawn}; the random choices are not the seed's from line {drawn.line} on",)
            raise
        return False
    return True


def _prove(record: Record, *, own_chance: bool) -> None:
    try:
        Replay(record, own_chance=own_chance).verify()
    except SavedGameError:
        raise
    except (Exception, SystemExit) as failed:
        if (mistaken := mistake(failed)) is None:
            raise
        raise SavedGameError(record.path, 0, str(mistaken)) from failed


def _step(entry: StepEntry) -> Step:
    answers = [
        Answer(
            answer.seat,
            Fault(FaultKind(answer.fault), answer.detail or "") if answer.fault else answer.answer,
            answer.answer,
            answer.ms / 1000,
            None if answer.cpu is None else answer.cpu / 1000,
            answer.late / 1000,
        )
        for answer in entry.answers
    ]
    return Step(entry.step, entry.round, entry.ask, answers, entry.events)


def _missing_key(ours: Any, theirs: Any) -> str:
    """The path to the first key of a position that is missing in the file; empty if none is."""
    if ours == theirs:
        return ""
    inner: Iterator[tuple[Any, Any]] = iter(())
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if lacking := [key for key in ours if key not in theirs]:
            return str(lacking[0])
        inner = ((key, _missing_key(value, theirs[key])) for key, value in ours.items())
    elif isinstance(ours, list) and isinstance(theirs, list):
        inner = enumerate(map(_missing_key, ours, theirs))
    return next((f"{key}.{lacking}" for key, lacking in inner if lacking), "")


def _asks(asks: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{shorten(ask, 40)} of seat {seat}" for ask, seat in asks[:10])


def _same(ours: Any, theirs: Any) -> bool:
    """Whether two JSON values are the same. For Python alone, `true`, 1 and 1.0 are equal."""
    return bool(ours == theirs) and json.dumps(ours, sort_keys=True) == json.dumps(theirs, sort_keys=True)


def _difference(ours: Sequence[Mapping[str, Any]], theirs: Sequence[Mapping[str, Any]]) -> str:
    """The first difference between two lists of events or seats, in words."""
    for mine, their in zip(ours, theirs, strict=False):
        if not _same(mine, their):
            our_text, other = _text(mine), _text(their)
            start = 0
            if max(len(our_text), len(other)) > SHOWN:
                pairs = enumerate(zip(our_text, other, strict=False))
                same = next((k for k, (a, b) in pairs if a != b), min(len(our_text), len(other)))
                start = max(0, same - CONTEXT)
            where = f"from character {start + 1} on " if start else ""
            return (
                f"{where}by the rules {shorten(our_text[start:], SHOWN)}, the file says {shorten(other[start:], SHOWN)}"
            )
    if len(ours) > len(theirs):
        return f"by the rules there is also {shorten(_text(ours[len(theirs)]), SHOWN)}"
    return f"the file also has {shorten(_text(theirs[len(ours)]), SHOWN)}, which the rules do not give"


def _text(value: Any) -> str:
    try:
        return to_json(value)
    except RecursionError:
        return "something nested too deeply"
