"""Saved games as files: the lines are exactly those of saved-games.md, and the reader checks everything."""

import errno
import gc
import gzip
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import games
from referee.contract.clock import TimeControl
from referee.contract.game import Answer, Entrant, Fault, FaultKind, Step
from referee.contract.ranking import Outcome, Ranked
from referee.errors import SavedGameError
from referee.saved import record
from referee.saved.record import Recorder, digest, ends, header_line, load

SETUP = {
    "size": 2, "rounds": 1, "round": 1, "seat": 0, "field": ["..", ".."],
    "pythons": [{"cells": [[0, 0]], "blocks": "", "shield": 0, "score": 0, "disqualified": None}],
}  # fmt: skip
MATCH: dict[str, Any] = {
    "game": games.find("snakecore"), "entrants": [Entrant("greedy"), Entrant("Ёж")], "rng_seed": 42, "setup": SETUP,
    "created": "2026-01-31T12:00:00Z", "referee": "0.1.0",
}  # fmt: skip
TIME = TimeControl(15, 1, None)
HEADER = header_line(**MATCH, time=TIME)
LATE = Fault(FaultKind.TIMEOUT, "no answer within 1 s")
STEPS = [
    Step(
        1, 0, "getName", [Answer(0, "Питон", "\ufffd" * 5, 0.00041)], [{"event": "named", "seat": 0, "name": "Питон"}]
    ),
    Step(2, 1, "getAction", [Answer(0, "U", "U ", 0.0123456)], [{"event": "skip", "seat": 0, "why": "edge"}]),
    Step(
        3,
        1,
        "getAction",
        [Answer(1, LATE, None, 1.0003)],
        [{"event": "disqualified", "seat": 1, "why": "timeout", "detail": "no answer within 1 s"}],
    ),
]
OUTCOME = Outcome("rounds", 1, [Ranked(0, "Питон", 1, 45, None), Ranked(1, "player 2", 2, 7, "timeout")])
FINAL = {"b": ["Ёж"], "a": {"z": None, "y": 1.5}}

LINES = [
    '{"type":"header","format":"referee/1","game":"snakecore","rules":1,"rng_seed":42,"setup":{"size":2,"rounds":1,'
    '"round":1,"seat":0,"field":["..",".."],"pythons":[{"cells":[[0,0]],"blocks":"","shield":0,"score":0,'
    '"disqualified":null}]},"players":[{"seat":0,"bot":"greedy"},{"seat":1,"bot":"Ёж"}],'
    '"limits":{"first":15.0,"answer":1.0,"total":null},"clock":"wall","created":"2026-01-31T12:00:00Z",'
    '"referee":"0.1.0"}',
    '{"type":"step","step":1,"round":0,"ask":"getName","answers":[{"seat":0,"answer":"\ufffd\ufffd\ufffd\ufffd\ufffd",'
    '"ms":0.41}],"events":[{"event":"named","seat":0,"name":"Питон"}]}',
    '{"type":"step","step":2,"round":1,"ask":"getAction","answers":[{"seat":0,"answer":"U ","ms":12.346}],'
    '"events":[{"event":"skip","seat":0,"why":"edge"}]}',
    '{"type":"step","step":3,"round":1,"ask":"getAction","answers":[{"seat":1,"answer":null,"ms":1000.3,'
    '"fault":"timeout","detail":"no answer within 1 s"}],'
    '"events":[{"event":"disqualified","seat":1,"why":"timeout","detail":"no answer within 1 s"}]}',
    '{"type":"result","reason":"rounds","rounds":1,"ranking":['
    '{"seat":0,"name":"Питон","rank":1,"score":45,"disqualified":null},'
    '{"seat":1,"name":"player 2","rank":2,"score":7,"disqualified":"timeout"}],'
    '"digest":"f3c879db6b4048581ec80f717e40779106a2e6ab055faf65b42da1a10b9adc97"}',
]


def write(path: Path, steps: list[Step] = STEPS) -> Path:
    recorder = Recorder(path, HEADER)
    recorder.record(steps)
    recorder.end(OUTCOME, FINAL)
    return path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return write(tmp_path / "game.jsonl")


