"""The SDKs are found while bots are built and while they play, without being copied anywhere."""

import re

import pytest
import trio
from languages.present import needs
from seating import contenders

from referee import bots, building
from referee.contract.clock import Clock, TimeControl
from referee.files import assets
from referee.games.snakecore.plugin import GAME
from referee.match import loop
from referee.players.table import seat_players
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox

SDK = assets.folder("sdk")
SOURCES = {
    "javascript": ("kaa.js", 'require("snake").run("Kaa", () => "N");\n'),
    "python": ("kaa.py", 'from snake import run\nrun("Kaa", lambda area: "N")\n'),
}


async def names_of(bots_, level):
    state = GAME.start({"size": 3, "rounds": 2, "field": ["..."] * 3, "pythons": [{"cells": [[0, 0]]}]}, 7)
    clocks = [Clock(TimeControl(first=45.0, answer=45.0, total=None))]
    with open_sandbox(level) as sandbox:
        async with seat_players(sandbox, GAME, contenders(bots_)) as players:
            outcome = await loop.play(state, players, clocks)
    return [(ranked.name, ranked.disqualified) for ranked in outcome.ranking]


@pytest.mark.parametrize(
    ("name", "level"),
    [
        pytest.param(name, level, marks=needs(name))
        for name, level in [("javascript", level) for level in Level] + [("python", Level.FULL), ("python", Level.NONE)]
    ],
)
async def test_a_single_source_finds_its_sdk_while_it_plays(tmp_path, name, level):
    file, source = SOURCES[name]
    (tmp_path / file).write_text(source)
    assert await names_of([bots.find(str(tmp_path / file))], level) == [("Kaa", None)]


@needs("pascal")
async def test_a_crash_in_pascal_names_its_line(tmp_path):
    (tmp_path / "kaa.pas").write_text("program kaa;\nvar p: ^integer;\nbegin\n  p := nil;\n  p^ := 1;\nend.\n")
    (bot,) = await building.ready([bots.find(str(tmp_path / "kaa.pas"))], level=Level.FULL, cache=tmp_path / "builds")
    ran = await trio.run_process(bot.argv, cwd=bot.cwd, capture_stdout=True, capture_stderr=True, check=False)
    assert re.search(rb"line [45] of kaa\.pas", ran.stdout + ran.stderr)
