"""A game that breaks one rule fails one check, which says that rule. All others pass, or are not run because of it."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from conformance.race import Race, decode, encode, game_of

from referee import games
from referee.contract.game import Fault, Game
from referee.testing.figures import measured
from referee.testing.subject import Broken, Subject
from referee.testing.suite import BUILDS_ON, Suite, named


def state(**changes: Any) -> Game[Any, Any]:
    """A game whose states have other methods."""
    return game_of(type("Wrong", (Race,), changes))


def game(**changes: Any) -> Game[Any, Any]:
    """A game with other fields."""
    return replace(game_of(), **changes)


def events(self: Race, actions: Any) -> Any:
    return [("happened", event["event"]) for event in Race.advance(self, actions)]


def strange_seat(self: Race, actions: Any) -> Any:
    return [{**event, "seat": 9} if event["event"] == "stay" else event for event in Race.advance(self, actions)]


def raising(self: Race, actions: Any) -> Any:
    if self.turn == 7:
        raise KeyError("seven")
    return Race.advance(self, actions)


def leaving(self: Race, actions: Any) -> Any:
    if self.turn == 7:
        raise SystemExit(0)
    return Race.advance(self, actions)


def severe(self: Race, actions: Any) -> Any:
    happened = Race.advance(self, actions)
    for event in happened:
        if event["event"] == "stay":
            self.out[event["seat"]] = "invalid"
    return happened


def lenient(self: Race, actions: Any) -> Any:
    seat, before = self.requests()[0].seat, self.out.copy()
    happened = Race.advance(self, actions)
    if isinstance(actions[0], Fault) and actions[0].kind == "overflow":
        self.out = before
        return [{"event": "stay", "seat": seat}]
    return happened


def unseeded(self: Race, actions: Any) -> Any:
    self.rng = Random()
    return Race.advance(self, actions)


def sharing(self: Race, _memo: Any) -> Race:
    return copy.copy(self)


def reseeded(self: Race, _memo: Any) -> Race:
    other = copy.copy(self)
    other.scores, other.out, other.names = self.scores.copy(), self.out.copy(), self.names.copy()
    other.lost = self.lost.copy()
    other.unnamed, other.rng = self.unnamed.copy(), Random(1)
    return other


def ragged(self: Race) -> Any:
    frame = Race.draw(self)
    return replace(frame, cells=[frame.cells[0][:-1], *frame.cells[1:]])


def wide(self: Race) -> Any:
    frame = Race.draw(self)
    return replace(frame, cells=[[mark._replace(text="...") for mark in row] for row in frame.cells])


def smaller(self: Race, seat: int) -> Any:
    frame = Race.draw(self)
    return replace(frame, cells=frame.cells[seat:])


def more_figures(self: Race, _seat: int) -> Any:
    frame = Race.draw(self)
    lines = [replace(line, figures=(*line.figures, "7")) for line in frame.seats]
    return replace(frame, figures=(*frame.figures, "luck"), seats=lines)


def forgetful(self: Race) -> Any:
    position = Race.position(self)
    return {**position, "turn": max(position["turn"] - 1, 0)}


def shared(self: Race) -> Any:
    self.__dict__.setdefault("kept", {}).update(Race.position(self))
    return self.__dict__["kept"]


def twice(self: Race) -> Any:
    return [*Race.requests(self), *(Race.requests(self) if self.turn == 3 else [])]


def backwards(self: Race) -> int:
    return 0 if self.unnamed else 90 - self.turn


def unranked(self: Race) -> Any:
    outcome = Race.current_result(self)
    return replace(outcome, ranking=outcome.ranking[:-1])


def changing(self: Race, actions: Any) -> Any:
    return Race.advance(self, actions)


def any_setup(setup: Any, rng_seed: int, *_entrants: Any) -> Race:
    return game_of().start({key: value for key, value in setup.items() if key != "strange"}, rng_seed)


def any_name(ask: str, lines: Any) -> str:
    return lines[0].removesuffix(b"\r").decode("utf-8", "replace") if ask == "getName" else decode(ask, lines)


BROKEN: dict[str, tuple[str, Game[Any, Any]]] = {
    "an exception": ("plays", state(advance=raising)),
    "an exit": ("plays", state(advance=leaving)),
    "no list of requests": ("plays", state(requests=lambda self: [it.seat for it in Race.requests(self)])),
    "no events": ("plays", state(advance=lambda self, actions: Race.advance(self, actions) and None)),
    "no result": ("plays", state(current_result=lambda _self: {"reason": "over"})),
    "no position": ("plays", state(position=lambda self: Race.position(self) if self.turn < 3 else [self.turn])),
    "a round in words": ("plays", state(round=property(lambda _self: "one"))),
    "two requests": ("requests", state(requests=twice)),
    "tuples as events": ("events", state(advance=events)),
    "a seat that does not exist": ("events", state(advance=strange_seat)),
    "rounds": ("rounds", state(round=property(backwards))),
    "a flag": ("together", game(together=True)),
    "a place too few": ("ranking", state(current_result=unranked)),
    "another generator": ("same-seed", state(advance=unseeded)),
    "copies that share": ("copies-are-independent", state(__deepcopy__=sharing)),
    "copies with other chance": ("copies-continue", state(__deepcopy__=reseeded)),
    "foresight": ("foresight", state(foresee=changing)),
    "ragged rows": ("frames", state(draw=ragged)),
    "marks of three columns": ("frames", state(draw=wide)),
    "marks of three columns for a person": ("frames", state(draw_for=lambda self, _seat: wide(self))),
    "a smaller board for a person": ("frames", state(draw_for=smaller)),
    "other figures for a person": ("frames", state(draw_for=more_figures)),
    "a format": ("answers", game(format=lambda action: f"{action} ".upper())),
    "names": ("name-answers", game(decode=any_name)),
    "a decoder that raises": ("any-bytes", game(decode=lambda ask, it: decode(ask, it) if b"?" not in it[0] else [][0])),
    "a decoder that raises always": ("plays", game(decode=lambda ask, it: decode(ask, it) if ask == "getName" else [][0])),
    "half a line": ("request-lines", game(encode=lambda request: encode(request).rstrip(b"\n"))),
    "a text as a request": ("request-lines", game(encode=lambda request: encode(request).decode())),
    "a position": ("positions", state(position=forgetful)),
    "a position that is shared": ("positions-are-apart", state(position=shared)),
    "chance that does not follow": ("positions-continue", state(follow=lambda _self, _events: None)),
    "an unknown key": ("invalid-positions", game(start=any_setup)),
    "a fault without consequences": ("faults", state(advance=lenient)),
    "a disqualification without a fault": ("faults", state(advance=severe)),
}  # fmt: skip


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The failures of a game that is not installed."""

    def failures(broken: Game[Any, Any]) -> dict[str, str]:
        monkeypatch.setattr(games, "find", lambda _name=None: broken)
        monkeypatch.setattr(games, "own", lambda: ["race"])
        return {it.name: f"{it.rule} {it.detail}" for it in Suite("race").verdicts() if it.outcome == "failed"}

    return failures


