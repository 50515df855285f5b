"""Replays: a saved game is played again from its answers, and errors have a line number."""

import gzip
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import recording

from referee.contract.game import Answer, Fault, FaultKind, Request, State
from referee.errors import SavedGameError, UsageError
from referee.games import find
from referee.saved import replay
from referee.saved.record import Record, digest, load
from referee.saved.replay import KEEP_EVERY, Replay

GOLDEN = Path(__file__).parents[1] / "records" / "snakecore.jsonl"
GAME = find("snakecore")
SETUP = {
    "size": 4, "rounds": 4, "field": ["..b.", ".R..", "e...", "...."],
    "pythons": [{"cells": [[0, 0], [0, 1]], "blocks": "e"}, {"cells": [[3, 3]], "score": 7}],
}  # fmt: skip
NAMES = [b"Viper", "Питон\r".encode("cp1251")]
ANSWERS = "UUARRLR!"
LATE = Fault(FaultKind.TIMEOUT, "no answer within 1 s")
LAST = 12
"""The file's lines: 1 header, 2 and 3 names, 4 skip, 5 move, 6 shield and return, 7 skip, 8 and 9 move, 10 eat, 11 late."""


def save(path: Path, answers: str = ANSWERS) -> Path:
    """Save a short game of two pythons; `!` is a timeout."""
    save_all(path, GAME.start(SETUP, 5), [*NAMES, *(letter.encode() for letter in answers)])
    return path


def save_all(path: Path, state: State[Any, Any], lines: list[bytes]) -> None:
    """Play and save a game with these answers, the names first."""
    left = iter(lines)

    def answer(_number: int, request: Request[Any]) -> Answer[Any] | None:
        line = next(left, None)
        if line is None or line == b"!":
            return line and Answer(request.seat, LATE, None, 1.0003)
        return recording.reply(GAME, request, line)._replace(text=line.removesuffix(b"\r").decode(errors="replace"))

    bots = ["one", "two"][: len(state.current_result().ranking)]
    recording.save(path, GAME, state, answer, rng_seed=5, bots=bots)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return save(tmp_path / "game.jsonl")


def verify(path: Path) -> Replay:
    walk = Replay(load(path), own_chance=True)
    walk.verify()
    return walk


def refusal(path: Path) -> SavedGameError:
    with pytest.raises(SavedGameError) as caught:
        verify(path)
    text = str(caught.value)
    assert text.startswith(str(path))
    assert text.isprintable()
    assert len(text) < len(str(path)) + 600
    return caught.value


# -- Valid games --------------------------------------------------------------------------------------------------


