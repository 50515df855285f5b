"""A game that breaks one rule fails one check, which says that rule. All others pass, or are not run because of it."""

from __future__ import annotations

import copy
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from referee import games
from referee.contract.frame import Mark, Tone
from referee.contract.game import Entrant, Fault, Game, Request
from referee.contract.positions import OnlyMap
from referee.errors import SetupError
from referee.testing.assets import readme_examples
from referee.testing.figures import measure
from referee.testing.subject import Broken, LeftOut, Subject
from referee.testing.suite import BUILDS_ON, Suite, check_name
from referee.text.strict import read

sys.path.insert(0, str(Path(__file__).parents[1] / "plugins" / "auction"))

from auction.plugin import GAME, decode, encode
from auction.rules import Auction, Setup

MARK, WIDE = Mark("()", Tone.ITEM), Mark("...", Tone.ITEM)
advance = Auction.advance
SHORT = OnlyMap(lambda setup, rng_seed: GAME.start({"rounds": 8, **setup}, rng_seed).position(), GAME.seats)


def state(**changes: Any) -> Game[Any, Any]:
    """A game whose states have other methods."""
    kind: Any = type("Wrong", (Auction,), changes)
    return game(start=lambda setup, rng_seed, *_entrants: kind(read(Setup, setup, SetupError), rng_seed))


def game(**changes: Any) -> Game[Any, Any]:
    """A game with other fields."""
    return replace(GAME, maps=SHORT, **changes)


def board(self: Auction, cells: Any) -> Any:
    return replace(Auction.draw(self), cells=cells)


def strange_seat(self: Auction, actions: Any) -> Any:
    return [{**event, "seat": 9} if event["event"] == "sold" else event for event in advance(self, actions)]


def raising(self: Auction, actions: Any) -> Any:
    if self.turn == 7:
        raise KeyError("seven")
    return advance(self, actions)


def leaving(self: Auction, actions: Any) -> Any:
    if self.turn == 7:
        raise SystemExit(0)
    return advance(self, actions)


def severe(self: Auction, actions: Any) -> Any:
    happened = advance(self, actions)
    for event in happened:
        if event["event"] == "sold":
            self.out[event["seat"]] = "invalid"
    return happened


def lenient(self: Auction, actions: Any) -> Any:
    before, happened = self.out.copy(), advance(self, actions)
    if any(isinstance(action, Fault) and action.kind == "overflow" for action in actions):
        self.out = before
        return [event for event in happened if event["event"] != "disqualified"]
    return happened


def sparing(self: Auction, actions: Any) -> Any:
    happened = advance(self, actions)
    if not self.bidding:
        self.out[0] = None
    return happened


def unseeded(self: Auction, actions: Any) -> Any:
    self._rng = Random()
    return advance(self, actions)


def reseeded(self: Auction, _memo: Any) -> Auction:
    other = copy.copy(self)
    other.coins, other.points, other.out = self.coins.copy(), self.points.copy(), self.out.copy()
    other.names, other._rng = self.names.copy(), Random(1)
    return other


def more_figures(self: Auction, _seat: int) -> Any:
    frame = Auction.draw(self)
    lines = [replace(line, figures=(*line.figures, "7")) for line in frame.seats]
    return replace(frame, figures=(*frame.figures, "luck"), seats=lines)


def counting(self: Auction) -> Any:
    frame = Auction.draw(self)
    return replace(frame, seats=[replace(line, figures=(7, *line.figures[1:])) for line in frame.seats])


def forgetful(self: Auction) -> Any:
    position = Auction.position(self)
    return {**position, "round": max(position["round"] - 1, 1)}


def impatient(self: Auction) -> Any:
    self.turn += not self._unnamed and self.turn < self.rounds
    return Auction.requests(self)


def insistent(self: Auction) -> Any:
    due = Auction.requests(self)
    return [Request(seat, "getBid", self) for seat in range(self.seats)] if due and due[0].ask == "getBid" else due


def lingering(self: Auction) -> Any:
    return [Request(0, "getBid", self)] if not self.bidding else Auction.requests(self)


def unranked(self: Auction) -> Any:
    outcome = Auction.current_result(self)
    return replace(outcome, ranking=outcome.ranking[:-1])


def shared(self: Auction) -> Any:
    self.__dict__.setdefault("kept", {}).update(Auction.position(self))
    return self.__dict__["kept"]


def any_setup(setup: Any, rng_seed: int, *_entrants: Any) -> Any:
    return GAME.start({key: value for key, value in setup.items() if key != "strange"}, rng_seed)


def any_fraction(setup: Any, rng_seed: int, *_entrants: Any) -> Any:
    return GAME.start({key: 1 if value == 1.5 else value for key, value in setup.items()}, rng_seed)