def test_the_whole_game_has_no_failure(failures: Any) -> None:
    assert failures(game_of()) == {}


@pytest.mark.parametrize("what", BROKEN)
def test_one_mistake_is_one_failure(failures: Any, what: str) -> None:
    name, broken = BROKEN[what]
    failed = failures(broken)
    assert list(failed) == [name], failed
    rule = next(check.__doc__ for check in BUILDS_ON if named(check) == name)
    assert failed[name].startswith(str(rule).partition("\n")[0])


def favoured(self: Race, actions: Any) -> Any:
    self.told = [6] if self.requests()[0].seat == 2 else self.told
    return Race.advance(self, actions)


def test_a_seat_that_wins_too_often_and_the_size_of_the_choice_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "own", lambda: ["race"])
    figures = []
    for race in (game_of(), state(advance=favoured)):
        monkeypatch.setattr(games, "find", lambda _name=None, race=race: race)
        figures.append(measured(Subject("race"), 60))
    fair, unfair = figures
    assert fair.bias < 3 < unfair.bias
    assert max(unfair.wins) == unfair.wins[2]
    assert sum(fair.wins) == pytest.approx(1)
    assert (fair.matches, fair.ended, fair.reasons) == (60, 1, {"over": 60})
    assert 1 < fair.answers <= 2  # roll and stay


