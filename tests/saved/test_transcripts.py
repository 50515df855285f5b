"""Transcripts: the exact bytes of a match, and which step each of them belongs to."""

from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.contract.game import Answer, Step
from referee.errors import UsageError
from referee.saved.entries import Header
from referee.saved.transcripts import reading, writing
from referee.saved.transcripts.index import Index, Misfit
from referee.saved.transcripts.reading import Transcript
from referee.saved.transcripts.writing import TranscriptWriter

MATCH = {"game": "ants", "rng_seed": 7, "created": "2026-01-31T12:00:00Z"}
HEADER = b'{"type":"header","format":"referee-transcript/1","game":"g","rng_seed":1,"created":"","seats":2}\n'


def header(seats: int = 2, **more: Any) -> Header:
    values: Any = SimpleNamespace(**{**MATCH, **more}, players=[None] * seats)
    return values  # type: ignore[no-any-return]


def asked(number: int, *seats: int) -> Step:
    return Step(number, 1, "getAction", [Answer(seat, "N", "N", 0.1) for seat in seats], [])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The transcript of a match of three steps: seat 0, seat 1, both. The last log of seat 1 came after its answer."""
    with ExitStack() as stack:
        writer = TranscriptWriter(tmp_path, **MATCH, seats=2, stack=stack)  # type: ignore[arg-type]
        first, second = writer.seats
        first.logged("früh\n".encode())
        writer.step(asked(1, 0))
        first.logged(b"pondering\n")
        second.logged(b"one")
        writer.step(asked(2, 1))
        first.logged(b"now\n")
        writer.step(asked(3, 0, 1))
        second.logged(b"after the end")
    return tmp_path


def test_a_log_belongs_to_the_step_of_the_next_answer(folder):
    log = Transcript(folder, header()).log
    assert [log(step, 0) for step in (1, 2, 3, 4)] == ["früh\n", "", "pondering\nnow\n", ""]
    assert [log(step, 1) for step in (1, 2, 3, 4)] == ["", "one", "", ""]
    assert log(1, 2) == log(0, 0) == log(1, -1) == ""


def test_a_log_is_truncated_at_its_cap(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "LOG_CAP", 10)
    with ExitStack() as stack:
        writer = TranscriptWriter(tmp_path, **MATCH, seats=2, stack=stack)  # type: ignore[arg-type]
        first, second = writer.seats
        for part in (b"12345", b"6789abc", b"def", b"ghi"):
            first.logged(part)
        second.logged(b"1234567890")
        first.received(b"0123456789abc")
        writer.step(asked(1, 0))
    assert (tmp_path / "seat0.err").read_bytes() == b"123456789a\n[the rest of the log was left out]\n"
    assert (tmp_path / "seat0.out").read_bytes() == b"0123456789abc"
    assert Transcript(tmp_path, header()).log(1, 0).endswith("left out]\n")


def test_a_long_log_of_a_step_is_shown_with_both_ends(folder, monkeypatch):
    monkeypatch.setattr(reading, "MOST_LOG", 8)
    assert Transcript(folder, header()).log(3, 0) == "pond\n[6 bytes left out]\nnow\n"


def test_a_match_that_was_killed_leaves_the_steps_so_far(folder):
    index = folder / "index.jsonl"
    index.write_bytes(index.read_bytes()[:-9])
    assert [Transcript(folder, header()).log(step, 0) for step in (1, 3)] == ["früh\n", ""]


@pytest.mark.parametrize("other", [{"rng_seed": 8}, {"game": "ava"}, {"created": "2026-01-31T12:00:01Z"}, {"seats": 3}])
def test_the_transcript_of_another_match_is_refused(folder, other):
    with pytest.raises(UsageError, match=r"is the transcript of another match .ants, seed 7"):
        Transcript(folder, header(**other))


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda folder: (folder / "index.jsonl").unlink(), r"has no index\.jsonl: name a folder"),
        (lambda folder: (folder / "index.jsonl").write_bytes(b"\xff\n"), "not the index of a transcript: line 1"),
    ],
)
def test_a_damaged_transcript_is_refused_in_one_line(folder, damage, why):
    damage(folder)
    with pytest.raises(UsageError, match=why) as refused:
        Transcript(folder, header())
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"step":2,"ends":[]}', "not the line of step 1"),
        ("[]", "not the line of step 1"),
        ('{"step":1,"ends":[[2,0,0,0]]}', "each of `ends`"),
        ('{"step":1,"ends":[[0,0,0]]}', "each of `ends`"),
        ('{"step":1,"ends":[[0,0,0,true]]}', "each of `ends`"),
        ('{"step":1,"ends":[[0,0,0,-1]]}', "each of `ends`"),
        (f'{{"step":1,"ends":[[0,0,0,{2**53 + 1}]]}}', "each of `ends`"),
        ('{"step":1,"ends":[[0,0,0,9],[0,0,0,8]]}', "a file of seat 0 gets shorter"),
        ("{", "not JSON"),
    ],
)
def test_an_index_that_contradicts_itself_is_refused(line, why):
    with pytest.raises(Misfit, match=f"^line 2: {why}"):
        Index(HEADER + line.encode() + b"\n")


@pytest.mark.parametrize(
    "first", [b"", b"{}\n", HEADER.replace(b"/1", b"/2"), HEADER.replace(b'"seats":2', b'"seats":0')]
)
def test_an_index_needs_its_header(first):
    with pytest.raises(Misfit, match=r"header|line 1"):
        Index(first)
