"""One set of vectors for all SDKs: every language and the referee's rules give the same answers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from games.snakecore.random_games import positions
from hypothesis import given
from hypothesis import strategies as st
from sdk.programs import DRIVERS, LANGUAGES, Program
from sdk.rulebook import judge
from sdk.snakes import AreaInfo, Outcome
from sdk.vector_set import FOLDER, Vector, batch, differences, read_all

from referee.contract.positions import Position
from referee.games.snakecore import rules, wire

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

    def test_a_wrong_answer_is_found(self) -> None:
        _, wanted = batch(VECTORS[:1])
        right = [line.answer for line in wanted]
        assert list(differences(wanted, right)) == []
        assert len(list(differences(wanted, [*right[:-1], "odd"]))) == 1
        assert list(differences(wanted, right[:-1])) == [f"{len(right)} commands, {len(right) - 1} answers"]


def commands_of_the_readme() -> set[str]:
    """The queries in the block of commands, without `area` and `after`, which change the board."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^```\n(area K.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert block is not None
    rows = block[1].splitlines()[2:]
    return {part.split()[0] for row in rows for part in row.split("  ") if re.match(r" ?[a-z_]+( [A-Z].*)?$", part)}