def test_a_record_that_knows_few_answers_gets_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "own", lambda: ["race"])
    monkeypatch.setattr(games, "find", lambda _name=None: game_of())
    subject = Subject("race")
    subject.__dict__["_recorded"] = {"getMove": ["roll"] * 3}
    assert subject.words("getMove")[:3] == ["roll"] * 3
    assert "stay" in subject.words("getMove")


# -- Optional parts: games of the referee's own with one mistake ---------------------------------------------------

EGGHUNT: Any = games.find("egghunt")


def keyed(state: Any, seat: int, names: Any) -> Any:
    return [replace(control, keys=("q",)) for control in EGGHUNT.controls(state, seat, names)]


def unfair(**changes: Any) -> Any:
    """The maps of egghunt, with other methods."""
    return type("Unfair", (type(EGGHUNT.maps),), changes)()


def too_much(step: Any, before: Any, after: Any) -> Any:
    return [it._replace(amount=it.amount + 1) for it in EGGHUNT.effects(step, before, after) if it.amount > 0]


class Half:
    """The planes of egghunt, less than all of them."""

    def __init__(self, state: Any) -> None:
        self.whole = EGGHUNT.training().planes(state)
        self.names, self.rows, self.columns, self.follow = self.whole.names, 5, 5, self.whole.follow

    def seen(self, request: Any) -> bytearray:
        return bytearray(self.whole.seen(request)[:-1])


SEEDS = count()


def restless(seat: int, _seed: int) -> Any:
    return EGGHUNT.house(seat, next(SEEDS))


def endless(self: Any, document: Any, *, rounds: int | None = None, **more: Any) -> Any:
    return type(self).__base__.setup(self, document, **more)


WRONG: dict[str, tuple[str, dict[str, Any]]] = {
    "keys of the view": ("controls", {"controls": keyed}),
    "an amount": ("effects", {"effects": too_much}),
    "nothing is remembered": ("memories", {"remembering": lambda action, _other: action}),
    "nothing is forgotten": ("memories", {"forgotten": lambda position, _seat: position}),
    "a long estimate": ("length", {"steps": lambda _position: 1_000_000}),
    "words": ("words_and_columns", {"tell": lambda _event, _names: "two\nlines"}),
    "no place": ("maps", {"maps": unfair(facts=lambda _self, it: replace(EGGHUNT.maps.facts(it), starts=()))}),
    "a defect": ("maps", {"maps": unfair(check=lambda _self, _document: ["it is unfair"])}),
    "no end of rounds": ("shorter_matches", {"maps": unfair(setup=endless)}),
    "any map": ("invalid_maps", {"maps": unfair(check=lambda _self, _document: [])}),
    "a trial for nobody": ("trials", {"trials": lambda: [*EGGHUNT.trials()[:1]] * 2}),
    "another seed": ("golden_record", {"start": lambda setup, seed, *more: EGGHUNT.start(setup, seed + 1, *more)}),
    "rules version": ("golden_record", {"rules_version": 99}),
    "a house without a seed": ("house", {"house": restless}),
    "points of one seat": ("training", {"training": lambda: replace(EGGHUNT.training(), points=lambda _state: [0])}),
    "half a plane": ("training", {"training": lambda: replace(EGGHUNT.training(), planes=Half)}),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_mistake_in_an_optional_part_is_noticed(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    name, changes = WRONG[what]
    check = next(check for check in BUILDS_ON if check.__name__ == name)
    broken, find = replace(EGGHUNT, **changes), games.find
    check(Subject("egghunt"))
    monkeypatch.setattr(games, "find", lambda name=None: broken if name == "egghunt" else find(name))
    with pytest.raises(Broken):
        check(Subject("egghunt"))