# -- Writing ------------------------------------------------------------------------------------------------------


def test_the_lines_are_those_of_the_format(saved: Path) -> None:
    assert saved.read_bytes().decode() == "".join(line + "\n" for line in LINES)


@pytest.mark.parametrize(
    ("cpu", "late", "keys"),
    [
        (None, 0.0, '"ms":12.346}'),
        (0.0, 0.0, '"ms":12.346,"cpu":0.0}'),
        (0.0098765432, 0.0, '"ms":12.346,"cpu":9.877}'),
        (0.0098765432, 1.23456789, '"ms":12.346,"cpu":9.877,"late":1234.568}'),
    ],
)
def test_cpu_and_late_are_written_only_if_measured(tmp_path: Path, cpu: float | None, late: float, keys: str) -> None:
    answer = STEPS[1].answers[0]._replace(cpu=cpu, late=late)
    path = write(tmp_path / "game.jsonl", [STEPS[0], STEPS[1]._replace(answers=[answer])])
    assert path.read_text().splitlines()[2] == LINES[2].replace('"ms":12.346}', keys)
    (read,) = load(path).steps[1].answers
    assert read.cpu == (None if cpu is None else pytest.approx(1000 * cpu, abs=0.001))
    assert read.late == pytest.approx(1000 * late, abs=0.001)


def test_the_header_has_the_isolation_and_the_clock(tmp_path: Path) -> None:
    isolation = {"level": "full", "pondering": False, "namespaces": "bubblewrap"}
    path = tmp_path / "game.jsonl"
    Recorder(path, header_line(**MATCH, time=replace(TIME, kind="cpu"), isolation=isolation)).end(OUTCOME, FINAL)
    header = load(path).header
    assert (header.clock, header.isolation) == ("cpu", isolation)


def test_the_header_says_what_kind_of_player_has_each_seat_where_it_may_differ() -> None:
    line_up = [Entrant("Ann", given=True), Entrant("Rabbit", house=True)]
    plain, hunt = MATCH["game"], games.find("egghunt")
    for game, house in ((plain, False), (replace(plain, house=hunt.house), True), (hunt, True)):
        first, second = header_line(**MATCH | {"game": game, "entrants": line_up}, time=TIME)["players"]
        kind = {"lifetime": "game", "house": False} if house else {}
        assert first == {"seat": 0, "bot": "Ann", **kind, "given": True}
        assert second == {"seat": 1, "bot": "Rabbit", **(kind | {"house": True} if house else {})}


def test_the_digest_is_of_sorted_json_without_blanks_and_without_escapes() -> None:
    text = '{"a":{"y":1.5,"z":null},"b":["Ёж"]}'
    assert digest(FINAL) == hashlib.sha256(text.encode()).hexdigest()
    assert digest({"b": "\x85\u2028"}) == hashlib.sha256('{"b":"\x85\u2028"}'.encode()).hexdigest()
    assert digest({"a": FINAL["a"], "b": FINAL["b"]}) == digest(FINAL)


@pytest.mark.parametrize("end", sorted({chr(c) for c in range(0x3000) if len(f"a{chr(c)}b".splitlines()) > 1} - {"\n"}))
def test_line_separators_in_names_do_not_split_lines(tmp_path: Path, end: str) -> None:
    text = f"\\{end}Ёж{end}"
    name = STEPS[0]._replace(
        answers=[Answer(0, text, text, 0.001)], events=[{"event": "named", "seat": 0, "name": text, "big": 2**70}]
    )
    late = STEPS[2]._replace(answers=[Answer(1, Fault(FaultKind.INVALID, text), None, 0.1)])
    path = write(tmp_path / "game.jsonl", [name, STEPS[1], late])
    lines = path.read_bytes().decode()
    assert lines.splitlines() == lines.removesuffix("\n").split("\n")
    assert "Ёж" in lines
    steps = load(path).steps
    assert (steps[0].answers[0].answer, steps[0].events[0]["name"]) == (text, text)
    assert steps[2].answers[0].detail == text


