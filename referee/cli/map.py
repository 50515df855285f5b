"""`referee map`: shows, checks and generates maps."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated, Any

from cyclopts import Parameter

from referee import games
from referee.cli.again import command, game_words
from referee.cli.narrator import narrate_renamed
from referee.cli.options import GameName, Json, Output, Whole, print_json
from referee.contract.game import Game
from referee.errors import UsageError
from referee.files import mapfiles
from referee.files.claims import write_new
from referee.text.words import counted, harmless

MapName = Annotated[str, Parameter(help="A map's name, or a `.toml` file.")]


def show(
    name: Annotated[
        str | None, Parameter(help="A map's name, or a `.toml` file; by default, all maps are listed.")
    ] = None,
    /,
    *,
    game: GameName = None,
    json: Json = False,
) -> None:
    """Draw a map, or list all maps. `--json` has the starting cells of the seats."""
    rules = games.find(game)
    if name is None:
        _list(rules, json=json)
        return
    with mapfiles.about(name):
        facts = rules.maps.facts(mapfiles.read(rules, name))
    if json:
        print_json({
            "game": rules.name, "name": facts.name, "description": facts.description, "size": facts.size,
            "rounds": facts.rounds, "symmetry": facts.symmetry,
            "seats": [{"seat": seat, "start": list(cell)} for seat, cell in enumerate(facts.starts)],
            "counts": dict(facts.counts), "field": list(facts.rows),
        })  # fmt: skip
        return
    print(f"{facts.name}: {facts.description}")
    players, rounds = counted(len(facts.starts), "player"), counted(facts.rounds, "round")
    if not facts.size:  # the only start of a game without maps
        print(players)
        return
    print(f"{facts.size}x{facts.size}, {players}, {rounds}, symmetry {facts.symmetry}")
    print(", ".join(f"{count} {what}" for what, count in facts.counts.items()))
    print()
    for row in facts.rows:
        print("  " + " ".join(row))


def check(*maps: MapName, game: GameName = None) -> int:
    """Check that maps are fair and complete; by default, all maps that come with the referee.

    The exit code is 1 if a map has a defect.
    """
    rules = games.find(game)
    wrong = 0
    for name in maps or mapfiles.names(rules):
        try:
            document = mapfiles.read(rules, name)
            with mapfiles.about(name):
                faults = rules.maps.check(document)
            verdict, ok = f"{name}: {'; '.join(faults) or 'ok'}", not faults
        except UsageError as failed:  # the others are still checked
            verdict, ok = str(failed), False
        wrong += not ok
        print(harmless(verdict), file=sys.stdout if ok else sys.stderr)
    return 1 if wrong else 0


def new(
    *,
    size: Annotated[Whole, Parameter(help="The number of cells on a side.")] = 21,
    players: Annotated[Whole, Parameter(help="The number of players.")] = 4,
    symmetry: Annotated[
        str | None, Parameter(help="The symmetry; default: one that suits the number of players.")
    ] = None,
    seed: Annotated[
        Whole | None,
        Parameter(
            name=["--seed", "-s"],
            help="The seed that the map is drawn from; default: a new one, which the map's description names.",
        ),
    ] = None,
    game: GameName = None,
    name: Annotated[str | None, Parameter(help="The map's name.")] = None,
    output: Annotated[Output | None, Parameter(help="The file to write; default: stdout.")] = None,
) -> None:
    """Generate a fair map, if the game can: symmetric for all seats, with every cell in reach.

    SnakeCore can. The same seed gives the same map.
    """
    rules = games.find(game)
    seed = secrets.randbelow(2**31) if seed is None else seed
    name = name or (output.stem if output else f"map {seed}")
    text = rules.maps.generate(size=size, players=players, symmetry=symmetry, rng_seed=seed, name=name)
    if output is None:
        print(text, end="")
        return
    narrate_renamed(write_new(output, text))
    look = command("map", "show", str(output), *game_words(rules))
    print(f"{output} written with seed {seed}; look at it with: {look}", file=sys.stderr)


def _list(rules: Game[Any, Any], *, json: bool) -> None:
    every = {name: rules.maps.facts(mapfiles.read(rules, name)) for name in mapfiles.names(rules)}
    if json:
        print_json([{"name": n, "size": f.size, "players": len(f.starts)} for n, f in every.items()])
        return
    width = max(map(len, every), default=0)
    for name, facts in every.items():
        mark = " (default)" if name == rules.maps.default else ""
        size = f"  {facts.size}x{facts.size}" if facts.size else ""
        print(f"{name:<{width}}{size}  {counted(len(facts.starts), 'player')}  {facts.description}{mark}")
