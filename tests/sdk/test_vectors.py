"""One set of vectors for all SDKs: every language and the referee's rules give the same answers.

`judge` plays one action on the board of a request by the rules, and returns its event and its board. A request has the counter of
its python after its clock has gone down (rule 7), and a position has the counter before that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import pytest
from games.snakecore.random_games import positions
from hypothesis import given
from hypothesis import strategies as st
from sdk.programs import DRIVERS, LANGUAGES, ROOT, Program
from sdk.snakes import AreaInfo, Outcome, Python

from referee.boards.grid import DIRECTIONS
from referee.contract.positions import Position
from referee.games.snakecore import rules, wire

FOLDER: Final = ROOT / "sdk" / "vectors"


@dataclass(frozen=True)
class Vector:
    """A position and calls with their answers. `refused`: the request is invalid."""

    file: str
    name: str
    about: str
    request: list[str]
    calls: list[list[str]]
    refused: bool = False


@dataclass(frozen=True)
class Line:
    """A command of a batch that has an answer: its vector, the command and the expected answer."""

    where: str
    command: str
    answer: str


def read_all() -> list[Vector]:
    """Every vector, in the order of the files' names."""
    return [
        Vector(path.stem, *map(vector.get, ("name", "about", "request")), vector.get("calls", []), "refused" in vector)
        for path in sorted(FOLDER.glob("*.json"))
        for vector in json.loads(path.read_text(encoding="utf-8"))
    ]


def batch(vectors: Iterable[Vector]) -> tuple[list[str], list[Line]]:
    """The lines to send for these vectors, and the expected answers."""
    commands: list[str] = []
    wanted: list[Line] = []
    for vector in vectors:
        where = f"{vector.file}: {vector.name}"
        asked = f"area {len(vector.request)}"
        commands += [asked, *vector.request]
        wanted.append(Line(where, asked, "error" if vector.refused else "ok"))
        for call, answer in vector.calls:
            commands.append(call)
            wanted.append(Line(where, call, answer))
    return commands, wanted


def differences(wanted: list[Line], actual: list[str]) -> Iterator[str]:
    """A sentence for each wrong answer, and one for a wrong number of answers."""
    for line, answer in zip(wanted, actual, strict=False):
        if answer != line.answer:
            yield f"{line.where}: `{line.command}` must give `{line.answer}`, it gave `{answer}`"
    if len(actual) != len(wanted):
        yield f"{len(wanted)} commands, {len(actual)} answers"


@dataclass(frozen=True)
class Verdict:
    """The effect of an action by the rules. `rows` and `pythons` omit the blocks that returned to random cells."""

    outcome: Outcome
    rows: list[str]
    pythons: list[Python]


def judge(area: AreaInfo, action: str, python: int, *, own_clock_is_down: bool) -> Verdict:
    """Play an action by the rules. `own_clock_is_down`: the board is that of a request, within the turn of python 0."""
    field = [list(row) for row in str(area).splitlines()]
    seats = []
    for snake in area.pythons:
        for x, y in snake.cells:
            field[y][x] = "."
        before = snake.shield + 1 if own_clock_is_down and snake.index == python == 0 and snake.shield else snake.shield
        seats.append({"cells": [list(cell) for cell in snake.cells], "blocks": snake.blocks, "shield": before})
    setup = {"size": area.size, "rounds": 1, "seat": python, "field": ["".join(row) for row in field], "pythons": seats}
    state = rules.start(setup, 1)
    for _ in seats:
        state.advance(["anyone"])
    event, *returned = state.advance([action])
    x, y = area.pythons[python].head
    dx, dy = DIRECTIONS.get(action, (0, 0))
    outcome = Outcome(
        kind=event["event"], target=(x + dx, y + dy), points=event.get("points", 0), why=event.get("why", ""),
        victim=event.get("victim"),
    )  # fmt: skip
    return Verdict(outcome, _rows(state, [tuple(block["at"]) for block in returned]), _pythons(state))


def _rows(state: rules.SnakeCore, returned: list[tuple[int, int]]) -> list[str]:
    rows = [list(row) for row in state.board.field_rows()]
    for x, y in returned:
        rows[y][x] = "."
    for python in state.board.pythons:
        for cell, letter in zip(python.cells, "p" + bytes(python.kinds).decode(), strict=True):
            x, y = state.board.xy(cell)
            rows[y][x] = letter
    return ["".join(row) for row in rows]


def _pythons(state: rules.SnakeCore) -> list[Python]:
    return [
        Python(index, python.shield, tuple(map(state.board.xy, python.cells)), bytes(python.kinds).decode())
        for index, python in enumerate(state.board.pythons)
    ]