def test_files_of_other_programs_may_have_unescaped_line_separators(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes().replace(b"U ", "U\x85\u2028\u2029".encode()))
    assert load(saved).steps[1].answers[0].answer == "U\x85\u2028\u2029"


def test_the_file_grows_line_by_line_under_a_temporary_name(tmp_path: Path) -> None:
    """During the match a reader sees complete lines, and the final name does not exist."""
    path, part = tmp_path / "game.jsonl", tmp_path / "game.jsonl.part"
    recorder = Recorder(path, HEADER)
    for k, step in enumerate(STEPS):
        assert part.read_text().splitlines() == LINES[: k + 1]
        assert not path.exists()
        recorder.record([step])
    recorder.end(OUTCOME, FINAL)
    assert path.read_text().splitlines() == LINES
    assert not part.exists()


def test_the_lines_of_an_unfinished_match_are_kept(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "game.jsonl.gz", HEADER)
    recorder.record([STEPS[0]])
    recorder.close()
    recorder.close()
    left = load(tmp_path / "game.jsonl.gz.part")
    assert [step.step for step in left.steps] == [1]
    assert (left.result, left.cut_off) == (None, "the last line, the result, is missing")


def test_a_compressed_file_has_the_same_lines_and_is_reproducible(tmp_path: Path) -> None:
    one, two = write(tmp_path / "game.jsonl.gz"), write(tmp_path / "another name.jsonl.gz")
    assert gzip.decompress(one.read_bytes()).decode().splitlines() == LINES
    assert one.read_bytes() == two.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["another name.jsonl.gz", "game.jsonl.gz"]


# -- Reading ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz"])
def test_what_was_written_is_read(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name)
    record = load(path)
    assert (record.path, record.cut_off) == (str(path), None)
    assert record.header.model_dump(exclude_unset=True) == HEADER
    assert record.header.setup == SETUP
    assert [step.step for step in record.steps] == [1, 2, 3]
    assert [record.line_of(step.step) for step in record.steps] == [2, 3, 4]
    assert record.steps[0].answers[0].answer == "\ufffd" * 5
    assert record.steps[0].events == [{"event": "named", "seat": 0, "name": "Питон"}]
    assert (record.steps[2].answers[0].fault, record.steps[2].answers[0].detail) == ("timeout", "no answer within 1 s")
    assert [entry.model_dump() for entry in record.result.ranking] == [line.as_json() for line in OUTCOME.ranking]
    assert record.result.digest == digest(FINAL)


def test_compression_is_detected_by_content_and_not_by_name(saved: Path) -> None:
    data = saved.read_bytes()
    saved.write_bytes(gzip.compress(data))
    assert load(saved).result is not None
    other = saved.with_name("plain.jsonl.gz")
    other.write_bytes(data)
    assert load(other).result is not None


def test_the_last_line_feed_may_be_missing(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes().removesuffix(b"\n"))
    record = load(saved)
    assert record.result is not None
    assert record.cut_off is None


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_truncated_last_line_is_omitted_and_reported(saved: Path, cut: int) -> None:
    lines = saved.read_bytes().splitlines(keepends=True)
    saved.write_bytes(b"".join(lines[:3]) + lines[3][:cut])
    record = load(saved)
    assert [step.step for step in record.steps] == [1, 2]
    assert (record.result, record.cut_off) == (None, "the last line is cut off")


def test_a_truncated_compressed_file_is_read_up_to_its_end(tmp_path: Path) -> None:
    """The details are noise: otherwise the file is one compressed block, which would be lost completely."""
    noise = [hashlib.sha256(b"%d" % k).hexdigest() * 20 for k in range(1, 2000)]
    steps = [
        Step(k, 1, "getAction", [Answer(1, Fault(FaultKind.EXIT, text), None, 0.1)], [])
        for k, text in enumerate(noise, start=1)
    ]
    path = write(tmp_path / "game.jsonl.gz", steps)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 9 // 10])
    record = load(path)
    assert 1000 < len(record.steps) < 1999
    assert (record.result, record.cut_off) == (None, "the compressed file is cut off or damaged")


