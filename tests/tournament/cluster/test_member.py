"""A worker's side: batches in a worker process."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tournament.conftest import OPENING

from referee.tournament.cluster import member
from referee.tournament.cluster.member import Member
from referee.tournament.worker_process import WorkerProcess

FAKE = """
import json, sys
opening = sys.stdin.readline()
for line in sys.stdin:
    if line == "die\\n":
        sys.exit("out of luck")
    print(json.dumps({"failed": line.strip()}), flush=True)
"""


@pytest.fixture
def worker() -> Iterator[Member]:
    """A member whose worker processes answer with the job."""
    member = Member("run", OPENING, [sys.executable, "-c", FAKE])
    yield member
    member.end()


def test_a_passport_tells_the_code_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "referee"
    package.mkdir()
    monkeypatch.setattr("referee.__file__", str(package / "__init__.py"))
    passports = list[str]()
    for name, text in (("__init__.py", ""), ("__init__.py", "# other code\n"), ("rules.py", ""), ("notes.txt", "")):
        (package / name).write_text(text)
        passports.append(member.passport())
    assert len(set(passports)) == 3
    assert passports[2] == passports[3]


def test_a_batch_is_answered_in_order(worker: Member) -> None:
    assert worker.play(["a", "b"]) == [{"failed": "a"}, {"failed": "b"}]


def test_a_process_that_dies_is_replaced_and_says_why(worker: Member) -> None:
    assert worker.play(["a", "die", "b"]) == [
        {"failed": "a"},
        {"failed": "its worker ended with exit code 1: out of luck"},
        {"failed": "b"},
    ]


def test_an_answer_that_is_none_is_a_failed_try() -> None:
    lines = ('{"row": {"seats": []}}', '{"failed": "a", "stop": "b"}', "{}", "null", "Traceback", '{"failed": 7}')
    for line in (*lines, "", '{"failed": "a"}, {"failed": "b"}'):
        fake = f"import sys; sys.stdin.readline(); sys.stdin.readline(); print({line!r})"
        process = WorkerProcess(OPENING, [sys.executable, "-c", fake])
        answer = process.ask("a")
        process.end()
        assert answer is not None
        assert answer["failed"].startswith("its worker answered something else: ")


def test_a_batch_that_takes_too_long_ends_with_the_match_that_is_played(
    worker: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(member, "BATCH_LIMIT", 0.0)
    assert worker.play(["a", "b"]) == [{"failed": "a"}]


def test_a_member_that_has_left_plays_nothing(worker: Member) -> None:
    worker.end()
    assert worker.play(["a", "b"]) == [{"stop": member.TAKEN_OVER}]
