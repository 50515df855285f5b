"""Processes of jobs: what they say, how they end, and how many there are. Programs of one line play their parts."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from anyio import create_task_group

from referee.studio import jobs as room
from referee.studio.jobs import Job, Jobs
from referee.web.answers import Refusal
from referee.web.events import Events

pytestmark = pytest.mark.machine
SAYS = "import json, os, sys; request = json.loads(sys.stdin.readline()); say = lambda **it: print(json.dumps(it), flush=True); "


class Heard(Events):
    """Keeps what is published."""

    def __init__(self) -> None:
        super().__init__()
        self.published: list[tuple[str, Any]] = []

    def publish(self, kind: str, document: Any) -> None:
        self.published.append((kind, document))


@asynccontextmanager
async def working(
    monkeypatch: pytest.MonkeyPatch, program: str, folder: Path = Path("/"), heard: Heard | None = None
) -> AsyncIterator[Jobs]:
    """Jobs whose process is a program in Python."""
    monkeypatch.setattr(room, "WORK", (sys.executable, "-P", "-c", SAYS + program))
    jobs = Jobs(folder, heard or Heard())
    async with create_task_group() as jobs.tasks:
        yield jobs
        jobs.tasks.cancel_scope.cancel()


def job(name: str = "job", kind: str = "match", **more: Any) -> Job:
    """A job whose events say its state."""
    return Job(name, kind, {"word": name}, lambda job: {"state": job.state}, **more)


async def test_a_job_reports_and_brings_a_result(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = "say(event='step', n=1); say(event='step', n=2); say(result=[request['word'], sys.argv[1], os.getcwd()])"
    heard, done = Heard(), job()
    async with working(monkeypatch, program, tmp_path, heard) as jobs:
        await jobs.start(done).ended.wait()
    assert (done.state, done.result, done.error) == ("done", ["job", "match", str(tmp_path)], None)
    assert heard.published == [
        ("match", {"state": "playing"}),
        ("step", {"id": "job", "n": 1}),
        ("step", {"id": "job", "n": 2}),
        ("match", {"state": "done"}),
    ]
    assert done.news == {"step": {"n": 2}}


@pytest.mark.parametrize(("program", "error"), [
    ("say(error='no such\\x1b bot')", "no such� bot"),
    ("print('garbage')", "its process says what nobody understands"),
    ("print('[1]')", "its process says what nobody understands"),
    ("say(event=7)", "its process says what nobody understands"),
    ("pass", "its process ended: it says nothing"),
    ("sys.exit('what is this?')", "its process ended: what is this?"),
    ("os.kill(os.getpid(), 9)", "its process ended: it says nothing"),
    ("sys.stdout.write('{\"result\": 1}')", "its process ended: it says nothing"),  # a line that is cut off
])  # fmt: skip
async def test_a_job_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, program: str, error: str) -> None:
    heard, failed = Heard(), job()
    async with working(monkeypatch, program, heard=heard) as jobs:
        await jobs.start(failed).ended.wait()
    assert (failed.state, failed.error) == ("failed", error)
    assert heard.published[-1] == ("match", {"state": "failed"})


async def test_a_line_without_an_end_ends_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LINE_BYTES", 1000)
    async with working(monkeypatch, "sys.stdout.write('x' * 200_000); sys.stdout.flush(); sys.stdin.read()") as jobs:
        failed = job()
        await jobs.start(failed).ended.wait()
    assert (failed.state, failed.error) == ("failed", "its process says what nobody understands")


async def test_a_folder_that_is_gone_fails_a_job(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with working(monkeypatch, "", tmp_path / "gone") as jobs:
        failed = job()
        await jobs.start(failed).ended.wait()
    assert (failed.state, failed.error) == ("failed", "no process can be started: No such file or directory")


async def test_a_job_hears_lines_and_ends_with_its_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    """What its process says after a wrong line is not heard."""
    program = "say(event='heard', line=json.loads(sys.stdin.readline())); say(); sys.stdin.read(); say(result=1)"
    async with working(monkeypatch, program) as jobs:
        stopped = job()
        jobs.start(stopped)
        await _until(lambda: stopped.state == "playing")
        await stopped.tell({"answer": "é"})
        await stopped.ended.wait()
        await stopped.tell({"answer": "late"})
    assert stopped.news["heard"] == {"line": {"answer": "é"}}
    assert (stopped.state, stopped.result) == ("failed", None)


async def test_lines_to_a_job_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is longer than the pipe, so that the first is under way when the second comes."""
    program = "say(event='ready'); say(result=[len(json.loads(sys.stdin.readline())['text']) for _ in range(2)])"
    async with working(monkeypatch, program) as jobs:
        done = job()
        jobs.start(done)
        await _until(lambda: "ready" in done.news)
        async with create_task_group() as tasks:
            for size in (300_000, 200_000):
                tasks.start_soon(done.tell, {"text": "x" * size})
        await done.ended.wait()
    assert sorted(done.result) == [200_000, 300_000]


