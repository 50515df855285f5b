"""Programs in whole matches: the samples, the starter kits, and the examples in the games' README.md files."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from random import Random

import pytest
from tailbite.sights import asked

from referee import games
from referee.contract.game import Policy, State
from referee.files import assets
from referee.testing.assets import blocks

MATCHES = {"ava": 24, "viper": 40}
"""The number of matches that rank the samples. The seeds are fixed, so the results are too."""

every_game = pytest.mark.parametrize("game", ["ava", "viper"])


@cache
def samples(game: str) -> list[tuple[str, Path]]:
    """The sample programs of a game, the weakest first."""
    ranked = []
    for manifest in assets.folder("bots").glob("*/bot.toml"):
        bot = tomllib.loads(manifest.read_text())
        if game in bot.get("games", []) and "program" in bot:
            ranked.append((bot["strength"], bot["name"], manifest.parent / bot["program"]))
    return [(name, path) for _, name, path in sorted(ranked)]


def policies(game: str) -> list[Policy]:
    return [games.find(game).programs.compile(path.read_bytes(), str(path)) for _, path in samples(game)]


def play(game: str, players: list[Policy], seed: int) -> State:
    plugin = games.find(game)
    document = tomllib.loads((assets.folder("maps") / game / "classic.toml").read_text())
    state = plugin.start(plugin.maps.setup(document, seats=4, rng_seed=seed), seed)
    while due := state.requests():
        state.advance([
            players[request.seat].name if request.ask == "getName" else players[request.seat].decide(request)
            for request in due
        ])  # fmt: skip
    return state


@every_game
def test_samples_have_the_names_of_their_manifests(game):
    assert [policy.name for policy in policies(game)] == [name for name, _ in samples(game)]


@every_game
def test_all_samples_bite_a_tail_beside_the_head(game):
    seen = ("." * 13 * 6 + "......HZ....." + "......S......" + "." * 13 * 5).encode()
    assert {letter for policy in policies(game) for letter in policy.decide(asked(seen))} == {"R"}


@every_game
def test_samples_rank_by_their_declared_strength(game):
    """So few matches cannot separate the two best samples, so their order is not compared."""
    players = policies(game)
    ranks: dict[str, float] = dict.fromkeys((policy.name for policy in players), 0.0)
    for seed in range(MATCHES[game]):
        seated = sorted(players, key=lambda _: chance.random()) if (chance := Random(seed)) else players
        for line in play(game, seated, seed).current_result().ranking:
            ranks[line.name] += line.rank
    ranked, expected = sorted(ranks, key=lambda name: -ranks[name]), [policy.name for policy in players]
    assert (ranked[:-2], set(ranked[-2:])) == (expected[:-2], set(expected[-2:]))


@every_game
def test_the_starter_kit_plays(game):
    kit = assets.folder("sdk") / game / "starter" / game
    bot = tomllib.loads((kit / "bot.toml").read_text().replace("@NAME@", "Mine"))
    assert bot["games"] == [game]
    source = (kit / bot["program"]).read_bytes().replace(b"@NAME@", b"Mine")
    mine = games.find(game).programs.compile(source, "x")
    assert mine.name == bot["name"] == "Mine"
    weakest = policies(game)[0]
    won = [play(game, [mine, weakest, weakest, weakest], seed).current_result().ranking for seed in range(8)]
    means = [sum(line.rank for ranking in won for line in ranking if line.seat == seat) for seat in range(4)]
    assert means[0] == min(means)
    assert "@NAME@" in (kit / "README.md").read_text()


@every_game
def test_the_examples_in_the_readme_are_true(game):
    ((_, source),) = blocks(game, game)
    policy = games.find(game).programs.compile(source.encode(), "README.md")
    shown = blocks(game, "window")
    assert len(shown) >= 2
    for answer, rows in shown:
        assert policy.decide(asked(rows.replace("\n", "").encode())) == answer
