"""The examples in each game's README.md. Marks on its fenced blocks say what they contain:

request ASK    the request that the referee sends in the README's first `position`
answers ASK    valid answers, each with the number of lines that the game needs for ASK
refused ASK    invalid answers
position       a setup to start from, as JSON
map            a map file without faults
record         a saved game that verifies; a line that begins with a blank continues the line before
"""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from conformance.playing import vocabulary

from referee import games
from referee.contract.game import Game
from referee.errors import InvalidReply
from referee.saved.record import load
from referee.saved.replay import verify

CHAPTERS = ("Talking to the referee", "Positions", "Saved games")
"""The chapters that every game's README.md has. A game with its own language also has `Programs`."""


@cache
def text_of(name: str) -> str:
    return (files(games) / name / "README.md").read_text(encoding="utf-8")


@cache
def blocks(name: str) -> list[tuple[str, str, str]]:
    """The marked blocks of a game's README: kind, request and text of each."""
    return re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", text_of(name), re.DOTALL | re.MULTILINE)


def of_kind(game: Game[Any, Any], kind: str) -> list[tuple[str, str]]:
    return [(ask, text) for found, ask, text in blocks(game.name) if found == kind]


def replies(game: Game[Any, Any], ask: str, text: str) -> list[list[bytes]]:
    lines, count = text.encode().splitlines(), game.reply_lines(ask)
    assert len(lines) % count == 0
    return [lines[k : k + count] for k in range(0, len(lines), count)]


def test_a_readme_has_its_chapters_and_numbered_rules(game: Game[Any, Any]) -> None:
    headings = re.findall(r"^## (.+)$", text_of(game.name), re.MULTILINE)
    wanted = [*CHAPTERS, *(["Programs"] if game.programs is not None else [])]
    assert [heading for heading in wanted if heading not in headings] == []
    assert re.match(rf"# {re.escape(game.title)}$", text_of(game.name), re.MULTILINE)
    numbers = [int(number) for number in re.findall(r"^(\d+)\. \*\*", text_of(game.name), re.MULTILINE)]
    assert numbers[0] == 1
    assert numbers == sorted(set(numbers))


def test_the_lines_of_a_readme_fit_a_terminal(game: Game[Any, Any]) -> None:
    assert max(map(len, text_of(game.name).splitlines())) <= 104


def test_a_readme_has_an_example_of_every_kind(game: Game[Any, Any]) -> None:
    asks = set(vocabulary(game.name))
    assert {ask for ask, _ in of_kind(game, "request")} == asks
    assert {ask for ask, _ in of_kind(game, "answers")} == asks
    assert of_kind(game, "position")
    assert of_kind(game, "record")


def test_valid_answers_of_a_readme_are_accepted_and_invalid_ones_refused(game: Game[Any, Any]) -> None:
    for ask, text in of_kind(game, "answers"):
        for lines in replies(game, ask, text):
            action = game.decode(ask, lines)
            assert game.format(action) == b"\n".join(lines).decode()
    for ask, text in of_kind(game, "refused"):
        for lines in replies(game, ask, text):
            with pytest.raises(InvalidReply):
                game.decode(ask, lines)


def test_the_requests_of_a_readme_match_its_position(game: Game[Any, Any]) -> None:
    words = {ask: game.decode(ask, replies(game, ask, text)[0]) for ask, text in reversed(of_kind(game, "answers"))}
    for ask, text in of_kind(game, "request"):
        state = game.start(json.loads(of_kind(game, "position")[0][1]), 1)
        while state.requests()[0].ask != ask:
            state.advance([words[request.ask] for request in state.requests()])
        assert game.encode(state.requests()[0]).decode() == text


def test_the_maps_of_a_readme_are_fair_and_complete(game: Game[Any, Any]) -> None:
    for _, text in of_kind(game, "map"):
        document = tomllib.loads(text)
        assert game.maps.check(document) == []
        game.start(game.maps.setup(document, seats=game.seats.start, rng_seed=1), 1)


def test_a_readme_explains_the_games_own_columns(game: Game[Any, Any]) -> None:
    _, _, chapter = text_of(game.name).partition("## The closing table\n")
    explained = re.findall(r"^\| `(.+?)` +\|", chapter.partition("\n## ")[0], re.MULTILINE)
    assert explained == [column.title for column in game.columns]


def test_the_saved_games_of_a_readme_verify(game: Game[Any, Any], tmp_path: Path) -> None:
    for _, text in of_kind(game, "record"):
        path = tmp_path / "readme.jsonl"
        path.write_text(re.sub(r"\n +", "", text), encoding="utf-8")
        assert verify(load(path))
