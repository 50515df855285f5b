"""Checks of what a game may leave out: controls, effects, memories, training, players of the house."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import isclose
from pathlib import Path
from random import Random
from typing import Any, Final

from referee.bots import Bot
from referee.bots.match_bots import entrants, with_house
from referee.contract.frame import Control
from referee.contract.game import Effect, Fault, Step
from referee.contract.ranking import points_of
from referee.files import mapfiles
from referee.terminal import keys
from referee.terminal.turn import ARROWS
from referee.testing.subject import AnyState, LeftOut, Subject

OF_THE_VIEW: Final = {*"0123456789+-=_?q", keys.SPACE, keys.TAB, keys.BACK_TAB, keys.ENTER, keys.ESCAPE}
MOST_WORDS: Final = 60
"""The most characters of a source or reason: it is the heading of a column or the beginning of a line."""


def controls(subject: Subject) -> None:
    """Each control has an answer that a bot could give, or leads to more; its keys are its own; it changes nothing."""
    game = subject.game
    if game.controls is None:
        raise LeftOut("the game has no controls, so no person can play it")
    for line_up in subject.line_ups:
        state = subject.new(4, line_up)
        for step in subject.steps(state, Random(4), 200):
            if (step.number > 20 and step.number % 5 != 1) or not (due := state.requests()) or due[0].ask == "getName":
                continue
            before, names = state.position(), [f"bot {seat}" for seat in range(state.seats)]
            for seat, ask, _ in (due[0], due[-1]):
                _controls(subject, ask, game.controls(state, seat, names))
            subject.must(state.position() == before, "the position has changed")


def _controls(subject: Subject, ask: str, level: Sequence[Control]) -> None:
    subject.must(level, "there is nothing to choose from")
    ours = [key for control in level for key in control.keys]
    subject.must(len(set(ours)) == len(ours), f"two controls have the same key: {ours}")
    wrong = [key for key in ours if key in OF_THE_VIEW or not (key in ARROWS or len(key) == 1)]
    subject.must(not wrong, f"the keys {wrong} are those of the view, or not one character")
    for control in level:
        is_either = (control.answer is None) == bool(control.then)
        subject.must(is_either, f"{control.keys} must have either an answer or further controls")
        if control.answer is None:
            _controls(subject, ask, control.then)
        else:
            answer = subject.game.format(subject.game.recall(ask, control.answer, ()))
            subject.must(answer == control.answer, f"{control.keys} answers {control.answer!r}, which is {answer!r}")


def effects(subject: Subject) -> None:
    """The effects of a step are well formed, and those with points account for every change of points."""
    count = 0
    for state, steps in _matches(subject):
        before = points_of(state.current_result(), state.seats)
        for step in steps:
            after, reckoned = points_of(state.current_result(), state.seats), list(before)
            for effect in subject.game.effects(step, before, after):
                count += 1
                _effect(subject, effect, step.events, state.seats)
                if effect.kind == "points":
                    reckoned[effect.seat] += effect.amount
            same = all(isclose(sum_, point, abs_tol=1e-9) for sum_, point in zip(reckoned, after, strict=True))
            what = f"from the points {before}, the effects lead to {reckoned} instead of {after}"
            subject.must(same or not count, what)
            before = after
    if not count:
        raise LeftOut("the game has no effects, so `referee explain` knows points only")


def _matches(subject: Subject) -> Iterator[tuple[AnyState, Iterator[Step]]]:
    """Random matches, and that of the golden record: the state, and the steps that play it."""
    for seed in range(12):
        chance = Random(seed)
        state = subject.new(seed, chance.choice(subject.line_ups))
        yield state, subject.steps(state, chance, 200, faults=0.01)
    if subject.record is not None:
        state = subject.new(subject.record.header.rng_seed)
        yield state, _replay(subject, state)


def _replay(subject: Subject, state: AnyState) -> Iterator[Step]:
    for step, actions in subject.recorded_actions():
        subject.step = step.number
        state.follow(step.events)
        state.advance(actions)
        yield step


def _effect(subject: Subject, effect: Effect, events: Sequence[Any], seats: int) -> None:
    subject.must(effect.seat in range(seats), f"{effect}: there is no such seat")
    others = {None, *range(seats)} - {effect.seat}
    subject.must(effect.rival in others, f"{effect}: the rival is no other seat")
    subject.must(effect.event is None or effect.event in events, f"{effect}: its event is not one of the step")
    is_short = effect.what.isprintable() and 0 < len(effect.what) <= MOST_WORDS
    subject.must(is_short, f"{effect}: its words are not 1 to {MOST_WORDS} printable characters")
    amount = effect.amount == 1 if effect.kind == "nothing" else effect.amount != 0
    subject.must(amount and (effect.kind != "loss" or effect.amount > 0), f"{effect}: its amount does not fit its kind")


def memories(subject: Subject) -> None:
    """A memory belongs to one player: the rules ignore it, `remembering` copies it alone, `forgotten` empties one seat's."""
    game, remembering = subject.game, subject.game.remembering
    if remembering is None:
        raise LeftOut("no answer of this game holds a memory")
    who, ours, theirs, count = subject.recorded, subject.new(), subject.new(), 0
    seats = range(ours.seats)
    for step, actions in subject.recorded_actions():
        subject.step = step.number
        bare: list[Any] = [
            action if isinstance(action, Fault) and who[answer.seat].lifetime == "game" else remembering(action, None)
            for answer, action in zip(step.answers, actions, strict=True)
        ]
        for state, took in ((ours, actions), (theirs, bare)):
            state.follow(step.events)
            subject.must(list(state.advance(took)) == step.events, "a memory changes the events")
        position = ours.position()
        apart = [game.forgotten(position, seat) for seat in seats]
        empty = reduce(game.forgotten, seats, position)
        subject.must(theirs.position() == empty, "a memory changes the position")
        subject.must(ours.position() == position, "`forgotten` changes the state")
        if sum(forgotten != position for forgotten in apart) > 1:  # two seats have a memory
            count += 1
            own = all(game.forgotten(it, seat) == it != empty for seat, it in zip(seats, apart, strict=True))
            subject.must(own, "`forgotten` empties the memory of another seat")
        subject.must(game.start(empty, 1).position() == empty, "a position without memories is another one")
    subject.must(count, "the golden record has no position in which two seats have a memory")
    for ask, words in subject.vocabulary.items():
        for one, other in zip(words[:60], reversed(words[:60]), strict=True):
            mixed = remembering(one, other)
            subject.must(remembering(mixed, None) == remembering(one, None), f"{ask}: more than the memory is taken")
            subject.must(remembering(other, mixed) == other, f"{ask}: the memory is not taken")


