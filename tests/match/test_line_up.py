"""From a user's words to a match: the map, the seats, the limits, and bots that forfeit."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee import bots, games
from referee.bots import names_a_bot, names_a_person
from referee.building.ready import BuildResult
from referee.contract.game import Fault, FaultKind
from referee.errors import BotError, UsageError
from referee.match.config import MatchConfig
from referee.match.line_up import Options, Start, build_bots, make_config, with_forfeits, without
from referee.sandbox.limits import MIB, Level

START = Start(seed=7)
USUAL = Options()


def line_up(game: str, *words: str, start: Start = START, options: Options = USUAL) -> Any:
    """The match of these words, and the lines that the user gets."""
    lines: list[str] = []
    return make_config(games.find(game), start, words, options, lines.append), lines


@pytest.fixture
def broken(tmp_path: Path) -> str:
    """A bot whose program is not there."""
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "Broken"\nrun = ["./nowhere"]\n', encoding="utf-8")
    return str(folder)


def test_a_seat_has_the_word_and_the_bot_and_equal_names_get_numbers() -> None:
    config, lines = line_up("snakecore", "oracle", "Ann=hunter", "oracle")
    seats = [(seat.word, seat.bot.name, seat.bot.given) for seat in config.seats]
    assert seats == [("oracle", "Oracle", False), ("Ann=hunter", "Ann", True), ("oracle", "Oracle#2", False)]
    assert (config.map, lines) == (games.find("snakecore").maps.default, [])


def test_a_bot_of_another_game_gets_no_seat() -> None:
    with pytest.raises(BotError, match=r"Oracle plays snakecore .* by its bot.toml, and this is ants: "):
        line_up("ants", "oracle", "oracle")


@pytest.mark.parametrize("place", [None, "citadel"])  # which has eight places
def test_without_words_four_sample_bots_play(place: str | None) -> None:
    config, _ = line_up("snakecore", start=Start(seed=7, map=place))
    assert [seat.word for seat in config.seats] == bots.samples("snakecore", own_runtime=True)[:4]


def test_the_house_takes_the_seats_that_are_left_and_has_no_words() -> None:
    word = bots.samples("egghunt", own_runtime=True)[0]
    config, _ = line_up("egghunt", word)
    assert len(config.seats) > 1
    house = [("", True)] * (len(config.seats) - 1)
    assert [(seat.word, seat.bot.house) for seat in config.seats] == [(word, False), *house]
    with pytest.raises(UsageError, match="the house is not ranked: name at least one bot"):
        line_up("egghunt", "house")


def test_a_map_with_too_few_places_is_replaced_and_the_user_is_told() -> None:
    usual = games.find("snakecore").maps.default
    config, lines = line_up("snakecore", *["oracle"] * 8)
    assert config.map != usual
    assert lines == [f"playing on {config.map}, because {usual} has too few starting places; --map chooses another map"]


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ({}, (15.0, 1.0, 120.0, "wall")),
        ({"answer": 0.5, "total": "none", "clock": "cpu"}, (15.0, 0.5, None, "cpu")),
        ({"no_timeouts": True}, (600.0, 600.0, None, "wall")),
    ],
)
def test_limits_are_those_of_the_game_unless_the_user_says_otherwise(options: Any, limits: Any) -> None:
    time = line_up("snakecore", options=Options(**options))[0].time
    assert (time.first, time.answer, time.total, time.kind) == limits


def test_people_are_welcome_only_where_the_caller_says_so() -> None:
    with pytest.raises(UsageError, match="`human` is a person at the keyboard"):
        line_up("snakecore", "human", "oracle")
    config, _ = line_up("snakecore", "human", "oracle", options=Options(people=True))
    assert (config.people, config.pondering, config.limited) == ([0], False, False)
    config, _ = line_up("snakecore", "human", "oracle", options=Options(people=True, pondering=True, answer=3.0))
    assert (config.pondering, config.limited) == (True, True)


@pytest.mark.parametrize(
    ("start", "options", "message"),
    [
        ({"setup": {}, "map": "duel"}, {}, "setup has its own map, rounds and places"),
        ({"rounds": 0}, {}, "rounds must be at least 1"),
        ({}, {"no_timeouts": True, "first": 1.0}, "no timeouts and a time limit contradict each other"),
        ({}, {"answer": 0.0}, "the answer time limit must be above 0 s"),
        ({}, {"answer": "1s"}, "first, answer and total must be numbers of seconds"),
        ({}, {"memory": 64 * MIB, "isolation": Level.NONE}, "memory needs a sandbox"),
    ],
)
def test_contradictions_are_refused(start: Any, options: Any, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}"):
        line_up("snakecore", "oracle", "hunter", start=Start(seed=7, **start), options=Options(**options))


async def test_a_bot_that_cannot_play_is_refused_or_forfeits(broken: str) -> None:
    with pytest.raises(BotError) as refused:
        line_up("snakecore", "oracle", broken)
    assert refused.value.seat == 1
    forfeits = Options(forfeit=True)
    config, lines = line_up("snakecore", "oracle", broken, options=forfeits)
    fault = config.seats[1].bot.fault
    assert fault.kind is FaultKind.EXIT
    assert fault.detail.startswith("did not start: ")
    assert lines == [f"broken forfeits: {refused.value}"]
    assert await build_bots(config, lines.append) is config
    with pytest.raises(BotError):
        line_up("snakecore", broken, broken, options=forfeits)


async def test_a_built_bot_keeps_its_sources_and_one_that_cannot_be_built_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.toml").write_text('name = "Kaa"\nbuild = [["true"]]\nrun = ["./kaa"]\n', encoding="utf-8")
    config, lines = line_up("snakecore", str(tmp_path), str(tmp_path), options=Options(forfeit=True))
    built = replace(config.bots[0], unbuilt=None)

    async def build_each(*_: Any, **__: Any) -> list[BuildResult | BotError]:
        return [BuildResult(built, "built"), BotError("no compiler")]

    monkeypatch.setattr("referee.building.build_each", build_each)
    first, second = (await build_bots(config, lines.append)).seats
    assert (first.bot, first.source, first.word) == (built, config.bots[0], str(tmp_path))
    assert (second.bot.fault, second.source) == (Fault(FaultKind.EXIT, "did not start: no compiler"), config.bots[1])
    assert lines == ["Kaa#2 forfeits: no compiler"]


def test_a_word_that_leads_nowhere_is_a_slip_and_does_not_forfeit() -> None:
    with pytest.raises(BotError) as refused:
        line_up("snakecore", "oracle", "orcale", options=Options(forfeit=True))
    assert refused.value.seat == 1


def test_a_match_starts_again_without_a_bot_that_cannot_be_started() -> None:
    def play(config: MatchConfig) -> None:
        played.append([seat.bot.fault is not None for seat in config.seats])
        if not any(played[-1]):
            wrong = BotError("bot Hunter cannot be started")
            wrong.seat = 1
            raise wrong

    played: list[list[bool]] = []
    config, lines = line_up("snakecore", "oracle", "hunter", options=Options(forfeit=True))
    with_forfeits(config, play, lines.append)
    assert played == [[False, False], [False, True]]
    assert lines == ["Hunter forfeits: bot Hunter cannot be started"]
    config, _ = line_up("snakecore", "oracle", "hunter")
    with pytest.raises(BotError):
        with_forfeits(config, play, lines.append)


def test_a_bot_that_forfeits_loses_the_match_and_not_turn_after_turn() -> None:
    config, _ = line_up("egghunt", "naive", "bunny", options=Options(forfeit=True))
    assert config.seats[0].bot.lifetime == "turn"
    assert without(config, 0, BotError("no program"), print).seats[0].bot.lifetime == "game"


@pytest.mark.parametrize("word", ["human", "Ann=human"])
def test_the_word_for_a_person(word: str) -> None:
    assert names_a_person(word)
    assert not names_a_person(f"./{word}")
    assert not names_a_person("humans")


@pytest.mark.parametrize("word", ["b" * 300, f"Ann={'b' * 300}", "b/" * 3000])
def test_a_word_that_is_too_long_for_a_file_names_nobody(word: str) -> None:
    assert not names_a_bot(word)
    assert not names_a_person(word)
