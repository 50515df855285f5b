"""Test positions of a program: moments that it must handle, kept in `NAME.tests.toml` beside it (programs.md, Test positions).

1. A test has a position of the game, the seat that is asked, and what the program must do there. It needs no saved game: the
   match starts from the position, every seat gets a name, and the next request is put to the program.
2. `with_test` checks that the request from the position has the same bytes as the one in the saved game. So the position has all
   that the program can see.
3. The file can be written by hand. It is untrusted: its size is capped, and all texts in it are escaped where they are shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import Field, model_validator

from referee.analysis.programs import Script
from referee.contract.game import Game, Request
from referee.contract.positions import Position
from referee.contract.programs import Ruling
from referee.errors import SetupError, UsageError
from referee.saved.replay import Replay
from referee.saved.requests import request_at
from referee.text.documents import Malformed, text_of, toml_of
from referee.text.strict import NO_CODES, MayBeMissing, Strict, read

SUFFIX: Final = ".tests.toml"
MOST_BYTES: Final = 256 * 1024
"""The most bytes of such a file."""
MOST_TESTS: Final = 200
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")

_Letters = Annotated[str, Field(min_length=1, max_length=16), NO_CODES]
_Words = Annotated[str, Field(max_length=1024), NO_CODES]


class Demand(Strict):
    """What a program must do in a position.

    Attributes:
        must: letters of moves; every move that the program chooses must be one of them.
        must_not: letters of moves; no move that it chooses may be one of them.
        chart: the number of the chart that must decide; 0 for none.
    """

    must: MayBeMissing[_Letters] = None
    must_not: MayBeMissing[_Letters] = None
    chart: MayBeMissing[Annotated[int, Field(ge=0, le=99)]] = None

    @model_validator(mode="after")
    def _some(self) -> Demand:
        if self.must is None and self.must_not is None and self.chart is None:
            raise ValueError("a test needs must, must_not or chart")
        return self

    def check(self, moves: str) -> None:
        """Raises: UsageError: it has a letter that is none of these moves."""
        for key, letters in (("must", self.must), ("must_not", self.must_not)):
            if unknown := [letter for letter in letters or "" if letter not in moves]:
                raise UsageError(f"{key}: {unknown[0]} is not a move: use letters of {' '.join(moves)}")

    def words(self, part: str) -> str:
        """The demand in words: `must go L or U, scheme 2 must decide`."""
        demands = []
        if self.must is not None:
            demands.append(f"must go {' or '.join(self.must)}")
        if self.must_not is not None:
            demands.append(f"must not go {' or '.join(self.must_not)}")
        if self.chart is not None:
            demands.append(f"{part} {self.chart} must decide" if self.chart else f"no {part} may decide")
        return ", ".join(demands)

    def holds(self, moves: str, fired: int) -> bool:
        """Whether it is met by these moves, which this chart chose."""
        return (
            (self.must is None or set(moves) <= set(self.must))
            and not set(self.must_not or "") & set(moves)
            and (self.chart is None or self.chart == fired)
        )


class PositionTest(Demand):
    """One test.

    Attributes:
        saved, step: the saved game that it comes from.
        note: a text for people.
        seat: the seat that is asked, from 0; None for the first that is asked.
    """

    saved: MayBeMissing[_Words] = None
    step: MayBeMissing[Annotated[int, Field(ge=1, le=10**9)]] = None
    note: MayBeMissing[_Words] = None
    seat: MayBeMissing[Annotated[int, Field(ge=0, le=1000)]] = None
    position: dict[str, Any]

    @property
    def origin(self) -> str:
        """Where it comes from, in words; may be empty."""
        step = "" if self.step is None else f"step {self.step}"
        return ": ".join(filter(None, [", ".join(filter(None, [self.saved, step])), self.note]))


class _File(Strict):
    test: Annotated[list[PositionTest], Field(max_length=MOST_TESTS)] = Field(default_factory=list)


def read_tests(data: bytes, file: str) -> list[PositionTest]:
    """The tests in a file.

    Raises:
        UsageError: it is not such a file; the message names `file`, and the line or the key.
    """
    if len(data) > MOST_BYTES:
        raise UsageError(f"{file} is longer than {MOST_BYTES >> 10} KiB, the most that is allowed")
    try:
        table = toml_of(text_of(data))
    except Malformed as wrong:
        raise UsageError(f"{file}{wrong.where()}: not TOML: {wrong}") from None
    return read(_File, table, lambda why: UsageError(f"{file}: {why}")).test


def outcomes(script: Script, tests: Sequence[PositionTest]) -> list[dict[str, Any]]:
    """The outcome of each test, as `referee program test --json` prints it. Raises: ProgramError."""
    script.programs.compile(script.source, script.file)
    part = script.programs.part
    return [_outcome(script, test, number, part) for number, test in enumerate(tests, start=1)]


def _outcome(script: Script, test: PositionTest, number: int, part: str) -> dict[str, Any]:
    entry = {"test": number, "demand": test.words(part), "saved": test.saved, "step": test.step, "origin": test.origin}
    try:
        test.check(script.programs.moves)
        request = request_from(script.game, test.position, test.seat)
    except UsageError as wrong:
        return {**entry, "verdict": "wrong", "answer": None, "chart": None, "why": str(wrong)}
    ruling = script.programs.decide(script.source, script.file, request)
    answer = script.game.format(ruling.action)
    return {
        **entry,
        "verdict": "pass" if test.holds(answer, ruling.fired) else "fail",
        "answer": answer,
        "chart": ruling.fired,
        "why": _why(ruling, test.chart or ruling.fired, part),
    }


def _why(ruling: Ruling, number: int, part: str) -> str:
    chart = next((chart for chart in ruling.charts if chart.chart == number), None)
    if chart is None:
        return ""
    return f"{part} {ruling.fired} decides before {part} {number}" if chart.verdict == "fits" else chart.why


def request_from(game: Game[Any, Any], position: Position, seat: int | None = None) -> Request[Any]:
    """The request for a move to a seat in a position; by default, to the first that is asked.

    Raises:
        UsageError: the position breaks a rule, or does not ask this seat.
    """
    try:
        state = game.start(position, 0)
    except SetupError as wrong:
        raise SetupError(f"position: {wrong}") from None
    while (due := state.requests()) and due[0].ask == "getName":
        state.advance([game.recall("getName", "Nobody", ()) for _ in due])
    if not due:
        raise SetupError("position: the match is over there, so no seat is asked")
    for request in due:
        if seat is None or request.seat == seat:
            return request
    raise SetupError(f"position: it asks seat {due[0].seat}, not seat {seat} (seats count from 0)")


def with_test(
    old: bytes, file: str, script: Script, replay: Replay, step: int, seat: int | None, demand: Demand
) -> str:
    """The text of a file of tests with one more test: this step of a saved game.

    Args:
        old: the file before; empty for a new one. `file` is its name in messages.
        seat: the seat that the program plays, from 0; by default, the seat that the step asked.

    Raises:
        UsageError: the step did not ask this seat, the file is wrong, or a position of this game does not show all that it saw.
    """
    read_tests(old, file)
    demand.check(script.programs.moves)
    request = request_at(replay, step, seat)
    request_bytes, seat = script.game.encode(request), request.seat
    test = {**demand.model_dump(exclude_none=True), "saved": replay.record.path, "step": step, "seat": seat}
    position = replay.state_at(step - 1).position()
    lines = [f"# Test positions of {script.file}"] if not old.strip() else [text_of(old).rstrip()]
    lines += ["", "[[test]]", *(f"{key} = {_toml(value)}" for key, value in test.items()), "", "[test.position]"]
    text = "\n".join([*lines, *_table(position), ""])
    (*_, new_test) = read_tests(text.encode(), file)
    if script.game.encode(request_from(script.game, new_test.position, seat)) != request_bytes:
        raise UsageError(f"step {step} cannot be kept: its position does not show all that seat {seat + 1} saw")
    return text


def without_test(old: bytes, file: str, number: int) -> str:
    """The text of a file of tests without one of them.

    Args:
        old: the file before. `file` is its name in messages. number: of the test, from 1.

    Raises:
        UsageError: there is no such test, the file is wrong, or its tests are not written as [[test]] tables.
    """
    tests = read_tests(old, file)
    if number > len(tests):
        raise UsageError(f"{file} has no test {number}")
    lead, *tables = re.split(r"^(?=\[\[test\]\])", text_of(old), flags=re.MULTILINE)
    del tests[number - 1], tables[number - 1 : number]
    text = "".join([lead, *tables])
    if read_tests(text.encode(), file) != tests:
        raise UsageError(f"test {number} cannot be taken out of {file}: write its tests as [[test]] tables")
    return text


def _table(position: Position) -> Iterator[str]:
    """The keys of a position, a line each; a list of objects has a line for each."""
    for key, value in _without_null(position).items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{_key(key)} = ["
            yield from (f"  {_toml(entry)}," for entry in value)
            yield "]"
        else:
            yield f"{_key(key)} = {_toml(value)}"


def _without_null(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if value is not None}


def _toml(value: Any) -> str:
    """A value of JSON as TOML. Keys that are null are left out: TOML has no null."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_toml(entry)}" for key, entry in _without_null(value).items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _toml(key)