def training(subject: Subject) -> None:
    """An action of `Game.training` is always possible, possible ones are answers, its planes are whole, its points right."""
    game = subject.game
    if game.training is None:
        raise LeftOut("the game has no training, so no program can learn it in `referee.env`")
    training, state, planes = game.training(), subject.new(21), None
    for step in subject.steps(state, Random(21), 100):
        if planes is not None:
            planes.follow(step.events)
        points = training.points(state)
        scores = {ranked.seat: ranked.score for ranked in state.current_result().ranking}
        same = len(points) == state.seats and all(points[seat] == scores[seat] for seat in scores)
        subject.must(same, f"the points {list(points)} are not those of the result, {scores} by seat")
        for seat, ask, _ in state.requests() if state.round else ():
            allowed = training.allowed(state, seat)
            subject.must(len(allowed) == len(training.answers) and any(allowed), f"allowed is {list(allowed)}")
            if step.number == 1 or ask != step.ask:
                possible = [text for text, is_so in zip(training.answers, allowed, strict=True) if is_so]
                wrong = [text for text in possible if game.format(game.recall(ask, text, ())) != text]
                subject.must(not wrong, f"{wrong} are no answers to {ask}")
            planes = planes or training.planes(state)
            cells, size = planes.seen(training.request(state, seat)), len(planes.names) * planes.rows * planes.columns
            subject.must(len(cells) == size, f"what the seat sees has {len(cells)} cells, and its planes have {size}")


def house(subject: Subject) -> None:
    """Players of the house answer every request but `getName`, the same for the same seed, and are not ranked."""
    game = subject.game
    if game.house is None:
        raise LeftOut("the game has no players of the house")
    once = _house_match(subject, 11)
    subject.must(once, "no player of the house is asked")
    subject.must(_house_match(subject, 11) == once, "the same seed gives other answers")
    names = [game.house(seat, 1).name for seat in range(7)]
    subject.must(all(game.decode("getName", [name.encode()]) == name for name in names), f"the names are {names}")


def _house_match(subject: Subject, seed: int) -> list[str]:
    """Play a match with as few guests as possible, and return the answers of the house."""
    game, least = subject.game, subject.game.seats.start
    setup = game.maps.setup(mapfiles.read(game, game.maps.default), seats=least, rng_seed=seed)
    guests = [Bot(f"guest {seat}", (), Path(), lifetime=game.lifetimes[0]) for seat in range(least)]
    line_up = with_house(guests, game, game.start(setup, seed).seats, seed)
    state, answers = game.start(setup, seed, entrants(line_up)), []
    subject.seed, subject.step = seed, 0
    for subject.step in range(1, 251):
        actions = [answer.action for answer in subject.answers(state, Random(subject.step))]
        for index, request in enumerate(due := state.requests()):
            policy = line_up[request.seat].policy
            if policy is not None:
                subject.must(request.ask != "getName", f"the house in seat {request.seat} is asked for a name")
                actions[index] = policy.decide(request)
                subject.must(subject.is_answer(request.ask, actions[index]), "the house answers what no bot can")
                answers.append(game.format(actions[index]))
        if not due:
            break
        state.advance(actions)
    ranked = {line.seat for line in state.current_result().ranking}
    guests_only = ranked == {seat for seat, bot in enumerate(line_up) if not bot.house}
    subject.must(guests_only, f"the seats {sorted(ranked)} are ranked, and the guests have the first {least}")
    return answers
