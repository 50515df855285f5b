"""Bots that sit down at a game: lifetimes, programs in a game's own language, and the house."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from referee import games
from referee.bots import Bot, entered, entrants, filled
from referee.errors import BotError
from referee.game import Entrant, Game, Request

SNAKECORE = games.find("snakecore")
TURNS = replace(SNAKECORE, name="hunt", lifetimes=("turn", "game"))


@dataclass(frozen=True)
class Sitter:
    name: str

    def decide(self, request: Request[object]) -> str:
        return "N"


def with_house(*names: str) -> Game:
    return replace(SNAKECORE, house=lambda seat, rng_seed: Sitter(f"{names[seat % len(names)]}{rng_seed}"))


def bot(name: str, **more: object) -> Bot:
    return Bot(name, ["/bin/true"], Path("/"), **more)


def test_who_does_not_say_that_it_plays_a_game_is_told():
    bots = [bot("Kaa", games=["chess", "go"]), bot("Plain"), bot("Own", games=["snakecore"])]
    found, notes = entered(bots, SNAKECORE)
    assert notes == ["bot Kaa plays chess, go, by its manifest; this is snakecore"]
    assert [b.name for b in found] == ["Kaa", "Plain", "Own"]


@pytest.mark.parametrize(
    ("game", "said", "plays"),
    [(SNAKECORE, None, "game"), (SNAKECORE, "game", "game"), (TURNS, None, "turn"), (TURNS, "game", "game")],
)
def test_who_does_not_say_how_long_it_lives_lives_as_is_usual_in_the_game(game, said, plays):
    (found,), _ = entered([bot("Kaa", lifetime=said)], game)
    assert found.lifetime == plays


@pytest.mark.parametrize(
    ("game", "lifetime", "message"),
    [
        (SNAKECORE, "turn", 'says lifetime = "turn", a process for each turn, and snakecore wants one that plays the whole'),
        (replace(TURNS, lifetimes=("turn",)), "game", 'says lifetime = "game", one process for the whole match, and hunt wants'),
    ],
)  # fmt: skip
def test_a_lifetime_that_the_game_does_not_allow_is_refused(game, lifetime, message):
    with pytest.raises(BotError, match=message):
        entered([bot("Plain"), bot("Kaa", lifetime=lifetime)], game)


def test_a_program_for_another_game_is_refused():
    program = bot("Needle", games=["chess"], policy=Sitter("Needle"))
    with pytest.raises(
        BotError, match="bot Needle is a program for chess, and this is snakecore: name a bot that plays it"
    ):
        entered([program], SNAKECORE)


def test_the_house_fills_up_the_seats_behind_the_bots():
    found = filled([bot("Rabbit7"), bot("Kaa", lifetime="game")], with_house("Rabbit", "Hare"), 6, 7)
    assert [(b.name, b.house, b.lifetime) for b in found] == [
        ("Rabbit7", False, None),
        ("Kaa", False, "game"),
        ("Rabbit7#2", True, "turn"),
        ("Hare7", True, "turn"),
        ("Rabbit7#3", True, "turn"),
        ("Hare7#2", True, "turn"),
    ]
    assert [b.policy for b in found[2:4]] == [Sitter("Rabbit7"), Sitter("Hare7")]
    assert entrants(found[1:3]) == [Entrant("Kaa", "game", False), Entrant("Rabbit7#2", "turn", True)]


def test_a_game_without_a_house_fills_up_nothing():
    assert filled([bot("Kaa")], SNAKECORE, 4, 7) == [bot("Kaa")]
