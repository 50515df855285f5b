"""A game under test: where its matches start, who plays them, and which answers are known.

1. Matches start from the setup of the golden record, `tests/records/GAME.jsonl`. Without one they start on the game's usual map.
2. Random matches draw from known answers: those of the golden record, otherwise those that sample bots give in a match. If these
   are few, the actions of `Game.training` or guesses that the codec accepts are added. Without any, it is a fault.
3. Nothing here reads a clock, so the same seed gives the same match.
"""

from __future__ import annotations

import json
import re
import string
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import trio

from referee import bots, games
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Game, State, Step
from referee.contract.positions import Position
from referee.contract.programs import Policy
from referee.contract.training import Training
from referee.errors import GameError, InvalidReply, RefereeError
from referee.files import assets, mapfiles
from referee.match.contract_check import wrong_position
from referee.match.line_up import Options, Start, make_config
from referee.match.session import run_match
from referee.sandbox.limits import Level
from referee.saved.record import Record, digest, load
from referee.saved.replay import Replay
from referee.text.words import shorten

MOST_STEPS: Final = 400
"""The steps of a random match that a check plays."""
SAMPLE_TERM: Final = 60.0
"""Seconds of the match between sample bots. With a mistake in the rules, it may never end."""
USUAL_SEATS: Final = 4
FEW: Final = 10
"""With fewer different answers to a request, more are looked for."""
PAIRS: Final = [f"{x} {y}" for x in range(8) for y in range(8)]
ABSENT: Final = "nothing there"
WORDS: Final = ["up", "down", "left", "right", "north", "east", "south", "west", "pass", "wait", "stay", "yes", "no"]
GUESSES: Final = [*string.digits, *string.ascii_letters, *WORDS, *PAIRS]

AnyState: TypeAlias = State[Any, Any]


class Broken(Exception):
    """A check has seen what its rule forbids."""


class LeftOut(Exception):
    """The game does not have what a check is about."""


def record_of(name: str) -> Path | None:
    """The golden record of a game: in `tests/records` of the working folder or of the project that holds its package."""
    homes = [Path.cwd(), *assets.rules(name).parents[:3]]
    return next((path for home in homes if (path := home / "tests" / "records" / f"{name}.jsonl").is_file()), None)


def guests(state: AnyState, line_up: Sequence[Entrant]) -> list[int]:
    """The seats that are not those of the house. Without entrants, all are guests."""
    return [seat for seat in range(state.seats) if not line_up or not line_up[seat].house]


