"""Rates the sample bots of each game and the seats of its maps in tournaments, and writes bots/RATINGS.md.

1. The maps of a game with the same number of places are one tournament, a round-robin of all its sample bots. If there are
   fewer bots than places, the matches have as many seats as there are bots.
2. The random seed is fixed and the limits of time are wide, so the sample bots, which are deterministic, always play the same
   matches: a second run gives the same page.
3. Each series is one match, its seats drawn by lot (`seatings = "one"`): so a map gets as many groups as possible in the time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, Final

from referee import bots, games
from referee.files import mapfiles
from referee.tournament.tournament import Tournament

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "bots" / "RATINGS.md"
SERIES: Final = {"ava": 60, "viper": 60}
USUAL: Final = 10
"""The least number of series on each map; more where a match takes a moment. From 10 on, the seats have intervals."""
OMITTED: Final = {"egghunt": ("easter",)}
"""Maps that take too long: `easter` is ten times `single`."""
HEAD: Final = """# How strong the sample bots are

100 points of rating more mean a score of 64 % against that rival. After `±` is half the width of the 95 % interval.
The seats say which part of the possible score each seat of a map took: in a fair map, all are within their intervals of 50 %.
[Tournaments](../referee/tournament/README.md) defines the figures. `scripts/ratings` writes this page.
"""


@dataclass(frozen=True)
class Cup:
    """One tournament: a game, the seats of a match, and the maps."""

    game: str
    seats: int
    maps: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"{self.game}-{self.seats}"

    def settings(self) -> str:
        """Its `tournament.toml`. JSON's strings and lists are TOML's."""
        field = bots.samples(self.game)
        meetings = ceil(SERIES.get(self.game, USUAL) * self.seats / len(field))
        return f"""name = "{self.key}"
game = "{self.game}"
bots = {json.dumps(field)}
[format]
kind = "round-robin"
each = {meetings * len(self.maps)}
[match]
seats = {self.seats}
maps = {json.dumps(self.maps)}
seatings = "one"
first = "5m"
answer = "5m"
total = "60m"
pondering = false
isolation = "none"
[run]
rng_seed = 1
jobs = {len(os.sched_getaffinity(0))}
keep = "none"
"""


def cups() -> Iterator[Cup]:
    """All tournaments."""
    for game in games.every():
        field = len(bots.samples(game.name))
        maps_by_seats: dict[int, list[str]] = {}
        for name in mapfiles.names(game):
            if name not in OMITTED.get(game.name, ()):
                places = len(game.maps.facts(mapfiles.read(game, name)).starts)
                maps_by_seats.setdefault(min(places, field), []).append(name)
        yield from (Cup(game.name, seats, tuple(maps)) for seats, maps in sorted(maps_by_seats.items()))


def played(cup: Cup) -> dict[str, Any]:
    """Play it, and return what `referee tournament table --json` prints.

    Raises:
        CalledProcessError: the referee failed, or a bot could not be built.
    """
    with tempfile.TemporaryDirectory(prefix="ratings-") as folder:
        Path(folder, "tournament.toml").write_text(cup.settings(), encoding="utf-8")
        command = [sys.executable, "-m", "referee", "tournament", "run", folder, "--strict", "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with Tournament(Path(folder)) as tournament:
            return tournament.table()


def section(cup: Cup, document: Mapping[str, Any]) -> str:
    """The part of the page about a tournament."""
    lines = [
        f"## {cup.game}, {cup.seats} seats",
        "",
        f"{document['series']} series; `scripts/ratings --only {cup.key}`",
        "",
        "| bot | matches | score, % | rating |",
        "|---|---|---|---|",
    ]
    for row in document["table"]:
        rating = "–" if row["rating"] is None else f"{row['rating']:z.0f}"
        interval = "" if row["rating_low"] is None else f" ± {(row['rating_high'] - row['rating_low']) / 2:.0f}"
        lines.append(f"| {row['name']} | {row['matches']} | {row['percent']:.1f} | {rating}{interval} |")
    seats = range(cup.seats)
    lines += [
        "",
        "| map | series | " + " | ".join(f"seat {seat + 1}, %" for seat in seats) + " |",
        "|---" * (2 + len(seats)) + "|",
    ]
    for name in cup.maps:
        rows = [row for row in document["seat_bias"] if row["map"] == name]
        lines.append(f"| {name} | {rows[0]['series']} | " + " | ".join(map(share, rows)) + " |")
    return "\n".join([*lines, ""])


def share(row: Mapping[str, Any]) -> str:
    """What a seat took, in percent, with its interval if there is one."""
    half = "" if row["low"] is None else f" ± {50 * (row['high'] - row['low']):.0f}"
    return f"{100 * row['mean']:.0f}{half}"


def main() -> None:
    every = {cup.key: cup for cup in cups()}
    options = argparse.ArgumentParser(
        prog="scripts/ratings", description="Rates the sample bots; writes bots/RATINGS.md."
    )
    options.add_argument("--only", choices=every, help="play this tournament only, and print its part of the page")
    only = options.parse_args().only
    if only:
        print(section(every[only], played(every[only])), end="")
        return
    parts = []
    for number, cup in enumerate(every.values(), 1):
        print(f"{cup.key} ({number} of {len(every)}) …", file=sys.stderr)
        parts.append(section(cup, played(cup)))
    PAGE.write_text("\n".join([HEAD, *parts]), encoding="utf-8")


if __name__ == "__main__":
    main()