def any_name(ask: str, lines: Any) -> Any:
    return lines[0].removesuffix(b"\r").decode("utf-8", "replace") if ask == "getName" else decode(ask, lines)


BROKEN: dict[str, tuple[str, Game[Any, Any]]] = {
    "an exception": ("plays", state(advance=raising)),
    "an exit": ("plays", state(advance=leaving)),
    "no list of requests": ("plays", state(requests=lambda self: [it.seat for it in Auction.requests(self)])),
    "no events": ("plays", state(advance=lambda self, actions: advance(self, actions) and None)),
    "no result": ("plays", state(current_result=lambda _self: {"reason": "over"})),
    "no position": ("plays", state(position=lambda self: Auction.position(self) if self.turn < 3 else [self.turn])),
    "a round in words": ("plays", state(round=property(lambda _self: "one"))),
    "requests that change": ("requests", state(requests=impatient)),
    "two requests": ("requests", state(requests=lambda self: Auction.requests(self) * (2 if self.turn == 3 else 1))),
    "tuples as events": ("events", state(advance=lambda self, it: [("happened", event) for event in advance(self, it)])),
    "a seat that does not exist": ("events", state(advance=strange_seat)),
    "rounds": ("rounds", state(round=property(lambda self: 0 if self._unnamed else max(4 - self.turn, 1)))),
    "a flag": ("together", game(together=False)),
    "a place too few": ("ranking", state(current_result=unranked)),
    "another generator": ("same-seed", state(advance=unseeded)),
    "copies that share": ("copies-are-independent", state(__deepcopy__=lambda self, _memo: copy.copy(self))),
    "copies with other chance": ("copies-continue", state(__deepcopy__=reseeded)),
    "foresight": ("foresight", state(foresee=advance)),
    "ragged rows": ("frames", state(draw=lambda self: board(self, [[MARK], [MARK] * 2]))),
    "a number as a figure": ("frames", state(draw=counting)),
    "marks of three columns": ("frames", state(draw=lambda self: board(self, [[WIDE]]))),
    "marks of three columns for a person": ("frames", state(draw_for=lambda self, _seat: board(self, [[WIDE]]))),
    "a smaller board for a person": ("frames", state(draw_for=lambda self, seat: board(self, [[MARK] * (seat + 1)]))),
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
    "a fraction for a whole number": ("invalid-positions", game(start=any_fraction)),
    "a fault without consequences": ("faults", state(advance=lenient)),
    "a request after a fault": ("faults", state(requests=insistent)),
    "a disqualification without a fault": ("faults", state(advance=severe)),
    "a player that is left over": ("everybody-fails", state(advance=sparing)),
    "a match without players": ("everybody-fails", state(requests=lingering)),
    "half a language": ("programs", game(programs=SimpleNamespace(suffix=".half", part="rule", moves="", compile=decode))),
}  # fmt: skip