class Subject:
    """A game, with all that its checks share.

    Attributes:
        record: its golden record; None without one. `wrong_record` says why there is one that cannot be used.
        seed, step: the random match that is played, and how far it is: failures report them.
        failed: the error of the game that ended the match between sample bots, or with which it read an answer; None without one.
    """

    def __init__(self, name: str, record: Path | None = None) -> None:
        """Read the golden record. Raises: UsageError: there is no such game, or it cannot be used."""
        self.game: Game[Any, Any] = games.find(name)
        self.record: Record | None = None
        self.wrong_record: str | None = None
        self.path = record or record_of(name)
        self.seed = self.step = 0
        self._words: dict[str, list[Any]] = {}
        self.failed: BaseException | None = None
        if self.path is not None:
            try:
                loaded = load(self.path)
                if (loaded.header.game, loaded.header.rules) != (name, self.game.rules_version):
                    raise LeftOut(f"it is of {loaded.header.game}, rules version {loaded.header.rules}: make a new one")
                self.game.start(loaded.header.setup, 1, [])
                self.record = loaded
            except Exception as failed:
                self.wrong_record = str(failed)

    def must(self, is_so: object, what: str) -> None:
        """Check a rule. Raises: Broken: it does not hold; with seed and step."""
        if not is_so:
            raise Broken(f"seed {self.seed}, step {self.step}: {what}" if self.step else what)

    def refusal(self, kind: type[Exception], what: str, call: Callable[..., object], *arguments: Any) -> str:
        """The message with which a call is refused. Raises: Broken: `what` is accepted."""
        try:
            call(*arguments)
        except kind as refusal:
            return str(refusal)
        raise Broken(f"{what} is accepted")

    def alike(self, what: str, ours: Sequence[Any], theirs: Sequence[Any]) -> None:
        """Check that the events before two moments and the moments are the same. Raises: Broken: with the part that differs."""
        for part, one, other in zip(("events", "position", "names", "requests"), ours, theirs, strict=False):
            where, one, other = _difference(part, one, other)
            self.must(one == other, f"{what}: {where} {shorten(repr(other), 150)} instead of {shorten(repr(one), 150)}")

    def golden(self) -> Record:
        """The golden record. Raises: LeftOut: there is none."""
        if self.record is None:
            raise LeftOut(f"there is no usable tests/records/{self.game.name}.jsonl: `referee game record` writes one")
        return self.record

    # -- Matches ---------------------------------------------------------------------------------------------------

    @cached_property
    def setup(self) -> Position:
        """Where matches start."""
        return self.usual_setup(1) if self.record is None else self.record.header.setup

    def usual_setup(self, rng_seed: int, rounds: int | None = None) -> Position:
        """The start on the game's usual map, with at most four players."""
        document = mapfiles.read(self.game, self.game.maps.default)
        return self.game.maps.setup(document, seats=self.usual_seats, rng_seed=rng_seed, rounds=rounds)

    @cached_property
    def usual_seats(self) -> int:
        """The players on the usual map: four, if it has places for them."""
        places = len(self.game.maps.facts(mapfiles.read(self.game, self.game.maps.default)).starts)
        return max(min(places, USUAL_SEATS, self.game.seats.stop - 1), self.game.seats.start)

    @cached_property
    def recorded(self) -> tuple[Entrant, ...]:
        """The entrants of the golden record; none without one."""
        players = () if self.record is None else self.record.header.players
        return tuple(Entrant(player.bot, player.lifetime, player.house) for player in players)

    @cached_property
    def line_ups(self) -> list[tuple[Entrant, ...]]:
        """Possible entrants: each lifetime for all seats, the recorded ones, and none."""
        seats = range(self.game.start(self.setup, 1).seats)
        alike = [tuple(Entrant(f"bot {seat}", lifetime) for seat in seats) for lifetime in self.game.lifetimes]
        return [*alike, *([self.recorded] if self.recorded else []), ()]

    def new(self, rng_seed: int = 1, entrants: Sequence[Entrant] | None = None) -> AnyState:
        """A match from the setup, by default between the recorded players."""
        self.seed, self.step = rng_seed, 0
        return self.game.start(self.setup, rng_seed, self.recorded if entrants is None else entrants)

    def with_house(self, setup: Position, rng_seed: int) -> tuple[tuple[Entrant, ...], dict[int, Policy[Any, Any]]]:
        """Entrants for a setup on the usual map, and the players of the house by their seats; neither without a house."""
        if self.game.house is None:
            return (), {}
        seats = range(self.usual_seats, self.game.start(setup, rng_seed).seats)
        house = {seat: self.game.house(seat, rng_seed) for seat in seats}
        lifetime = self.game.lifetimes[0]
        named = [Entrant(f"bot {seat}", lifetime) for seat in range(self.usual_seats)]
        return (*named, *(Entrant(policy.name, lifetime, house=True) for policy in house.values())), house

    def answers(
        self, state: AnyState, chance: Random, faults: float = 0.0, *, possible: bool = False
    ) -> list[Answer[Any]]:
        """A known answer to each request that is due or, with the given probability, a fault.

        With `possible`, only answers that the rules carry out, if `Game.training` says which those are.
        """
        answers: list[Answer[Any]] = []
        for seat, ask, _ in state.requests():
            texts = self._possible(state, seat, ask) if possible else None
            words = self.words(ask) if texts is None else texts
            if words and not (faults and chance.random() < faults):
                chosen = chance.choice(words)
                action = chosen if texts is None else self.game.recall(ask, chosen, ())
                answers.append(Answer(seat, action, self.game.format(action), 0.001))
                continue
            kind = chance.choice(list(FaultKind)) if words else FaultKind.INVALID
            late = max(self.game.time.first, self.game.time.answer) if kind is FaultKind.TIMEOUT else 0.5
            answers.append(Answer(seat, Fault(kind, "a test"), None, late))
        return answers

    def _possible(self, state: AnyState, seat: int, ask: str) -> list[str] | None:
        """The texts of the answers that the rules carry out; None if `Game.training` does not say which those are."""
        training = self._training
        if training is None or ask == "getName":
            return None
        allowed = training.allowed(state, seat)
        return [text for text, is_so in zip(training.answers, allowed, strict=True) if is_so]

    @cached_property
    def _training(self) -> Training | None:
        return None if self.game.training is None else self.game.training()

    def steps(self, state: AnyState, chance: Random, most: int = MOST_STEPS, faults: float = 0.0) -> Iterator[Step]:
        """Play on with random answers."""
        before = self.step
        for number in range(1, most + 1):
            if not (due := state.requests()):
                return
            self.step = before + number
            round_, answers = state.round, self.answers(state, chance, faults)
            yield Step(number, round_, due[0].ask, answers, state.advance([answer.action for answer in answers]))

    def played(self, state: AnyState, chance: Random, most: int = MOST_STEPS, faults: float = 0.0) -> AnyState:
        """The same state, at most `most` steps later."""
        for _ in self.steps(state, chance, most, faults):
            pass
        return state

    def moment(self, state: AnyState) -> tuple[Any, ...]:
        """What can be seen of a state: the position, the names, and the requests."""
        names = [line.name for line in state.current_result().ranking]
        return state.position(), names, [self.game.encode(request) for request in state.requests()]

    def restarted(self, state: AnyState) -> None:
        """Check that a position survives JSON, and that a state made from it has the same position."""
        wrong = wrong_position(position := state.position())
        self.must(wrong is None, str(wrong))
        copy = json.loads(json.dumps(position))
        self.same_position("its start has another position", position, self.game.start(copy, 1).position())

    def same_position(self, what: str, one: Position, other: Position) -> None:
        """Check that two positions are the same JSON. Raises: Broken: with the key that differs."""
        self.alike(what, ([], one), ([], other))
        self.must(digest(one) == digest(other), f"{what}: a number is of another type")

    # -- Answers ---------------------------------------------------------------------------------------------------

    @cached_property
    def vocabulary(self) -> dict[str, list[Any]]:
        """The known answers, by the name of the request."""
        for ask in ("getName", *self._recorded):
            self.words(ask)
        self.played(self.new(), Random(1), 60)
        return {ask: words for ask, words in self._words.items() if words}

    def words(self, ask: str) -> list[Any]:
        """The known answers to a request; empty if there are none.

        Raises: the error that the game raised when sample bots played or when it read an answer, if none is known because of it.
        """
        if ask not in self._words:
            known = list(self._recorded.get(ask, ()))
            if ask != "getName" and len(set(map(repr, known))) < FEW:
                texts = () if self._training is None else self._training.answers
                others = list(self._read(ask, texts)) or list(self._guesses(ask))
                known += [other for other in others if other not in known]
            self._words[ask] = known or list(self._read(ask, ["Anna", "Bob"] if ask == "getName" else []))
            if not self._words[ask] and self.failed is not None:
                raise self.failed
        return self._words[ask]

    @cached_property
    def _recorded(self) -> dict[str, list[Any]]:
        """The answers in the golden record, otherwise those of sample bots in a match."""
        words: dict[str, list[Any]] = {}
        record = self.record or self.sample_match
        for step in record.steps if record else ():
            answers = [answer.answer for answer in step.answers if answer.answer is not None]
            words.setdefault(step.ask, []).extend(self._read(step.ask, answers, step.events))
        return words

    def _read(self, ask: str, texts: Sequence[str], events: Sequence[dict[str, Any]] = ()) -> Iterator[Any]:
        for text in texts:
            try:
                yield self.game.recall(ask, text, events)
            except InvalidReply:
                pass
            except Exception as raised:  # the matter of its own check, unless no answer is left
                self.failed = raised

    def _guesses(self, ask: str) -> Iterator[Any]:
        """What the codec accepts of guesses, and of the words with which it refuses one."""
        lines = self.game.reply_lines(ask)
        hints: list[str] = []
        try:
            self.game.decode(ask, [b"?!"] * lines)
        except Exception as refused:
            hints = re.findall(r"[\w.-]+", str(refused))
        texts = ["\n".join([guess] * lines) for guess in dict.fromkeys([*hints, *GUESSES])]
        yield from self._read(ask, texts)

    @cached_property
    def sample_match(self) -> Record | None:
        """A match between sample bots that need no compiler; None if there are none, they cannot play, or it is endless."""
        names = bots.samples(self.game.name, own_runtime=True)
        if not names or self.game.house is not None:
            return None
        seats = self.game.start(self.usual_setup(1), 1).seats
        players = [f"{seat}={names[seat % len(names)]}" for seat in range(seats)]
        with tempfile.TemporaryDirectory() as folder, suppress(RefereeError):
            try:
                return trio.run(partial(self._match, players, Path(folder) / "sampled.jsonl"))
            except GameError as failed:
                self.failed = failed.__cause__ or failed
        return None

    async def _match(self, players: Sequence[str], path: Path) -> Record | None:
        options = Options(isolation=Level.NONE)
        start = Start(seed=1, setup=self.usual_setup(1))
        config = make_config(self.game, start, players, options, lambda _line: None)
        with trio.move_on_after(SAMPLE_TERM):
            await run_match(replace(config, saved=path))
            return load(path)
        return None

    def is_answer(self, ask: str, action: Any) -> bool:
        """Whether a bot could have given this answer."""
        lines = self.game.format(action).encode().split(b"\n")
        return len(lines) == self.game.reply_lines(ask) and bool(self.game.decode(ask, lines) == action)

    def recorded_actions(self) -> Iterator[tuple[Step, list[Any]]]:
        """The golden record's steps, each with its actions and faults."""
        for step in Replay(self.golden()).steps:
            answers = [(it.action, it.text) for it in step.answers]
            recall = partial(self.game.recall, step.ask, events=step.events)
            yield step, [action if text is None else recall(text) for action, text in answers]


def _difference(where: str, one: Any, other: Any) -> tuple[str, Any, Any]:
    """The first place at which two values differ, such as `position.players.0.x`, and what is there in both."""
    if type(one) is type(other) is dict:
        pairs = [(key, one.get(key, ABSENT), other.get(key, ABSENT)) for key in {**one, **other}]
    elif type(one) is type(other) is list:
        pairs = [(str(index), *pair) for index, pair in enumerate(zip_longest(one, other, fillvalue=ABSENT))]
    else:
        pairs = []
    differences = (_difference(f"{where}.{key}", *pair) for key, *pair in pairs if pair[0] != pair[1])
    return next(differences, (where, one, other))
