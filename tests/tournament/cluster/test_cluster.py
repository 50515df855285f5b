"""Tournaments on clusters of real processes: workers that are lost, that come later, that are refused."""

import json
import os
import re
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tournament.cluster.conftest import SETTINGS_THERE, Cluster, Processes, endless, outcome
from tournament.conftest import Cup, children, gated, match_rows, progress

import referee

# The limit is for a busy machine: the tests wait for what processes say.
pytestmark = [pytest.mark.machine, pytest.mark.timeout(600)]

MOODY = """\
import os, sys
if os.getpriority(os.PRIO_PROCESS, 0) == {unfit}: sys.exit("no such library")
"""
"""The beginning of a bot that tells machines apart by their priority."""


def test_matches_with_a_worker_killed_midway_are_those_of_one_process(cup: Cup, alone: Any) -> None:
    cup.says(SETTINGS_THERE)
    with gated(cup, 6):  # two trials on each worker, and two matches, of which one ends
        process = cup.start("run", cup.folder, "--cluster=local:2")
        next(progress(process))
        [worker, *_] = children(process.pid, b"dask_worker")
        os.kill(worker, signal.SIGKILL)
    process.communicate()
    assert process.returncode == 0
    rows, _, digests = alone
    assert len(rows) == len(digests) == 12
    assert outcome(cup) == alone
    failures = cup.json("status", cup.folder)["failures"]
    assert failures
    assert all(failure["why"].startswith("its worker was lost: ") for failure in failures)


def test_a_coordinator_that_is_killed_goes_on_with_another_worker(cup: Cup, cluster: Cluster, alone: Any) -> None:
    """The first worker is killed too, while nobody looks; the one that plays the rest comes when the run waits for it."""
    cluster.worker("first")
    with gated(cup, 3), cup.start("run", cup.folder, f"--cluster={cluster.address}") as process:  # two are trials
        next(progress(process))
        process.kill()
        cluster.workers["first"].kill()
    with cup.start("run", cup.folder, f"--cluster={cluster.address}") as process:
        assert process.stderr is not None
        assert any("no TLS" in line for line in process.stderr)
        cluster.worker("second")
        output = process.stderr.read()
        assert process.wait() == 0
    assert re.search(r"\(tcp://\S+\): 1 match at a time; saved games in \S+/cup/games", output)
    assert outcome(cup) == alone


def test_saved_games_stay_on_workers_that_do_not_see_the_folder_until_they_cannot_be_saved(
    cup: Cup, cluster: Cluster
) -> None:
    """A worker, as on another machine, has a folder of its own, which becomes unusable. It is refused, and nothing is void."""
    games = cup.folder / "games"
    games.mkdir()
    hide = f'mount -t tmpfs none {games} && exec "$@"'
    if os.system(f"unshare -rm sh -c 'mount -t tmpfs none {games}' 2>/dev/null"):
        pytest.skip("no namespaces for mounts here")
    cluster.worker("far", "unshare", "-rm", "sh", "-c", hide, "-")
    output = ""
    with gated(cup, 3):  # two trials, and a match
        process = cup.start("run", cup.folder, f"--cluster={cluster.address}")
        assert process.stderr is not None
        for line in process.stderr:
            output += line
            if line.startswith("Finished game 1 of"):
                break
        match = re.search(r"saved games in (\S+)", output)
        assert match is not None
        folder = Path(match[1])
        assert (folder.is_relative_to(cup.folder), folder.name) == (False, "games")
        away = folder.rename(f"{folder}.away")
        folder.write_text("")
    for line in process.stderr:
        output += line
        if "gets no matches" in line:
            assert str(folder) in line  # "File exists", or "Not a directory" if a game was just being saved
            cluster.worker("good")
    process.communicate()
    assert process.returncode == 0
    assert "gets no matches" in output
    assert "void" not in output
    assert len(match_rows(cup)) == 12
    assert cup("check", cup.folder, "--games").code == 1
    for path in away.iterdir():
        if not (games / path.name).exists():  # the good worker has played those again that were not reported
            shutil.copy(path, games)
    cup.ok("check", cup.folder, "--games")


def test_a_copy_of_the_folder_takes_the_workers_over_and_a_scheduler_that_is_lost_stops_both_runs(
    cup: Cup, processes: Processes
) -> None:
    endless(cup)
    scheduler, address = processes.scheduler()
    Cluster(address, processes).worker("good")
    copy = Cup(cup.folder.parent / "copy", cup.environ)
    with cup.start("run", cup.folder, f"--cluster={address}") as first:
        next(progress(first))
        shutil.copytree(cup.folder, copy.folder, ignore=shutil.ignore_patterns("running"))
        with copy.start("run", copy.folder, f"--cluster={address}") as second:
            next(progress(second))
            assert first.stderr is not None
            refused = next(line for line in first.stderr if "gets no matches" in line)
            scheduler.kill()
            _, after = second.communicate()
            _, before = first.communicate()
    assert "or of a copy of its folder, has taken this worker over" in refused
    assert (first.returncode, second.returncode) == (1, 1), before + after
    for end in (before, after):
        assert "referee: the scheduler of the cluster is gone" in end.splitlines()[-1]
        assert "Traceback" not in end