@pytest.mark.parametrize("behind", [b"garbage", b"\x1f\x8b", b"\x1f\x8b\x08\x00broken"])
def test_a_compressed_file_with_trailing_bytes_is_damaged(tmp_path: Path, behind: bytes) -> None:
    path = write(tmp_path / "game.jsonl.gz")
    path.write_bytes(path.read_bytes() + behind)
    record = load(path)
    assert record.result is not None
    assert record.cut_off == "the compressed file is cut off or damaged"


# -- Files that cannot be read ------------------------------------------------------------------------------------


def refusal(path: Path) -> SavedGameError:
    with pytest.raises(SavedGameError) as caught:
        load(path)
    text = str(caught.value)
    assert text.startswith(str(path))
    assert text.isprintable()
    assert len(text) < len(str(path)) + 300
    return caught.value


def line(number: int, **changes: Any) -> Callable[[list[str]], None]:
    """An edit that changes keys of one line (counted from 1); `...` removes a key."""

    def edit(lines: list[str]) -> None:
        data = json.loads(lines[number - 1])
        for key, value in changes.items():
            if value is ...:
                del data[key]
            else:
                data[key] = value
        lines[number - 1] = json.dumps(data)

    return edit


def put(number: int, text: str) -> Callable[[list[str]], None]:
    """An edit that replaces one line (counted from 1) with this text."""

    def edit(lines: list[str]) -> None:
        lines[number - 1] = text

    return edit


NO_TYPE = "not an object with a `type` of header, step or result"
ANSWER = {"seat": 0, "answer": "U", "ms": 0.1}
NOTHING = {"seat": 1, "answer": None, "ms": 0.1, "fault": "exit"}


@pytest.mark.parametrize(
    ("edit", "where", "why"),
    [
        # Not JSON.
        (put(2, "hello"), 2, "not JSON: Expecting value at character 1"),
        (put(2, ""), 2, "an empty line"),
        (put(3, LINES[2][:-1]), 3, "not JSON: Expecting ',' delimiter at character"),
        (put(3, LINES[2].replace("12.346", "NaN")), 3, "not JSON: NaN is not allowed in JSON"),
        # The frame.
        (put(2, "17"), 2, NO_TYPE),
        (line(2, type="stop"), 2, NO_TYPE),
        (line(2, type=["step"]), 2, NO_TYPE),
        (lambda lines: lines.pop(0), 1, "the header is missing"),
        (lambda lines: lines.insert(0, lines[-1]), 1, "the header is missing"),
        (lambda lines: lines.insert(2, lines[0]), 3, "a second header"),
        (lambda lines: lines.append(lines[3]), 6, "there is a line after the result"),
        (lambda lines: lines.pop(2), 3, "step 3 where step 2 should be"),
        # The header.
        (line(1, format="referee/2"), 1, "format 'referee/2' is unknown, only 'referee/1' is known"),
        (line(1, format=...), 1, "format None is unknown"),
        (line(1, format="\x1b[31m" * 1000), 1, "format "),
        (line(1, game=...), 1, "game: missing"),
        (line(1, rules="1"), 1, "rules: must be a whole number"),
        (line(1, rng_seed=2**128 + 1), 1, "rng_seed: must be "),
        (line(1, setup=[]), 1, "setup: must be an object"),
        (line(1, players=[]), 1, "players: must have 1 entry or more"),
        (line(1, players=[{"seat": -1, "bot": "x"}]), 1, "players.0.seat: "),
        (line(1, limits={"first": 15, "answer": 0, "total": 1}), 1, "limits.answer: must be 1e-09 or more"),
        (line(1, limits={"first": 15, "answer": 1, "total": 0}), 1, "limits.total: must be 1e-09 or more"),
        (line(1, limits={"first": 5e-324, "answer": 1, "total": 1}), 1, "limits.first: must be 1e-09 or more"),
        (line(1, limits={"first": None, "answer": 1, "total": 1}), 1, "limits.first: must be a number"),
        (line(1, clock="sun"), 1, "clock: must be 'wall' or 'cpu'"),
        (line(1, isolation=None), 1, "isolation: must be an object"),
        # Steps.
        (line(3, round=-1), 3, "round: must be 0 or more"),
        (line(3, answers=[]), 3, "answers: must have 1 entry or more"),
        (line(3, answers=[ANSWER | {"ms": -1}]), 3, "answers.0.ms: must be 0 or more"),
        (line(3, answers=[ANSWER | {"ms": 1e308}]), 3, "answers.0.ms: must be 9.0072e+15 or less"),
        (line(3, answers=[ANSWER | {"cpu": -1}]), 3, "answers.0.cpu: must be 0 or more"),
        (line(3, answers=[ANSWER | {"late": -1}]), 3, "answers.0.late: must be 0 or more"),
        (line(3, answers=[ANSWER | {"late": None}]), 3, "answers.0.late: must be a number"),
        (line(3, answers=[ANSWER | {"cpu": None}]), 3, "answers.0.cpu: must be a number"),
        (line(3, answers=[ANSWER | {"fault": None}]), 3, "answers.0.fault: must be 'timeout'"),
        (line(3, answers=[ANSWER | {"detail": None}]), 3, "answers.0.detail: must be a text in quotes"),
        (line(3, answers=[ANSWER | {"answer": None}]), 3, "answers.0: an answer is null exactly when there is a fault"),
        (line(3, answers=[ANSWER | {"fault": "exit"}]), 3, "answers.0: an answer is null exactly when there is a fault"),
        (line(4, answers=[ANSWER | {"answer": None, "fault": "tired"}]), 4, "answers.0.fault: must be 'timeout'"),
        (line(4, answers=[NOTHING]), 4, "answers.0: a fault needs a `detail` that is not empty"),
        (line(4, answers=[NOTHING | {"detail": ""}]), 4, "answers.0: a fault needs a `detail` that is not empty"),
        (line(3, events=["eat"]), 3, "events.0: must be an object"),
        # The result.
        (line(5, ranking=[{"seat": 0}]), 5, "ranking.0.name: missing"),
        (line(5, rounds=1.0), 5, "rounds: must be a whole number"),
    ],
)  # fmt: skip
def test_each_mistake_is_reported_with_its_line(saved, edit, where, why):
    lines = list(LINES)
    edit(lines)
    saved.write_text("".join(line + "\n" for line in lines))
    error = refusal(saved)
    assert error.line == where
    assert str(error).startswith(f"{saved}, line {where}: {why}")


