"""People at the keyboard of a live view: whole matches by scripted keys, and the pages that they see."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import trio
from rich.cells import cell_len
from terminal.scripted import Pages, Script, no_past
from trio.testing import MockClock

from referee import bots, games
from referee.bots import Bot
from referee.bots.match_bots import with_house
from referee.contract.game import Request
from referee.files import assets
from referee.match.config import MatchConfig, Seat
from referee.match.session import MatchResult, Session
from referee.moments.scene import Director
from referee.players.human import Person, PersonLeft
from referee.saved.record import Record, load
from referee.saved.replay import verify
from referee.terminal import keys as k
from referee.terminal.live import LiveView
from referee.terminal.pace import Pace
from referee.terminal.palette import Look
from referee.terminal.screen import run_view

PLAYED = ("snakecore", "ava", "viper", "egghunt")
ARROWS = (k.UP, k.RIGHT, k.DOWN, k.LEFT)
HOSTILE = "[bold]\x1b[2J\u202eBob\tby your turn"


@dataclass
class Goes:
    """A rival in the referee that always gives the same answer."""

    action: Any
    name: str = "Goes"

    def decide(self, request: Request[Any]) -> Any:
        return self.action


@dataclass
class Fingers:
    """Presses keys, one every 0.1 s, in an endless row."""

    keys: Iterator[k.Key]
    due: float = 0.1

    async def key(self) -> k.Key:
        await trio.sleep_until(self.due)
        self.due += 0.1
        return next(self.keys)


def match(
    name: str, *, people: Sequence[str | None] = (None,), rivals: int = 1, rounds: int = 3, **more: Any
) -> MatchConfig:
    """A short match on the game's default map, with people first."""
    game: Any = games.find(name)
    action = "R" if name == "snakecore" else "ULDR"
    own = [bots.a_person(game, name) for name in people]
    if name != "egghunt":
        own += [Bot("Goes", (), Path(), policy=Goes(action, more.pop("rival", "Goes"))) for _ in range(rivals)]
    text = (assets.folder("maps") / name / f"{game.maps.default}.toml").read_text(encoding="utf-8")
    setup = game.maps.setup(tomllib.loads(text), seats=len(own), rng_seed=5, rounds=rounds)
    if name == "egghunt":
        setup |= {"runs": 1}
    line_up = with_house([bots.enter(bot, game) for bot in own], game, game.start(setup, 5).seats, 5)
    time = more.pop("time", game.time)
    return MatchConfig(
        game=game, setup=setup, seed=5, seats=list(map(Seat, line_up)), time=time, pondering=False, **more
    )


async def play(config: MatchConfig, keys: Any, pages: Pages | None = None) -> MatchResult:
    """Play a match in a view on a screen that records its pages."""
    session = Session(config)
    director = Director(config.game, session.state, session.clocks, session.entrants)
    pace = Pace(8.0)
    view = LiveView(director, pace, Look(), past=no_past, people=session.people)
    try:
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def watch() -> None:
                try:
                    await run_view(view, pages or Pages(), keys)
                finally:
                    view.leave()

            result = await session.play(observers=[director.step], pace=pace.after)
            view.finish()
            view.end_of_keys()
        return result
    finally:
        session.close()


def proved(path: Path) -> Record:
    """A saved match, after proving that it follows from the rules, and that times and verdicts agree."""
    record = load(path)
    assert verify(record)
    return record


def own_answers(record: Record, seat: int = 0) -> list[Any]:
    return [answer for step in record.steps if step.ask != "getName" for answer in step.answers if answer.seat == seat]