def test_dask_is_not_installed(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("referee.tournament.cluster.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = cup("run", cup.folder, "--cluster=local:1")
    assert ran.code == 2
    assert "a cluster needs Dask, which is not installed: " in ran.err.splitlines()[-1]


def test_workers_without_a_referee_or_what_a_bot_needs_are_refused(cup: Cup, cluster: Cluster, tmp_path: Path) -> None:
    """The priority of a worker stands for a library that it lacks. `test_admission.py` has more reasons."""
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    cup.only("dipsas")  # so that moody plays in all matches
    moody = cup.bot("moody", "N")
    moody.write_text(MOODY.format(unfit=usual + 1) + moody.read_text())
    endless(cup)
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "referee.py").write_text("raise ModuleNotFoundError('No module named referee')")
    cluster.worker("good")
    output, refused = "", list[str]()
    with cup.start("run", cup.folder, f"--cluster={cluster.address}") as process:
        assert process.stderr is not None
        for line in process.stderr:
            output += "" if line.startswith("Finished") else line
            if line.startswith("Finished game 1 of"):
                cluster.worker("unfit", "nice", "-n", "1")
                cluster.worker("none", PYTHONPATH=str(tmp_path / "none"))
            refused += [line] if "gets no matches" in line else []
            if len(refused) == 2:
                process.send_signal(signal.SIGINT)
    for why in (
        r"gets no matches until it is started anew: it has no referee, or another one \(",
        "moody runs on this machine and not there: exit at getName: .*no such library",
    ):
        assert [line for line in refused if re.search(why, line)], output
    assert {row["reason"] for row in match_rows(cup)} == {"rounds"}
    unfit = cluster.workers["unfit"]
    unfit.terminate()
    assert unfit.stderr is not None
    assert "referee: no matches for this worker: moody runs" in unfit.stderr.read()


def test_a_worker_takes_over_its_machine_from_one_that_is_lost_and_gets_new_bots(cup: Cup, cluster: Cluster) -> None:
    """A ladder, with one match at a time on the machine of both workers."""
    endless(cup, 'kind = "ladder"')
    cluster.worker("first")
    places = []
    with cup.start("run", cup.folder, f"--cluster={cluster.address}", "--jobs=1") as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "1 match at a time" in line:
                places.append(line)
                cluster.worker("second") if len(places) == 1 else cup.bot("newcomer", "UULL")
            if "waits: other workers have the processors of its machine" in line:
                assert len(places) == 1
                cluster.workers["first"].kill()
            if line.startswith("Finished") and "newcomer" in line:
                process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    assert len(places) == 2
    assert "newcomer" in json.dumps(match_rows(cup))


@pytest.mark.parametrize(
    ("where", "why"),
    [("tcp://127.0.0.1:1", "no scheduler of Dask answers"), ("local:0", "the number of workers must be 1 to 99")],
)
def test_there_is_no_such_cluster(cup: Cup, where: str, why: str) -> None:
    ran = cup("run", cup.folder, f"--cluster={where}")
    assert ran.code == 2
    assert f"--cluster {where}: {why}" in ran.err.splitlines()[-1]


def unused_port() -> int:
    """A port below those that the kernel gives to whoever asks for any: nobody gets it meanwhile."""
    lowest = max(32768, int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0]))
    while True:
        port = lowest - 1 - secrets.randbelow(lowest // 2)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def test_the_commands_of_the_manual_and_a_bot_that_fails_everywhere(cup: Cup) -> None:
    """The scheduler and the worker run until the tournament is over. The bot is to blame, and not the worker."""
    cup.only("asp", "boa")
    cup.says(SETTINGS_THERE)
    (cup.folder / "bots" / "moody.py").write_text("import sys\nsys.exit('no idea')\n")
    manual = (Path(referee.__file__).parent / "docs" / "tournaments.md").read_text()
    block = re.search(r"^## A cluster$.*?^```bash$(.*?)^```$", manual, re.MULTILINE | re.DOTALL)
    assert block is not None
    port = unused_port()
    scheduler, worker, run = block[1].strip().replace("node1", "127.0.0.1").replace("8786", str(port)).splitlines()
    python = shlex.quote(sys.executable)
    script = f"""
        dask() {{ command=$1; shift; exec {python} -m distributed.cli.dask_$command "$@"; }}
        {scheduler} & scheduler=$!
        {worker} & worker=$!
        {python} -m {run}
        code=$?
        kill $worker $scheduler
        wait
        exit $code
    """
    done = subprocess.run(
        ["sh", "-c", script], cwd=cup.folder.parent, env=cup.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "6 matches in 3 series" in done.stdout
    assert "moody: exit}" in done.stderr
