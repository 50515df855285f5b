"""Reading saved games: each line is parsed and checked."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.figures import spread
from benchmarks.records import saved, unpacked_beside
from benchmarks.report import Cell, Findings, Table
from benchmarks.setting import Setting
from benchmarks.subject import Subject
from benchmarks.work import standard
from referee import games
from referee.record import load


def loaded(path: Path) -> float:
    """Read a saved game: seconds."""
    began = perf_counter()
    load(path)
    return perf_counter() - began


def measure(setting: Setting) -> Findings:
    """A saved game of each game, plain and compressed, in turn."""
    folder = setting.room("saved")
    paths: dict[str, Path] = {}
    for game in games.every():
        packed = saved(standard(setting, game, setting.pick(1_200, 60)), folder)
        paths[f"{game.title} packed"], paths[f"{game.title} plain"] = packed, unpacked_beside(packed)
    taken = setting.rounds(10, {name: partial(loaded, path) for name, path in paths.items()})
    rows: list[list[Cell]] = []
    for game in games.every():
        size, size_packed = (paths[f"{game.title} {form}"].stat().st_size for form in ("plain", "packed"))
        seconds, of_packed = (taken[f"{game.title} {form}"] for form in ("plain", "packed"))
        millis, packed_millis = (spread([second * 1e3 for second in some]) for some in (seconds, of_packed))
        speed = spread([size / second / 1e6 for second in seconds])
        rows.append([game.title, size / 1e3, size_packed / 1e3, millis, speed, packed_millis])
    head = ("game", "plain, kB", "compressed, kB", "plain, ms", "plain, MB/s", "compressed, ms")
    return Findings([Table(head, rows)])


SUBJECT = Subject(
    "record",
    "Reading saved games",
    "A saved game is read completely: decompressed, parsed, and every line checked by itself and in its context.",
    measure,
)