@pytest.mark.parametrize(
    "created",
    [
        "2026-01-31T12:00:00.123456Z",
        "2026-01-31T12:00:00+00:00",
        "2026-01-31T12:00Z",
        "20260131T120000,5Z",
        "2026-W05-6T12Z",
    ],
)
def test_created_is_a_time_in_utc(saved: Path, created: str) -> None:
    saved.write_text(saved.read_text().replace("2026-01-31T12:00:00Z", created))
    assert load(saved).header.created == created


@pytest.mark.parametrize(
    "created",
    [
        "",
        "2026-01-31T12:00:00",
        "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:00+01:00",
        "2026-02-30T12:00:00Z",
        "2026-01-31T12:00:00 Z",
        "2026-01-31T12:00:00Z\0",
    ],
)
def test_any_other_value_of_created_is_refused(saved: Path, created: str) -> None:
    saved.write_text(saved.read_text().replace('"2026-01-31T12:00:00Z"', json.dumps(created)))
    assert str(refusal(saved)).endswith("line 1: created: must be a UTC time in ISO 8601, such as 2026-01-31T12:00:00Z")


@pytest.mark.parametrize(
    ("data", "where", "why"),
    [
        (b"", 0, "the file is empty"),
        (b"hello", 1, "not JSON: Expecting value"),
        (LINES[0][:50].encode(), 1, "not JSON: "),
        (LINES[0].encode("utf-16") + b"\n", 1, "not UTF-8: byte 1 of the line"),
        (LINES[0].encode("cp1251") + b"\n", 1, "not UTF-8: byte "),
        (b"\xef\xbb\xbfhello", 1, "not JSON: Expecting value at character 1"),
        (LINES[0].encode() + b"\n\xef\xbb\xbf" + LINES[1].encode() + b"\n", 2, "not JSON: "),
        (LINES[0].encode() + b'\n{"type":"\xed\xa0\x80"}\n', 2, "not UTF-8: byte 10 of the line"),
        (b"\x1f\x8bhello", 0, "not a whole gzip file: "),
        (gzip.compress(LINES[0].encode() + b"\n", mtime=0)[:30], 0, "not a whole gzip file: "),
    ],
)
def test_files_that_are_not_saved_games(tmp_path: Path, data: bytes, where: int, why: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    error = refusal(path)
    assert error.line == where
    assert why in str(error)


def test_the_first_and_the_last_line_are_read_whatever_program_wrote_them(saved: Path) -> None:
    whole = load(saved)
    lines = [json.dumps(json.loads(line), sort_keys=True) for line in LINES]
    saved.write_text("\n".join(lines))
    assert ends(saved) == (whole.header, whole.result)
    saved.write_text("\n".join(lines)[:-9])
    assert ends(saved) == (whole.header, None)
    saved.write_text("\n".join(lines[:3]) + "\n")
    assert ends(saved) == (whole.header, None)


def test_an_entry_of_a_long_match_takes_little_memory(saved: Path) -> None:
    steps = load(saved).steps
    assert len({id(entry.model_fields_set) for entry in [*steps, *(step.answers[0] for step in steps)]}) == 1


def test_reading_leaves_the_garbage_collector_as_it_was(saved: Path) -> None:
    load(saved)
    assert gc.isenabled()
    with pytest.raises(SavedGameError):
        load(saved.with_name("missing.jsonl"))
    assert gc.isenabled()


def test_lines_and_files_beyond_the_caps_are_refused(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "MAX_LINE", 1000)
    saved.write_text(LINES[0] + "\n" + "[" * 1001)
    assert str(refusal(saved)).endswith("line 2: too long: 1000 bytes a line and 134217728 in all are read")
    saved.write_bytes(gzip.compress(LINES[0].encode() + b"\n" + b"[" * 10_000_000))
    assert str(refusal(saved)).endswith("line 2: too long: 1000 bytes a line and 134217728 in all are read")
    monkeypatch.setattr(record, "MAX_FILE", 600)
    saved.write_text("\n".join(LINES))
    assert str(refusal(saved)).endswith("too long: 1000 bytes a line and 600 in all are read")


def test_too_many_events_are_refused(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.loads(line) for line in LINES]
    events = sum(len(line["events"]) for line in lines if line["type"] == "step")
    monkeypatch.setattr(record, "MAX_EVENTS", events)
    assert load(saved).result is not None
    lines[2]["events"].append({})
    saved.write_text("".join(json.dumps(line) + "\n" for line in lines))
    last = max(number for number, line in enumerate(lines, 1) if line["type"] == "step" and line["events"])
    assert str(refusal(saved)).endswith(f"line {last}: too long: {events} events in all are read")


def test_a_line_of_the_maximum_length_is_read(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    longest = max(len((line + "\n").encode()) for line in LINES)
    monkeypatch.setattr(record, "MAX_LINE", longest)
    assert load(saved).result is not None
    monkeypatch.setattr(record, "MAX_LINE", longest - 1)
    assert "too long" in str(refusal(saved))


@given(data=st.one_of(st.binary(max_size=200), st.binary(max_size=60).map(lambda tail: b"\x1f\x8b\x08\x00" + tail)))
def test_any_bytes_are_a_record_or_an_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "noise.jsonl"
    path.write_bytes(data)
    refusal(path)


def test_if_the_disk_is_full_during_compression_only_the_uncompressed_file_stays(tmp_path, monkeypatch):
    def full(_plain: int, packed: int, _sync: object) -> None:
        with open(packed, "wb") as file:
            file.write(b"\x1f\x8b")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(record, "_pack", full)
    with pytest.raises(OSError, match=r"a\.jsonl\.gz\.part") as failed:
        write(tmp_path / "a.jsonl.gz")
    assert failed.value.errno == errno.ENOSPC
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl.gz.part"]
    assert load(tmp_path / "a.jsonl.gz.part").cut_off is None