@pytest.mark.parametrize("name", PLAYED)
async def test_keys_play_a_whole_match_that_is_saved_and_verified(name, tmp_path, autojump_clock):
    saved = tmp_path / "a.jsonl"
    stances = ("a", "c", k.UP, "u", "c", k.ESCAPE, *ARROWS, "k")
    keys = {"snakecore": ("a", "n", *ARROWS), "egghunt": stances}.get(name, ARROWS)
    pages = Pages()
    result = await play(match(name, saved=saved, rounds=6), Fingers(cycle(keys)), pages)
    assert result.outcome.reason in ("rounds", "steps", "runs")
    answers = own_answers(proved(saved))
    assert len(answers) == 6
    assert all(answer.fault is None and answer.ms == 0 for answer in answers)
    assert any(answer.late > 0 for answer in answers)
    assert any("Human, your turn" in line for page in pages.pages for line in page)
    assert all(cell_len(line) <= 80 for page in pages.pages for line in page)


async def test_people_at_one_keyboard_answer_one_after_the_other(tmp_path: Path, autojump_clock: MockClock) -> None:
    """In the egg hunt all seats are asked at once."""
    saved, pages = tmp_path / "a.jsonl", Pages()
    config = match("egghunt", people=["Ann", "Bea"], rounds=2, saved=saved)
    await play(config, Script((1.0, "u"), (2.0, "o"), (3.0, "m"), (4.0, ".")), pages)
    record = proved(saved)
    assert [answer.answer for answer in own_answers(record, 0)] == ["1\nN\n", "7\nN\n"]
    assert [answer.answer for answer in own_answers(record, 1)] == ["3\nN\n", "5\nN\n"]
    titles = [line[line.index("your turn") - 5 :] for page in pages.pages for line in page if "your turn" in line]
    assert list(dict.fromkeys(titles)) == ["Ann, your turn", "Bea, your turn"]


async def test_a_stance_comes_before_a_direction(tmp_path: Path, autojump_clock: MockClock) -> None:
    saved, pages = tmp_path / "a.jsonl", Pages()
    keys = Script((1.0, "a"), (2.0, k.UP), (3.0, "c"), (4.0, k.ESCAPE), (5.0, "k"))
    await play(match("egghunt", rounds=2, saved=saved), keys, pages)
    assert [answer.answer for answer in own_answers(proved(saved))] == ["2\nA\n", "9\nN\n"]
    assert any("Human, attack beats plain moves" in line for page in pages.pages for line in page)


async def test_keys_do_nothing_for_others_and_do_not_stop_the_match(tmp_path: Path, autojump_clock: MockClock) -> None:
    """Seats 0 and 1 are due at 0.25 s after the names; the early key is lost, and no arrow makes single steps."""
    saved = tmp_path / "a.jsonl"
    await play(match("snakecore", rounds=1, saved=saved), Script((0.1, k.RIGHT), (9.0, k.UP)))
    (answer,) = own_answers(proved(saved))
    assert answer.answer == "U"
    assert answer.late == pytest.approx(9000 - 250, abs=200)


async def test_without_an_answer_in_time_the_rules_say_what_it_costs(tmp_path: Path, autojump_clock: MockClock) -> None:
    for name, answers in (("snakecore", 1), ("egghunt", 2)):
        config = match(name, rounds=2, saved=tmp_path / f"{name}.jsonl")
        pages = Pages()
        await play(replace(config, limited=True, time=replace(config.time, first=4.0, answer=4.0)), Script(), pages)
        entries = own_answers(proved(tmp_path / f"{name}.jsonl"))
        assert [(answer.fault, answer.ms) for answer in entries] == [("timeout", pytest.approx(4000))] * answers
        shown = [line.rstrip()[-2:] for page in pages.pages for line in page if "Human, your turn" in line]
        assert list(dict.fromkeys(shown)) == ["4s", "3s", "2s", "1s"]


async def test_q_asks_before_a_person_leaves(tmp_path: Path, autojump_clock: MockClock) -> None:
    saved, pages = tmp_path / "a.jsonl", Pages()
    keys = Script((1.0, "q"), (2.0, k.UP), (3.0, k.UP), (4.0, "q"), (5.0, "q"))
    with pytest.raises(ExceptionGroup) as raised:
        await play(match("snakecore", saved=saved), keys, pages)
    assert raised.group_contains(PersonLeft, match="Human left the match", depth=1)
    record = proved(saved)
    assert record.result.reason == "interrupted"
    assert [answer.answer for answer in own_answers(record)] == ["U"]  # the first ↑ only took the question back
    assert any("q again to leave the match" in line for page in pages.pages for line in page)