VECTORS = read_all()
PLAYED = [vector for vector in VECTORS if not vector.refused]

every_language = pytest.mark.parametrize("language", LANGUAGES)
every_board = pytest.mark.parametrize("vector", PLAYED, ids=lambda vector: f"{vector.file}: {vector.name}")


@every_language
def test_every_sdk_gives_the_answers_of_the_vectors(built: Callable[[str, str], Program], language: str) -> None:
    commands, wanted = batch(VECTORS)
    actual = built(language, "driver").answers(commands)
    assert list(differences(wanted, actual)) == []


@every_board
def test_the_referees_rules_give_the_answers_of_the_vectors(vector: Vector) -> None:
    area, fresh = AreaInfo.parse(vector.request), True
    for call, answer in vector.calls:
        match call.split():
            case ["outcome", action, python] if answer != "error":
                assert shown(judge(area, action, int(python), own_clock_is_down=fresh).outcome) == answer, call
            case ["after", action, python] if answer == "ok":
                verdict = judge(area, action, int(python), own_clock_is_down=fresh)
                area, fresh = area.after(action, int(python)), False
                assert str(area).splitlines() == verdict.rows, call
                assert area.pythons == verdict.pythons, call


@given(positions(), st.data())
def test_on_any_position_the_referees_rules_and_the_sdk_agree(position: Position, data: st.DataObject) -> None:
    state = rules.start(position, 1)
    while (due := state.requests()) and due[0].ask == "getName":
        state.advance(["anyone"])
    if not due:
        return
    area, fresh = AreaInfo.parse(wire.encode(due[0]).decode()), True
    agree(area, fresh)
    turns = st.tuples(st.sampled_from("UULLDDRRAN"), st.integers(0, len(area.pythons) - 1))
    for action, python in data.draw(st.lists(turns, max_size=4)):
        area, fresh = area.after(action, python), False
        agree(area, fresh)


def agree(area: AreaInfo, fresh: bool) -> None:
    """Compare every action of every python, and the board after it. `fresh`: the board is a request's."""
    for python in range(len(area.pythons)):
        for action in "ULDRNA":
            verdict = judge(area, action, python, own_clock_is_down=fresh)
            after = area.after(action, python)
            assert area.outcome(action, python) == verdict.outcome
            assert str(after).splitlines() == verdict.rows
            assert after.pythons == verdict.pythons


def shown(outcome: Outcome) -> str:
    victim = "-" if outcome.victim is None else outcome.victim
    return f"{outcome.kind} {outcome.target[0]},{outcome.target[1]} {outcome.points} {outcome.why or '-'} {victim}"


class TestTheVectorSet:
    def test_names_are_unique_and_everything_is_ascii(self) -> None:
        assert len(VECTORS) > 25
        assert len({(vector.file, vector.name) for vector in VECTORS}) == len(VECTORS)
        for vector in VECTORS:
            words = [vector.name, vector.about, *vector.request, *(word for call in vector.calls for word in call)]
            assert all(word.isascii() and "\n" not in word for word in words), vector.name
            assert all(words[:2]), vector.name
            assert bool(vector.calls) != vector.refused, vector.name

    def test_every_command_and_every_outcome_occurs(self) -> None:
        calls = [call for vector in VECTORS for call in vector.calls]
        assert {call.split()[0] for call, _ in calls} == {"after", *commands_of_the_readme()}
        outcomes = [answer.split() for call, answer in calls if call.startswith("outcome") and answer != "error"]
        assert {words[0] for words in outcomes} == {"move", "eat", "bite", "deliver", "shield", "wait", "skip"}
        assert {words[3] for words in outcomes} == {"-", "edge", "wall", "head", "tail", "shield", "no-energy"}

    def test_every_file_is_in_the_readme(self) -> None:
        listed = re.findall(r"^\| `(\w+)\.json`", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
        assert sorted(listed) == sorted({vector.file for vector in VECTORS})

    def test_every_folder_of_drivers_is_a_language(self) -> None:
        assert {path.name for path in DRIVERS.iterdir() if path.is_dir() and path.name != "__pycache__"} == {*LANGUAGES}


def commands_of_the_readme() -> set[str]:
    """The queries in the block of commands, without `area` and `after`, which change the board."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^```\n(area K.*?)^```$", text, re.MULTILINE | re.DOTALL)
    rows = block[1].splitlines()[2:]
    return {part.split()[0] for row in rows for part in row.split("  ") if re.match(r" ?[a-z_]+( [A-Z].*)?$", part)}