def test_the_short_game_has_the_events_that_the_tests_need(saved: Path) -> None:
    """The tests below rely on these events."""
    happened = [event["event"] for step in load(saved).steps for event in step.events]
    assert happened == [
        "named", "named", "skip", "move", "shield", "return", "skip", "move", "move", "eat", "disqualified",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz"])
def test_a_saved_game_verifies(tmp_path: Path, name: str) -> None:
    verify(save(tmp_path / name))


@pytest.mark.parametrize(
    ("answers", "reason", "rounds"),
    [("", "interrupted", 1), ("U", "interrupted", 1), (ANSWERS[:5], "interrupted", 3), ("UU!U!", "nobody-left", 3)],
)
def test_a_game_that_ended_early_verifies(tmp_path: Path, answers: str, reason: str, rounds: int) -> None:
    result = verify(save(tmp_path / "game.jsonl", answers)).record.result
    assert (result.reason, result.rounds) == (reason, rounds)


def test_a_void_game_verifies_like_an_interrupted_one(tmp_path: Path) -> None:
    path = save(tmp_path / "game.jsonl", ANSWERS[:5])
    path.write_text(path.read_text().replace('"interrupted"', '"void"'))
    assert verify(path).record.result.reason == "void"


def test_the_times_of_a_file_are_read(saved: Path) -> None:
    lines = saved.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace('"ms":0.5', '"ms":0.5,"cpu":0.25,"late":1500.0')
    saved.write_text("".join(lines))
    answers = [step.answers[0] for step in verify(saved).steps]
    assert (answers[0].elapsed, answers[0].cpu, answers[0].late) == pytest.approx((0.0005, 0.00025, 1.5))
    assert (answers[1].cpu, answers[1].late) == (None, 0.0)


@pytest.mark.parametrize("kind", ["wall", "cpu"])
def test_the_clock_of_a_file_is_read(saved: Path, kind: str) -> None:
    saved.write_text(saved.read_text().replace('"clock":"wall"', f'"clock":"{kind}"'))
    assert verify(saved).time.kind == kind


def test_names_that_are_not_utf_8_are_read(saved: Path) -> None:
    """The answer has U+FFFD for each byte; the event has the decoded name (cp1251)."""
    walk = verify(saved)
    assert walk.record.steps[1].answers[0].answer == "\ufffd" * 5
    ranking = walk.state_at(len(walk.steps)).current_result().ranking
    assert {line.seat: line.name for line in ranking} == {0: "Viper", 1: "Питон"}


def test_a_replay_has_the_title_the_limits_and_the_steps(saved: Path) -> None:
    walk = verify(saved)
    assert walk.title == "SnakeCore: one, two"
    assert (walk.time.first, walk.time.answer, walk.time.total) == (15.0, 1.0, 120.0)
    step = walk.steps[9]
    assert (step.number, step.round, step.ask) == (10, 4, "getAction")
    assert step.answers == [Answer(1, LATE, None, 1.0003)]
    assert step.events[0]["event"] == "disqualified"


def test_the_title_of_a_match_that_was_broken_off_says_so(saved: Path) -> None:
    whole = saved.read_bytes()
    saved.write_bytes(whole[: whole.rindex(b"{")])
    assert Replay(load(saved)).title == "SnakeCore: one, two, cut off"


def test_other_programs_may_order_keys_and_add_keys(saved: Path) -> None:
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    saved.write_text("".join(json.dumps(line | {"by": "another"}, sort_keys=True) + "\n" for line in lines))
    verify(saved)


def test_scores_beyond_2_to_the_53_are_exact(tmp_path: Path) -> None:
    """A float could not hold them."""
    big = 2**53
    eater = {"cells": [[0, 0], [0, 1], [0, 2]], "blocks": "bb", "score": big}
    state = GAME.start({"size": 3, "rounds": 1, "field": [".R.", "...", "..."], "pythons": [eater]}, 5)
    path = tmp_path / "game.jsonl"
    save_all(path, state, [b"Viper", b"R"])
    assert state.current_result().ranking[0].score == big + 3
    verify(path)


# -- States -------------------------------------------------------------------------------------------------------


@cache
def golden() -> Record:
    return load(GOLDEN)


@cache
def fresh() -> list[dict[str, Any]]:
    """The golden game's positions, played from its answers without a replay."""
    state = GAME.start(golden().header.setup, golden().header.rng_seed)
    positions = [state.position()]
    for step in golden().steps:
        (answer,) = step.answers
        name = step.events[0].get("name")
        fault = answer.fault and Fault(FaultKind(answer.fault), answer.detail or "")
        state.advance([fault or (answer.answer if name is None else name)])
        positions.append(state.position())
    return positions


@settings(max_examples=15)
@given(goals=st.lists(st.integers(0, 460), max_size=6))
def test_any_walk_through_the_golden_game(goals: list[int]) -> None:
    """Forwards and backwards over random draws and over the states that are kept every `KEEP_EVERY` steps."""
    walk = Replay(golden())
    goals += [KEEP_EVERY - 1, KEEP_EVERY, KEEP_EVERY + 1, *goals]
    for index, goal in enumerate(goals):
        assert walk.state_at(goal).position() == fresh()[goal]
        assert walk.proven == max(goals[: index + 1])


def test_an_unknown_step_is_a_usage_error() -> None:
    walk = Replay(golden())
    for number in (-1, len(walk.steps) + 1):
        with pytest.raises(UsageError, match=f"there is no step {number}: .* has steps 0 to {len(walk.steps)}"):
            walk.state_at(number)


def test_after_a_step_that_fails_earlier_states_are_still_correct(saved: Path) -> None:
    rewrite(saved, change(8, "events", 0, "event", to="wait"))
    walk = Replay(load(saved))
    before = [walk.state_at(k).position() for k in range(7)]
    for start in (0, 3, 6):
        walk.state_at(start)
        with pytest.raises(SavedGameError):
            walk.state_at(9)
        assert walk.proven == 6
        assert [walk.state_at(k).position() for k in range(7)] == before
        with pytest.raises(SavedGameError):
            walk.verify()


# -- Matches of other programs --------------------------------------------------------------------------------------


def save_with_other_dice(path: Path) -> Path:
    """Save the short game as a program with another random generator would play it."""
    state = GAME.start(SETUP, 5)
    state._rng = Random(99)  # type: ignore[attr-defined]
    save_all(path, state, [*NAMES, *(letter.encode() for letter in ANSWERS)])
    return path


def test_a_match_with_another_generator_is_replayed_with_the_draws_of_the_file(tmp_path: Path, saved: Path) -> None:
    path = save_with_other_dice(tmp_path / "other.jsonl")
    with pytest.raises(SavedGameError, match="line 6: events"):
        verify(path)
    assert replay.verify(load(path)) is False
    assert replay.verify(load(saved)) is True
    walk = Replay(load(path))
    assert digest(walk.state_at(len(walk.steps)).position()) == walk.record.result.digest


@pytest.mark.parametrize("cell", [[0, 3], [-1, 0], [4, 0], [1, 1], [3, 2], [True, 1], ["1", 1], [1], None, "12", {}, 7])
def test_draws_that_contradict_the_rules_or_the_digest_are_refused(tmp_path: Path, cell: Any) -> None:
    path = save_with_other_dice(tmp_path / "other.jsonl")
    assert load(path).steps[4].events[1]["event"] == "return"
    assert load(path).steps[4].events[1]["at"] != cell
    rewrite(path, change(6, "events", 1, "at", to=cell))
    legal = cell == [0, 3]
    with pytest.raises(SavedGameError, match=f"line {LAST}: the digest" if legal else "line 6: events"):
        replay.verify(load(path))


def test_an_error_behind_the_draws_of_another_generator_has_its_own_line(tmp_path: Path) -> None:
    path = save_with_other_dice(tmp_path / "other.jsonl")
    rewrite(path, change(9, "round", to=9))
    with pytest.raises(SavedGameError, match=r"line 9: this is round 3, the file says 9$"):
        replay.verify(load(path))


# -- Files that do not follow from the rules ----------------------------------------------------------------------


def change(number: int, *path: Any, to: Any) -> Callable[[list[Any]], None]:
    """An edit that changes one value in one line (counted from 1)."""

    def edit(lines: list[Any]) -> None:
        node = lines[number - 1]
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = to

    return edit


def rewrite(path: Path, edit: Callable[[list[Any]], Any]) -> None:
    """Edit the lines of a saved game."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    edit(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def deep() -> Any:
    nested: Any = []
    for _ in range(300):
        nested = [nested]
    return nested


EVENT = ("events", 0)


@pytest.mark.parametrize(
    ("edit", "where", "why"),
    [
        # The header.
        (change(1, "game", to="snake"), 1, "game: snake is not installed here; these are: snakecore"),
        (change(1, "rules", to=2), 1, "rules version 2; this referee plays 1"),
        (lambda lines: lines[0].update(rules=2, package="a 0.3"), 1, "rules version 2 of a 0.3; this referee plays 1"),
        (change(1, "setup", "pythons", 0, "cells", to=[[0, 0], [3, 3]]), 1, "setup: pythons.0: broken chain"),
        (change(1, "setup", "field", to=deep()), 1, "setup: field.0: must be a text in quotes"),
        (change(1, "players", to=[{"seat": 0, "bot": "one"}]), 1, "players: the seats [0] are not those of the setup"),
        (change(1, "players", 1, "seat", to=0), 1, "players: the seats [0, 0] are not those of the setup"),
        (change(1, "rng_seed", to=6), 6, "events: by the rules "),
        (change(1, "setup", "rounds", to=3), 10, "the match was already over"),
        (change(1, "players", 0, "lifetime", to="turn"), 1, "players: a player whose lifetime is 'turn', which snakecore"),
        (change(1, "players", 0, "house", to=True), 1, "players: a player of the house, which snakecore does not have"),
        # Requests.
        (change(4, "answers", 0, "seat", to=1), 4, "an answer out of turn: getAction of seat 0 was due, not getAction of seat 1"),
        (change(4, "ask", to="\x1b[2J" * 100), 4, "an answer out of turn: getAction of seat 0 was due, not \\x1b[2J"),
        (change(4, "round", to=2), 4, "this is round 1, the file says 2"),
        (change(4, "answers", to=[{"seat": 0, "answer": "U", "ms": 1}] * 2), 4, "an answer out of turn: "),
        (lambda lines: lines.insert(-1, lines[-2] | {"step": 11}), 12, "the match was already over"),
        # Answers.
        (change(4, "answers", 0, "answer", to="R"), 4, 'events: by the rules {"event":"move","seat":0}, the file says {"ev'),
        (change(4, "answers", 0, "answer", to="u"), 4, "invalid answer of seat 0: expected one of U L D R N A"),
        (change(4, "answers", 0, "answer", to="U" + " " * GAME.reply_cap), 4, "invalid answer of seat 0: longer than 1024 bytes"),
        (change(4, "answers", 0, "answer", to="U\n"), 4, "invalid answer of seat 0: 2 lines, not 1"),
        (change(2, "answers", 0, "answer", to="Python"), 2, "events: by the rules "),
        (change(3, *EVENT, "name", to="Удав"), 3, "invalid answer of seat 1: "),
        (change(11, "answers", 0, "detail", to="too late"), 11, "events: by the rules "),
        # Events.
        (change(6, "events", 1, "at", 0, to=99), 6, 'events: by the rules {"event":"return"'),
        (change(6, *EVENT, "left", to=10.0), 6, 'events: by the rules {"event":"shield","seat":0,"left":10}, the file says'),
        (change(6, *EVENT, "seat", to=False), 6, "events: by the rules "),
        (change(6, *EVENT, "more", to=1), 6, "events: by the rules "),
        (change(6, *EVENT, "left", to=deep()), 6, "events: by the rules "),
        (change(6, *EVENT, "left", to="\u202e\x9b" * 10**5), 6, "events: by the rules "),
        (change(6, "events", to=[]), 6, 'events: by the rules there is also {"event":"shield"'),
        (change(4, "events", to=[{"event": "skip", "seat": 0, "why": "edge"}] * 2), 4, "events: the file also has "),
        # The result.
        (change(LAST, "digest", to="0" * 64), LAST, "the digest of the final position is "),
        (change(LAST, "digest", to="x" * 10**6), LAST, "digest: must have at most 1000 characters"),
        (change(LAST, "reason", to="void"), LAST, "the reason is 'rounds', the file says 'void'"),
        (change(LAST, "rounds", to=3), LAST, "the match had 4 rounds, the file says 3"),
        (change(LAST, "ranking", 0, "score", to=8), LAST, "ranking: by the rules "),
        (change(LAST, "ranking", 0, "rank", to=1.0), LAST, "ranking: by the rules "),
        (lambda lines: lines[-1]["ranking"].reverse(), LAST, "ranking: by the rules "),
        (lambda lines: lines[-1]["ranking"].pop(), LAST, "ranking: by the rules there is also "),
        (lambda lines: lines[-1]["ranking"].append(lines[-1]["ranking"][0]), LAST, "ranking: the file also has "),
    ],
)  # fmt: skip
def test_each_contradiction_is_reported_with_its_line(saved, edit, where, why):
    rewrite(saved, edit)
    error = refusal(saved)
    assert error.line == where
    assert str(error).startswith(f"{saved}, line {where}: {why}")


def test_an_answer_of_the_maximum_length_is_accepted(saved: Path) -> None:
    rewrite(saved, change(4, "answers", 0, "answer", to="U" + " " * (GAME.reply_cap - 1)))
    verify(saved)


def test_a_truncated_file_can_be_viewed_but_does_not_verify(saved: Path) -> None:
    lines = saved.read_bytes().splitlines(keepends=True)
    saved.write_bytes(b"".join(lines[:-1]))
    Replay(load(saved)).state_at(len(lines) - 2)
    error = refusal(saved)
    assert error.line == len(lines)
    assert str(error).endswith("the last line, the result, is missing: the match is incomplete")
    saved.write_bytes(b"".join(lines)[:-30])
    assert str(refusal(saved)).endswith(f"line {len(lines)}: the last line is cut off: the match is incomplete")


def test_a_compressed_file_with_trailing_bytes_does_not_verify(tmp_path: Path) -> None:
    path = save(tmp_path / "game.jsonl.gz")
    path.write_bytes(path.read_bytes() + b"?")
    assert str(refusal(path)) == f"{path}: the compressed file is cut off or damaged"


@pytest.fixture(scope="module")
def saved_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return save(tmp_path_factory.mktemp("saved") / "game.jsonl").read_bytes()


@given(fraction=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), packed=st.booleans())
def test_a_changed_byte_is_detected_or_irrelevant(tmp_path, saved_bytes, fraction, byte, packed):
    """Events and the result are relevant; times, dates and names of bots are not."""
    plain = saved_bytes
    data = bytearray(gzip.compress(plain, mtime=0) if packed else plain)
    data[int(fraction * len(data))] = byte
    path = tmp_path / "changed.jsonl"
    path.write_bytes(data)
    try:
        walk = verify(path)
    except SavedGameError:
        refusal(path)
        return
    lines = [json.loads(line) for line in plain.splitlines()]
    assert [step.events for step in walk.steps] == [line["events"] for line in lines[1:-1]]
    result = walk.record.result.model_dump()
    assert result == {key: lines[-1][key] for key in result}


# -- Long events -------------------------------------------------------------------------------------------------


def put_wall(position: dict[str, Any]) -> None:
    position["field"][3] = position["field"][3][:-1] + " "


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (put_wall, r'from character \d+ on by the rules .*#",".*, the file says .* ",".*'),
        (lambda position: position["eggs"].pop(), r"from character \d+ on by the rules .*\],\[.*\]\],"),
        (lambda position: position.update(more=1), r'.*"disqualified":.*, the file says .*"more":1'),
        (lambda position: position.pop("turns"), r'by the rules .*"turns":32.*, the file says .*"run":2,"turn":1'),
        (lambda position: position["memory"].__setitem__(2, "x" * 150 + "y" * 300), '.* the file says .*"","",?"xxxx'),
        (lambda position: position["totals"].__setitem__(1, True), r'.*"totals":\[1,2,1.*"totals":\[1,true,1'),
    ],
)
def test_a_long_event_is_shown_from_the_first_difference(tmp_path: Path, edit: Any, why: str) -> None:
    lines = [json.loads(line) for line in GOLDEN.with_name("egghunt.jsonl").read_text(encoding="utf-8").splitlines()]
    number, event = next((k, e) for k, line in enumerate(lines) for e in line.get("events", ()) if e["event"] == "run")
    assert len(json.dumps(event)) > 600
    edit(event["position"])
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(SavedGameError) as caught:
        replay.verify(load(path))
    message = str(caught.value)
    assert re.search(rf"line {number + 1}: events: {why}", message), message
    assert len(message) < 700
