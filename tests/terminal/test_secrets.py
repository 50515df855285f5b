"""What people who play a game of hidden information see of it: their own secrets until the end, then everything."""

import re
from collections.abc import Iterable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import installing
import pytest
from cli.conftest import forget
from terminal.scripted import Pages, no_past
from terminal.test_human import Fingers, Goes, play

from referee import bots, games
from referee.bots import Bot
from referee.contract.clock import Clock
from referee.match.config import MatchConfig, Seat
from referee.moments.scene import Director
from referee.players.human import Person
from referee.terminal.live import LiveView
from referee.terminal.pace import Pace
from referee.terminal.palette import Look

AUCTION = Path(__file__).parents[1] / "plugins" / "auction"


@pytest.fixture
def auction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The game, installed."""
    installing.install(tmp_path / "site", AUCTION)
    monkeypatch.syspath_prepend(tmp_path / "site")
    forget()
    yield games.find("auction")
    forget()


def values(lines: Iterable[str]) -> list[str]:
    """The value of each seat on a page."""
    rows = [line.split() for line in lines if re.search(r"\bSeat [A-C] +#", line)]
    return [words[words.index("Seat") + 5] for words in rows]


def position(*worth: int) -> dict[str, Any]:
    return {"players": [{"value": value} for value in worth], "rounds": 2}


async def test_a_person_sees_the_values_of_others_when_the_match_is_over(auction, autojump_clock):
    rivals = [Bot(name, (), Path(), policy=Goes(3, name), lifetime="game") for name in ("Seat B", "Seat C")]
    seats = list(map(Seat, [bots.a_person(auction, "Seat A"), *rivals]))
    config = MatchConfig(game=auction, setup=position(11, 13, 17), seed=5, seats=seats, time=auction.time)
    pages = Pages()
    await play(config, Fingers(cycle("v")), pages)
    before = [values(page) for page in pages.pages if " over: " not in page[0]]
    after = [values(page) for page in pages.pages if " over: " in page[0]]
    assert before[0] == ["11", "?", "?"]
    assert all(mine.isdecimal() and others == ["?", "?"] for mine, *others in before)
    assert after
    assert all("".join(shown).isdecimal() for shown in after)
    assert any("bid 5, half" in line for page in pages.pages for line in page)


def test_of_several_people_the_one_who_answers_sees_own_values(auction: Any) -> None:
    state = auction.start(position(11, 13, 17), 5)
    state.advance(["Seat A", "Seat B", "Seat C"])
    people = {seat: Person(f"Seat {'ABC'[seat]}") for seat in (0, 2)}
    director = Director(auction, state, [Clock(auction.time)] * 3)
    view = LiveView(director, Pace(), Look(), past=no_past, people=people)

    def seen(view: LiveView) -> list[str]:
        return values(line.plain for line in view.page(80, 24))

    assert seen(view) == ["11", "?", "?"]
    for seat, person in people.items():
        person.request = state.requests()[seat]
    assert seen(view) == ["11", "?", "?"]
    view.press("v")
    assert seen(view) == ["?", "?", "17"]
    view.press("v")
    assert seen(view) == ["?", "?", "17"]
    assert seen(LiveView(director, Pace(), Look(), past=no_past)) == ["11", "13", "17"]  # for spectators