async def test_without_a_keyboard_the_match_ends(tmp_path: Path, autojump_clock: MockClock) -> None:
    with pytest.raises(ExceptionGroup) as raised:
        await play(match("snakecore", saved=tmp_path / "a.jsonl"), Script((1.0, None)))
    assert raised.group_contains(PersonLeft)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (60, 16), (30, 10)])
@pytest.mark.parametrize("name", PLAYED)
async def test_the_page_of_a_turn(name: str, width: int, height: int) -> None:
    view = waiting(name)
    lines = [line.plain for line in view.page(width, height)]
    assert len(lines) <= height
    assert all(cell_len(line) <= width for line in lines)
    if width >= 80:
        text = "\n".join(lines)
        assert ", your turn" in text
        expected = {
            "snakecore": ["↑  ", "↓  ", "n  wait", "a  skip: no energy block"], "ava": ["←  move", "→  move"],
            "viper": ["←  move", "→  move"], "egghunt": ["i ↑  up", "c    counter beats attacks"],
        }  # fmt: skip
        for choice in expected[name]:
            assert f" {choice}" in text
        assert "? help" in text


def test_the_lines_below_a_turn_do_not_jump() -> None:
    view = waiting("snakecore")
    before = [line.plain for line in view.page(120, 40)]
    person = view._people[0]
    person.request = None
    view.director.state.advance(["U"])
    after = [line.plain for line in view.page(120, 40)]
    (row,) = [number for number, line in enumerate(before) if "Human, your turn" in line]
    assert "Goes is to move" in after[row]
    assert [line[46:] for line in before[row + 7 :]] == [line[46:] for line in after[row + 7 :]]


def test_hostile_names_are_harmless_in_words() -> None:
    config = match("ava", rival=HOSTILE)
    state = config.game.start(config.setup, 5)
    while state.requests()[0].ask == "getName":
        state.advance([f"{HOSTILE}"])
    seat = state.requests()[0].seat
    head, *_ = state.board.snakes[seat].cells  # type: ignore[attr-defined]
    position = state.position()
    x, y = state.board.xy(head)  # type: ignore[attr-defined]
    rival = 1 - seat
    position["snakes"][rival]["cells"] = [[x + 2, y + 1], [x + 1, y + 1], [x + 1, y]]
    position["order"] = [seat, rival]
    state = config.game.start(position, 5)
    while state.requests()[0].ask == "getName":
        state.advance([HOSTILE])
    page = "\n".join(line.plain for line in waiting("ava", state, seat).page(120, 40))
    assert "bite [bold]" in page
    assert all(character.isprintable() or character == "\n" for character in page)


def waiting(name: str, state: Any = None, seat: int = 0) -> LiveView:
    """A view of a match in which a person is asked for the first action."""
    config = match(name)
    if state is None:
        state = config.game.start(config.setup, 5, bots.entrants(config.bots))
        while state.requests()[0].ask == "getName":
            state.advance([config.bots[state.requests()[0].seat].name])
        seat = state.requests()[0].seat if name != "egghunt" else 0
    person = Person("Human")
    person.request = next(request for request in state.requests() if request.seat == seat)
    clocks = Session(config).clocks
    return LiveView(Director(config.game, state, clocks), Pace(), Look(), past=no_past, people={seat: person})


def test_an_arrow_that_is_no_choice_does_nothing() -> None:
    """In a match without people it makes single steps."""
    view = waiting("ava")
    turns, (person,) = view._turns, view._people.values()
    (other,) = set(ARROWS) - {key for keys, _ in turns.turn().choices for key in keys}
    assert turns.press(other)
    assert person.waits
