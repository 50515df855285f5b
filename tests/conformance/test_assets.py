"""The assets of each game: maps, trials, sample bots, and the entry in the list of games."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conformance.playing import MOST_STEPS, played, vocabulary

from referee import bots
from referee.bots.manifest import MANIFEST, manifest_of
from referee.cli.games import games as listed
from referee.contract.game import Game
from referee.contract.positions import Maps
from referee.errors import SetupError
from referee.files import assets
from referee.saved.record import digest

SAMPLES = 4
"""The minimum number of sample bots that need no compiler. They form the default line-up."""


def maps(game: Game[Any, Any]) -> dict[str, dict[str, Any]]:
    """The documents of a game's maps."""
    found = sorted((assets.folder("maps") / game.name).glob("*.toml"))
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in found}


# -- Maps ----------------------------------------------------------------------------------------------------------


def test_every_map_has_a_description_and_no_warnings(game: Game[Any, Any]) -> None:
    assert game.maps.default in maps(game)
    for document in maps(game).values():
        facts = game.maps.facts(document)
        assert facts.name
        assert facts.description
        assert facts.rows
        assert facts.rounds >= 1
        assert not game.maps.check(document)


def test_a_map_makes_a_full_position_for_every_number_of_players(game: Game[Any, Any]) -> None:
    """The setup has all keys with no draws left, and only games with house players add seats."""
    for document in maps(game).values():
        places = len(game.maps.facts(document).starts)
        for seats in [seats for seats in game.seats if seats <= places][:8]:
            setup = game.maps.setup(document, seats=seats, rng_seed=3)
            state = game.start(setup, 3)
            assert digest(state.position()) == digest(setup)
            assert state.seats == seats or (state.seats > seats and game.house is not None)
            assert game.steps(setup) >= 0


def test_the_same_seed_makes_the_same_position(game: Game[Any, Any]) -> None:
    document = maps(game)[game.maps.default]
    seats = min(len(game.maps.facts(document).starts), 4)
    once, again = (game.maps.setup(document, seats=seats, rng_seed=5) for _ in range(2))
    assert once == again


def test_no_more_rounds_are_played_than_are_set(game: Game[Any, Any]) -> None:
    document = maps(game)[game.maps.default]
    seats = min(len(game.maps.facts(document).starts), 4)
    state = game.start(game.maps.setup(document, seats=seats, rng_seed=5, rounds=3), 5)
    rounds, chance = set(), random.Random(1)
    for _ in range(1_000):
        if not state.requests():
            break
        rounds.add(state.round)
        played(game, state, chance, 1)
    assert rounds <= {0, 1, 2, 3}
    assert state.requests() == () or state.round <= 3


@pytest.mark.parametrize("document", [{}, {"name": 3}, {"name": "x", "strange": 1}])
def test_an_invalid_map_is_refused_by_facts_check_and_setup(game: Game[Any, Any], document: dict[str, Any]) -> None:
    for of in (
        game.maps.facts,
        game.maps.check,
        lambda document: game.maps.setup(document, seats=game.seats.start, rng_seed=1),
    ):
        with pytest.raises(SetupError) as refused:
            of(document)
        assert "\n" not in str(refused.value)


def test_a_generated_map_is_fair_and_the_same_for_the_same_seed(game: Game[Any, Any]) -> None:
    if type(game.maps).generate is Maps.generate:
        pytest.skip("this game's maps are written by hand")
    players = min(4, game.seats.stop - 1)
    once, again = (
        game.maps.generate(size=21, players=players, symmetry=None, rng_seed=9, name="Mine") for _ in range(2)
    )
    assert once == again
    document = tomllib.loads(once)
    assert game.maps.facts(document).name == "Mine"
    assert not game.maps.check(document)
    game.start(game.maps.setup(document, seats=players, rng_seed=1), 1)


# -- Trials --------------------------------------------------------------------------------------------------------


def test_every_trial_asks_seat_0_and_its_bystanders_have_answers(game: Game[Any, Any]) -> None:
    if not (trials := game.trials()):
        pytest.skip("this game has no trials, so bots are tested in matches only")
    assert len({trial.title for trial in trials}) == len(trials) >= 8
    words, chance = vocabulary(game.name), random.Random(1)
    for trial in trials:
        said = {ask: game.decode(ask, text.split(b"\n")) for ask, text in trial.bystanders.items()}
        state = game.start(trial.setup, 1)
        asked = 0
        for _ in range(MOST_STEPS):
            if not (due := state.requests()):
                break
            asked += due[0].ask != "getName" and any(request.seat == 0 for request in due)
            state.advance([chance.choice(words[r.ask]) if r.seat == 0 else said[r.ask] for r in due])
        assert asked


# -- Bots ----------------------------------------------------------------------------------------------------------


def test_there_are_sample_bots_of_different_strength_that_need_no_compiler(game: Game[Any, Any]) -> None:
    names = bots.samples(game.name, own_runtime=True)
    assert len(names) >= SAMPLES
    strengths = [manifest_of(assets.folder("bots") / name / MANIFEST).strength for name in names]
    assert len(set(strengths)) >= SAMPLES
    for bot in bots.find_all(names):
        assert game.name in bot.games
        assert bot.lifetime in (None, *game.lifetimes)


def test_every_sample_bot_has_a_paragraph(game: Game[Any, Any]) -> None:
    for name in bots.samples(game.name):
        text = (assets.folder("bots") / name / "README.md").read_text(encoding="utf-8")
        assert has_text_below_its_heading(text)


def has_text_below_its_heading(text: str) -> bool:
    """A heading, and something below it."""
    first, _, rest = text.partition("\n")
    return first.startswith("# ") and bool(rest.strip())


def test_each_game_is_in_the_list_of_games(game: Game[Any, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert listed() == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.split()[0] == game.name]
    assert line.endswith(f"{game.title}: {game.summary}")
    assert Path(assets.folder("maps") / game.name).is_dir()
