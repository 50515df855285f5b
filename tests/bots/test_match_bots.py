"""Line-ups of bots for a game: lifetimes, programs in the game's own language, and the house."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from referee import bots, games
from referee.bots import Bot, enter, entrants
from referee.bots.match_bots import names_the_house
from referee.contract.game import Entrant, Game, Request
from referee.errors import BotError, UsageError

SNAKECORE = games.find("snakecore")
TURNS = replace(SNAKECORE, name="hunt", lifetimes=("turn", "game"))


@dataclass(frozen=True)
class Sitter:
    name: str

    def decide(self, request: Request[object]) -> str:
        return "N"


def game_with_house(*names: str) -> Game:
    return replace(TURNS, house=lambda seat, rng_seed: Sitter(f"{names[seat % len(names)]}{rng_seed}"))


def bot(name: str, **more: object) -> Bot:
    return Bot(name, ["/bin/true"], Path("/"), **more)


def test_bots_without_games_or_with_this_game_are_accepted():
    for plays in ([], ["snakecore"], ["chess", "snakecore"]):
        assert enter(bot("Kaa", games=plays), SNAKECORE).name == "Kaa"


@pytest.mark.parametrize(
    ("plays", "names"),
    [
        (["chess", "go"], "chess, go by"),  # unknown games have no option
        (["viper"], "viper (--game=viper) by"),
        (["ava", "chess", "viper"], "ava, chess, viper (--game=ava or --game=viper) by"),
    ],
)
def test_bots_for_other_games_are_refused_with_the_options_for_those_games(plays, names):
    with pytest.raises(BotError) as refused:
        enter(bot("Kaa", games=plays), SNAKECORE)
    assert str(refused.value) == (
        f'bot Kaa plays {names} its bot.toml, and this is snakecore: name a bot that plays it, or add "snakecore" to games there'
    )


@pytest.mark.parametrize(
    ("game", "lifetime", "plays"),
    [(SNAKECORE, None, "game"), (SNAKECORE, "game", "game"), (TURNS, None, "turn"), (TURNS, "game", "game")],
)
def test_the_default_lifetime_is_that_of_the_game(game, lifetime, plays):
    assert enter(bot("Kaa", lifetime=lifetime), game).lifetime == plays


@pytest.mark.parametrize(
    ("game", "lifetime", "message"),
    [
        (SNAKECORE, "turn", 'says lifetime = "turn", but snakecore has only "game": remove that line'),
        (replace(TURNS, lifetimes=("turn",)), "game", 'says lifetime = "game", but hunt has only "turn": remove'),
    ],
)
def test_a_lifetime_that_the_game_does_not_allow_is_refused(game, lifetime, message):
    with pytest.raises(BotError, match=message):
        enter(bot("Kaa", lifetime=lifetime), game)


def test_a_program_for_another_game_is_refused():
    program = bot("Needle", games=["chess"], policy=Sitter("Needle"))
    with pytest.raises(
        BotError, match="bot Needle is a program for chess, and this is snakecore: name a bot that plays it"
    ):
        enter(program, SNAKECORE)


def test_the_house_fills_the_seats_after_the_bots():
    contenders = bots.with_house([bot("Rabbit7"), bot("Kaa", lifetime="game")], game_with_house("Rabbit", "Hare"), 6, 7)
    house = [(name, True, "turn") for name in ("Rabbit7#2", "Hare7", "Rabbit7#3", "Hare7#2")]
    assert [(b.name, b.house, b.lifetime) for b in contenders] == [
        ("Rabbit7", False, None),
        ("Kaa", False, "game"),
        *house,
    ]
    assert [b.policy for b in contenders[2:4]] == [Sitter("Rabbit7"), Sitter("Hare7")]
    assert entrants(contenders[1:3]) == [Entrant("Kaa", "game", False), Entrant("Rabbit7#2", "turn", True)]


def test_a_game_without_a_house_fills_no_seats():
    assert bots.with_house([bot("Kaa")], SNAKECORE, 4, 7) == [bot("Kaa")]


def test_players_of_the_house_have_the_lifetime_of_the_game():
    game = replace(game_with_house("Rabbit"), lifetimes=("game",))
    assert [contender.lifetime for contender in bots.with_house([], game, 1, 7)] == ["game"]
    with pytest.raises(BotError, match="snakecore has no players of the house: name a bot for each seat"):
        bots.of_the_house(SNAKECORE, 0, 7)


def test_the_user_may_seat_the_house_and_name_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = game_with_house("Rabbit", "Hare")
    words = ["house", "Max=house", "=house", "house2", "Max=houses", "./house"]
    assert [names_the_house(word, game) for word in words] == [True, True, *[False] * 4]
    assert not names_the_house("house", SNAKECORE)
    assert bots.bot_of_word("Max=house", game, 1, 7).name == "Max"
    contender = bots.of_the_house(game, 1, 7, "Max")
    assert (contender.name, contender.house, contender.given, contender.policy) == ("Max", True, True, Sitter("Hare7"))
    assert entrants([contender]) == [Entrant("Max", "turn", True, True)]
    assert not bots.of_the_house(game, 1, 7).given
    (tmp_path / "house").mkdir()  # a bot of the user with the same name
    assert not any(names_the_house(word, game) for word in words)


def test_names_that_the_user_gave_are_marked_as_given():
    assert [(b.name, b.given) for b in bots.find_all(["oracle", "oracle", "Zoe=oracle", "Zoe=oracle"])] == [
        ("Oracle", False), ("Oracle#2", False), ("Zoe", True), ("Zoe#2", True),
    ]  # fmt: skip
    assert [entrant.given for entrant in entrants([bots.find("oracle"), bots.find("Zoe=oracle")])] == [False, True]
    distinct = bots.with_distinct_names([bot("a"), bot("a#2"), bot("a"), bot("a")])
    assert [b.name for b in distinct] == ["a", "a#2", "a#3", "a#4"]


@pytest.mark.parametrize("game", games.every(), ids=lambda game: game.name)
def test_a_game_without_controls_refuses_people(game):
    if game.controls is None:
        with pytest.raises(UsageError, match="cannot be played by a person"):
            bots.a_person(game)
    else:
        people = [bots.a_person(game), bots.a_person(game, "Ann\x1b")]
        assert [(person.name, person.given) for person in people] == [("Human", False), ("Ann\ufffd", True)]
