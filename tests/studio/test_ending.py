"""How a studio ends: by signals within seconds, and when it is killed: nothing is left."""

import math
import os
import select
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.conftest import Ran, in_process
from studio.studios import COMMAND, Studio, opened
from web.raw import PATIENCE

pytestmark = pytest.mark.machine


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[Studio]:
    """A studio with the page of a match, a match in cells, a match of a person, and a comparison."""
    (tmp_path / "folder").mkdir()
    with opened(tmp_path / "folder", tmp_path / "home") as studio:
        page = studio.played(studio.start("matches", {"game": "ava", "seats": ["asp", "asp"], "rounds": 1}))["url"]
        assert studio.get(page).status == 200
        running = [
            studio.start("matches", {"game": "snakecore", "seats": ["cmd:sleep 1000", "cmd:sleep 1000"]}),
            studio.start("matches", {"game": "viper", "seats": ["human", "adder"]}),
            studio.start("comparisons", {"game": "viper", "new": "adder", "old": "krait"}),
        ]
        for each in running:
            path = each["url"] if each["url"].startswith("/api") else f"/api/v1{each['url']}"
            studio.until(path, lambda state: state["state"] != "queued")
        studio.until(f"/api/v1{running[1]['url']}/live", bool)
        yield studio


def left(studio: Studio) -> dict[int, str]:
    """The processes that have the environment of a studio, and their command lines."""
    mark = f"TMPDIR={studio.environ['TMPDIR']}".encode()
    processes = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (path / "environ").read_bytes().split(b"\0"):
                processes[int(path.name)] = (path / "cmdline").read_text().replace("\0", " ")
        except OSError:
            pass
    return processes


def test_a_signal_ends_everything(busy: Studio) -> None:
    assert len(left(busy)) > 3, "the studio, and a process for each job"
    with busy.following() as events:
        busy.process.send_signal(signal.SIGINT)
        list(events)  # the stream ends
        busy.process.wait(PATIENCE)
    assert busy.process.returncode == 130
    assert left(busy) == {}
    assert os.listdir(busy.environ["TMPDIR"]) == []
    assert busy.process.stderr is not None
    assert busy.process.stderr.read() == "referee: interrupted (SIGINT)\n"


def test_a_job_that_is_killed_fails_and_nothing_is_left_of_a_studio_that_is_killed(busy: Studio) -> None:
    # The first: a child that a job is just starting looks like the job itself until it is executed.
    job = min((pid for pid, command in left(busy).items() if "referee.studio.work match" in command), key=_began)
    os.kill(job, signal.SIGKILL)
    played = busy.until("/api/v1/matches", lambda state: any(match["state"] == "failed" for match in state["matches"]))
    [match] = [match for match in played["matches"] if match["state"] == "failed"]
    over = busy.get(f"/api/v1{match['url']}").json
    assert over["result"] is None
    assert over["error"].startswith("its process ended")
    assert busy.get("/").status == 200
    busy.process.kill()
    busy.process.wait(PATIENCE)
    while processes := left(busy):
        for pid in processes:
            _wait_for_end(pid)
    assert os.listdir(busy.environ["TMPDIR"]) == []


def _began(pid: int) -> float:
    """When a process began, in hundredths of a second since boot. Ids are used again, so they do not tell."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return math.inf


def _wait_for_end(pid: int) -> None:
    """Wait for the end of a process that is no child of ours."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    poll = select.poll()
    poll.register(process, select.POLLIN)
    assert poll.poll(1000 * PATIENCE), "it is still there"
    os.close(process)


@pytest.mark.parametrize(("words", "says"), [
    (["nothing"], "there is no folder nothing: name the one with your bots and saved games"),
    (["--port", "65536"], "port 65536: a port is a number from 0 to 65535"),
])  # fmt: skip
def test_a_studio_that_cannot_open_says_why(tmp_path: Path, words: list[str], says: str) -> None:
    assert in_process(tmp_path, os.environ, "studio", *words, "--no-browser") == Ran(2, "", f"referee: {says}\n")


def test_the_first_line_is_the_address(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "studio", "--no-browser"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert line.startswith("studio at http://127.0.0.1:")
    assert len(line.strip().partition("/#")[2]) == 32
    assert process.returncode == 130


def test_without_the_extra_the_command_says_how_to_install_it(tmp_path: Path) -> None:
    for name in ("starlette", "hypercorn"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / name / "__init__.py").write_text(f"raise ModuleNotFoundError(name={name!r})")
    done = subprocess.run(
        [*COMMAND, "studio", "--no-browser"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("referee: the studio needs Starlette and Hypercorn, which are not installed: ")
    assert done.stderr.endswith("-m pip install 'referee[web]'\n")