WHERE = {
    "requests that change": "`requests` changes the state: position.round ",
    "a request after a fault": "is asked after its fault ",
    "a player that is left over": "are disqualified, ",
    "a match without players": "the match goes on without players",
    "half a language": "the language lacks decide, document, explain, ",
    "a number as a figure": "its frame has 7 where a str belongs",
    "a decoder that raises": "IndexError: list index out of range (test_broken_games.py, line …): decode('",
    "a position": "position.round 1 instead of 2",
    "a fraction for a whole number": " = 1.5 (`Field(",
    "copies that share": "position.players.1.coins 92 instead of 100",
}
"""What the failure says, for mistakes of which it shows the place or that other rules would find too."""


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The failures of a game that is not installed."""

    def failures(broken: Game[Any, Any]) -> dict[str, str]:
        monkeypatch.setattr(games, "find", lambda _name=None: broken)
        monkeypatch.setattr(games, "own", lambda: ["auction"])
        return {it.name: f"{it.rule} {it.detail}" for it in Suite("auction").verdicts() if it.outcome == "failed"}

    return failures


def test_the_whole_game_has_no_failure(failures: Any) -> None:
    assert failures(game()) == {}


@pytest.mark.parametrize("what", BROKEN)
def test_one_mistake_is_one_failure(failures: Any, what: str) -> None:
    name, broken = BROKEN[what]
    failed = failures(broken)
    assert list(failed) == [name], failed
    rule = next(check.__doc__ for check in BUILDS_ON if check_name(check) == name)
    assert failed[name].startswith(str(rule).partition("\n")[0])
    assert all(part in failed[name] for part in WHERE.get(what, "").split("…"))


def test_the_first_difference_of_two_positions_is_named() -> None:
    subject = Subject("snakecore")
    for one, other, why in (
        ({"x": [{"y": 1}, {"y": 2}]}, {"x": [{"y": 1}, {"y": 3}]}, "position.x.1.y 3 instead of 2"),
        ({"x": [1]}, {"x": [1, 2]}, "position.x.1 2 instead of 'nothing there'"),
        ({"x": 1}, {}, "position.x 'nothing there' instead of 1"),
        ({"x": 1}, {"x": 1.0}, "a number is of another type"),
    ):
        with pytest.raises(Broken, match=f"^it: {why}$"):
            subject.same_position("it", one, other)


def favoured(self: Auction, actions: Any) -> Any:
    self.values[2] = 20
    return advance(self, actions)


def test_a_seat_that_wins_too_often_and_the_size_of_the_choice_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "own", lambda: ["auction"])
    figures = []
    for auction in (game(), state(advance=favoured)):
        monkeypatch.setattr(games, "find", lambda _name=None, auction=auction: auction)
        figures.append(measure(Subject("auction"), 60))
    fair, unfair = figures
    assert fair.bias < 3 < unfair.bias
    assert max(unfair.wins) == unfair.wins[2]
    assert sum(fair.wins) == pytest.approx(1)
    assert (fair.matches, fair.ended, fair.reasons) == (60, 1, {"rounds": 60})
    assert 1 < fair.answers < 40
    assert len(measure(Subject("auction"), 1).wins) == len(fair.wins), "a seat that never wins has a share, too"


def test_a_match_of_sample_bots_that_does_not_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.testing.subject.SAMPLE_TERM", 0.0)
    assert Subject("snakecore").sample_match is None


def test_a_record_that_knows_few_answers_gets_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "own", lambda: ["auction"])
    monkeypatch.setattr(games, "find", lambda _name=None: game())
    subject = Subject("auction")
    subject.__dict__["_recorded"] = {"getBid": [7] * 3}
    assert subject.words("getBid")[:3] == [7] * 3
    assert 9 in subject.words("getBid")


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
    "a trial in texts": ("trials", {"trials": lambda: [replace(EGGHUNT.trials()[0], bystanders={"getAction": "0"})]}),
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


class Hosted(Auction):
    """An auction whose house bids, too: it is asked for no name, and not ranked."""

    def __init__(self, setup: Setup, rng_seed: int, entrants: Any) -> None:
        super().__init__(setup, rng_seed)
        self.house = [bool(entrants) and entrants[seat].house for seat in range(self.seats)]
        self._unnamed = [seat for seat in self._unnamed if not self.house[seat]]

    def current_result(self) -> Any:
        outcome = super().current_result()
        return replace(outcome, ranking=[line for line in outcome.ranking if not self.house[line.seat]])


class WithHouse(OnlyMap):
    """A seat more than there are guests."""

    def setup(self, document: Any, *, seats: int, **more: Any) -> Any:
        return super().setup(document, seats=seats + 1, **more)


class Miser:
    name = "Miser"

    def decide(self, _request: Request[Auction]) -> int:
        return 0


def test_a_house_that_stays_for_the_match_keeps_the_contract_and_does_not_win(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(setup: Any, rng_seed: int, entrants: Any = ()) -> Hosted:
        return Hosted(read(Setup, setup, SetupError), rng_seed, entrants)

    maps = WithHouse(lambda setup, rng_seed: GAME.start({"rounds": 8, **setup}, rng_seed).position(), range(2, 5))
    hosted = replace(GAME, start=start, seats=range(2, 5), maps=maps, house=lambda _seat, _rng_seed: Miser())
    monkeypatch.setattr(games, "find", lambda name=None: hosted)
    subject = Subject("auction")
    subject.recorded = (*map(Entrant, "abcd"), Entrant("Miser", house=True))
    for check in BUILDS_ON:
        if check.__name__ in {"names", "ranking", "faults", "everybody_fails", "house"}:
            check(subject)
    figures = measure(subject, matches=20)
    assert len(figures.wins) == 4
    assert sum(figures.wins) == pytest.approx(1)


@pytest.mark.parametrize(
    ("readme", "error", "why"),
    [
        ("```text request getBid\n```\n", LeftOut, "no marked examples"),
        ("```position\n{}\n```\n```request getBid\n```\n", Broken, "lacks a block `answers getName`"),
        ("```position\n{}\n```\n```request getName\nname?\n```\n", Broken, "is 'getName.n', and the README has another text"),
    ],
)  # fmt: skip
def test_examples_that_are_not_marked_or_not_true(
    monkeypatch: pytest.MonkeyPatch, readme: str, error: type[Exception], why: str
) -> None:
    text = readme.replace("{}", '{"players": [{}, {}]}')
    monkeypatch.setattr("referee.testing.assets.readme_of", lambda _name: text)
    monkeypatch.setattr(games, "find", lambda name=None: GAME)
    with pytest.raises(error, match=why):
        readme_examples(Subject("auction"))