async def test_a_job_that_does_not_end_is_killed_with_what_it_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(room, "END_TIME", 0.1)
    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    program = (
        "import signal; held = open('held', 'w'); "
        "os.fork() or signal.pause(); say(event='pid', pid=os.getpid()); say(); signal.pause()"
    )
    async with working(monkeypatch, program, tmp_path) as jobs:
        stuck = job()
        jobs.start(stuck)
        await stuck.ended.wait()
    await trio.lowlevel.wait_readable(held)  # both have closed it
    os.close(held)
    with pytest.raises(ProcessLookupError):
        os.kill(stuck.news["pid"]["pid"], 0)


async def test_matches_wait_for_each_other_but_not_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0})
    async with working(monkeypatch, "say(event='on'); sys.stdin.readline(); say(result=1)") as jobs:
        first, second, person, check = job("1"), job("2"), job("3", people=True), job("4", "check")
        jobs.start(first)
        await _until(lambda: "on" in first.news)
        for each in (second, person, check):
            jobs.start(each)
        await _until(lambda: "on" in person.news and "on" in check.news)
        assert second.state == "queued"
        await first.tell({})
        await _until(lambda: "on" in second.news)
        assert (first.state, second.state) == ("done", "playing")
        assert [each.id for each in jobs.of("match")] == ["1", "2", "3"]
        assert jobs.get("4", "match") is None


async def test_a_job_is_stopped_while_it_works_and_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    async with working(monkeypatch, "say(event='on'); sys.stdin.readline(); say(result=1)") as jobs:
        first, second, third = (job(name, "check") for name in "123")
        jobs.start(first)
        await _until(lambda: "on" in first.news)
        for each in (second, third):
            jobs.start(each)
        for each in (second, first):
            each.scope.cancel()
            await each.ended.wait()
            assert (each.state, each.error) == ("failed", "it was stopped")
        await _until(lambda: "on" in third.news)
        await third.tell({})
        await third.ended.wait()
        third.scope.cancel()
        assert (third.state, third.result) == ("done", 1)


async def test_jobs_are_limited_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_WAITING", 1)
    monkeypatch.setattr(room, "KEPT_JOBS", 1)
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0})
    async with working(monkeypatch, "sys.stdin.readline(); say(result=1)") as jobs:
        first, second, third = (job(name) for name in "123")
        jobs.start(first)
        await _until(lambda: first.state == "playing")
        jobs.start(second)
        with pytest.raises(Refusal, match="too many jobs wait"):
            jobs.start(third)
        for each in (first, second):
            await _until(lambda each=each: each.state == "playing")
            await each.tell({})
            await each.ended.wait()
        jobs.start(third)
        assert [each.id for each in jobs.of("match")] == ["2", "3"]


async def _until(condition: Any) -> None:
    """Let the others work until something is so; the test has a limit."""
    while not condition():  # noqa: ASYNC110 - processes have no events
        await trio.sleep(0.005)
