"""Cells from the referee's side: how they start and end, and that they leave nothing behind.

tests/hostile tests what a player can do from inside.
"""

import errno
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path

import pytest
import trio
import trio.lowlevel

from referee.contract.clock import Clock
from referee.contract.game import FaultKind
from referee.errors import BotError, IsolationError
from referee.games.snakecore.plugin import GAME
from referee.players.process import Process
from referee.players.table import Contender, seat_players
from referee.sandbox.cells import reduced
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.opening import PREPARED, open_sandbox, start
from referee.sandbox.program import Program

pytestmark = pytest.mark.machine

EVERY = [Level.FULL, Level.REDUCED, Level.NONE]
NAME = GAME.start(
    {"size": 4, "rounds": 1, "field": ["...."] * 4, "pythons": [{"cells": [[0, 0]]}, {"cells": [[2, 0]]}]}, 1
).requests()[0]


Bot = partial(Program, trusted=True)


@pytest.fixture(params=[Level.FULL, Level.REDUCED])
def level(request):
    """A level that isolates."""
    return request.param


@pytest.fixture
def script(tmp_path):
    """Makes a bot of a Python program, for Debian's interpreter if there is one.

    Players of a root referee may not reach its own interpreter.
    """

    def make(text, name="bot"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "main.py").write_text(text)
        return Bot(name, [PYTHON, "main.py"], folder)

    return make


PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
ECHO = "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)\n"


async def ended(cell):
    """Waits for a cell that was killed, and closes it; returns the status."""
    with trio.fail_after(20):
        while (status := cell.status()) is None:
            await trio.lowlevel.wait_readable(cell.end)
        await cell.sweep()
    for pipe in (cell.stdin, cell.stdout, cell.stderr):
        pipe.close()
    cell.close()
    return status


async def says(cell, count=1):
    """The next lines of a program."""
    text = b""
    with trio.fail_after(40):
        while text.count(b"\n") < count:
            await trio.lowlevel.wait_readable(cell.stdout)
            chunk = os.read(cell.stdout.fileno(), 65536)
            assert chunk, (text, cell.stderr.read())
            text += chunk
    return text.decode().split("\n")[:count]


def proc(cell, name):
    """A file about a program in the host's /proc."""
    return Path(f"/proc/{cell.pid}/{name}").read_bytes()


def ticks():
    """Now, as /proc has it: a hundredth of a second since boot."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def children_since(began):
    """The children of this process that began later: orphans of killed referees, from earlier tests, may come late."""
    import leftovers  # the referees of these tests import this file, but not that one

    return [pid for pid, start in leftovers.children().items() if start > began]


@pytest.mark.parametrize("level", EVERY)
async def test_a_program_runs_and_its_pid_is_known(level, script):
    with open_sandbox(level) as sandbox:
        cell = await start(sandbox, script("import os, sys\nprint(sys.argv, flush=True)\nsys.stdin.read()"))
        assert await says(cell) == ["['main.py']"]
        program, *_, argument, _ = proc(cell, "cmdline").split(b"\0")
        assert (b"python" in program, argument) == (True, b"main.py")
        cell.kill()
        assert await ended(cell) in {-9, 137}


@pytest.mark.parametrize("level", EVERY)
async def test_the_end_of_a_program_stays_visible(level, script):
    with open_sandbox(level) as sandbox:
        cell = await start(sandbox, script("raise SystemExit(3)"))
        for _ in range(3):
            await trio.lowlevel.wait_readable(cell.end)
            assert cell.status() == 3
        assert await ended(cell) == 3


@pytest.mark.parametrize("level", EVERY)
async def test_a_cell_knows_its_memory_and_whether_it_keeps_its_number(level, script):
    with open_sandbox(level) as sandbox:
        cell = (await sandbox.prepare(script(ECHO))).spawn()
        assert cell.keeps_its_number == (level is not Level.FULL)
        assert cell.memory == (None if level is Level.NONE else Limits().memory)
        cell.discard()


@pytest.mark.parametrize("level", EVERY)
async def test_a_program_can_be_stopped_and_resumed(level, script):
    with open_sandbox(level) as sandbox:
        cell = await start(sandbox, script(ECHO))
        os.write(cell.stdin.fileno(), b"one\n")
        assert await says(cell) == ["one"]
        cell.signal(signal.SIGSTOP)
        while proc(cell, "stat").rpartition(b")")[2].split()[0] != b"T":
            await trio.lowlevel.checkpoint()
        os.write(cell.stdin.fileno(), b"two\n")
        cell.signal(signal.SIGCONT)
        assert await says(cell) == ["two"]
        cell.signal(signal.SIGSTOP)  # a stopped program can be killed too
        cell.kill()
        await ended(cell)


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE])
async def test_a_machine_that_cannot_execute_a_program_is_no_fault_of_the_bot(tmp_path, script, monkeypatch, number):
    """At level reduced; `test_fork_server_cell.py` tests level full."""
    launcher = tmp_path / "launcher.py"
    launcher.write_text(
        "import os, runpy\n"
        f"def execve(*_): raise OSError({number}, os.strerror({number}))\n"
        f"os.execve = execve\nrunpy.run_path({str(reduced._LAUNCHER)!r}, run_name='__main__')\n"
    )
    monkeypatch.setattr(reduced, "_LAUNCHER", launcher)
    with (
        open_sandbox(Level.REDUCED, Limits()) as sandbox,
        pytest.raises(IsolationError, match="no process or memory left"),
    ):
        await start(sandbox, script(ECHO))


async def test_every_limit_is_set_as_requested(level, script):
    limits = Limits(memory=300 * MIB, address_space=4096 * MIB, threads=40, files=50, cpu=77)
    names = ["DATA", "AS", "NOFILE", "CPU", "CORE", "FSIZE", "MSGQUEUE", "MEMLOCK", "STACK"]
    text = f"from resource import *\nprint([getrlimit(globals()['RLIMIT_' + n]) for n in {names}], flush=True)"
    with open_sandbox(level, limits) as sandbox:
        cell = await start(sandbox, script(text + "\ninput()"))
        (line,) = await says(cell)
        expected = [300 * MIB, 4096 * MIB, 50, 77, 0, 0, 0, 64 * 1024, 8 * MIB]
        assert [soft for soft, _ in eval(line)] == expected
        assert [hard for _, hard in eval(line)] == [78 if value == 77 else value for value in expected]
        cell.kill()
        await ended(cell)


async def test_a_player_survives_the_end_of_idle_threads(script, monkeypatch):
    # The kernel sends the parent-death signal when the spawning thread ends. trio's worker threads end after 10 idle seconds.
    with open_sandbox(Level.FULL) as sandbox:
        cell = await start(sandbox, script(ECHO))
        # Only now, because a program whose spawning thread ends before the program asks for the signal does not get it.
        monkeypatch.setattr("trio._core._thread_cache.IDLE_TIMEOUT", 0.05)
        idle = [thread for thread in threading.enumerate() if thread.name.startswith("Trio thread")]
        assert idle
        together = threading.Barrier(len(idle))  # so each thread works once more, and idles with the new limit
        async with trio.open_nursery() as nursery:
            for _ in idle:
                nursery.start_soon(trio.to_thread.run_sync, together.wait)
        for thread in idle:
            thread.join()
        for number in range(200):  # more than the signal needs to arrive
            os.write(cell.stdin.fileno(), b"%d\n" % number)
            assert await says(cell) == [str(number)]
        cell.kill()
        await ended(cell)


REFEREE = """
import sys, trio
from pathlib import Path
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox, start
sys.path.insert(0, sys.argv[1])
from test_cells import Bot

async def main():
    with open_sandbox(Level(sys.argv[2])) as sandbox:
        cell = await start(sandbox, Bot("bot", [sys.argv[3], "main.py"], Path(sys.argv[4])))
        print(cell.pid, flush=True)
        await trio.sleep_forever()

trio.run(main)
"""


def test_players_end_when_their_referee_is_killed(level, script):
    # It reads nothing, so it does not notice the end of its input.
    bot = script("import time\nwhile True: time.sleep(1000)")
    words = [str(Path(__file__).parent), level.value, PYTHON, str(bot.cwd)]
    with subprocess.Popen([sys.executable, "-c", REFEREE, *words], stdout=subprocess.PIPE) as referee:
        pid = int(referee.stdout.readline())
        gone = os.pidfd_open(pid)
        referee.kill()
        referee.wait(30)
        with open(gone, "rb", closefd=True):
            poll = select.poll()
            poll.register(gone)
            assert poll.poll(30_000), "it outlives its referee"


STARTS_NOTHING = """
import contextlib, os, signal, sys, trio
from pathlib import Path
from referee.sandbox import opening
from referee.sandbox.builds import jail
from referee.sandbox.cells.bubblewrap import only_child
from referee.sandbox.limits import Level, Limits
from referee.sandbox.program import Program
sys.path.insert(0, sys.argv[1])
from test_cells import Bot

folder, kind = Path(sys.argv[3]), sys.argv[4]

async def main():
    with contextlib.ExitStack() as stack:
        if kind == "player":
            sandbox = stack.enter_context(opening.open_sandbox(Level.FULL))
            cell = (await sandbox.prepare(Bot("bot", [sys.argv[2], "main.py"], folder))).spawn()
        else:
            cell = jail.Jail("bot", folder, (), Limits(), stack).spawn(["/bin/sleep", "1000"], {})
        while (init := only_child(cell._server.popen.pid)) is None:
            await trio.lowlevel.checkpoint()
        print(init, flush=True)
        sys.stdin.readline()
        os.kill(os.getpid(), signal.SIGKILL)

trio.run(main)
"""


def pytest_folders(path: Path) -> list[Path]:
    """The folders around a test's folder that pytest has made."""
    return list(takewhile(lambda folder: folder != Path(tempfile.gettempdir()), path.parents))


@pytest.mark.parametrize("kind", ["player", "build"])
def test_a_cell_in_which_nothing_was_started_ends_with_its_referee(script, tmp_path, kind):
    bot = script("import time\ntime.sleep(1000)")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for folder in (temporary, *pytest_folders(temporary)):  # lets a pooled uid pass
        folder.chmod(folder.stat().st_mode | 0o011)
    argv = [sys.executable, "-c", STARTS_NOTHING, str(Path(__file__).parent), PYTHON, str(bot.cwd), kind]
    env = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as referee:
        pidfd = os.pidfd_open(int(referee.stdout.readline()))
        referee.stdin.close()
        assert referee.wait() == -signal.SIGKILL
    with open(pidfd, "rb"):
        poll = select.poll()
        poll.register(pidfd)
        assert poll.poll(30_000), "it waits forever"


@pytest.mark.parametrize("text", [ECHO, "print('there', flush=True)"], ids=["killed", "exits"])
async def test_a_program_that_has_ended_leaves_nothing_behind(level, text, script):
    before, began = set(os.listdir("/proc/self/fd")), ticks()
    with open_sandbox(level) as sandbox:
        launch = await sandbox.prepare(script(text))
        for _ in range(5):  # one launch serves any number of spawns
            cell = launch.spawn()
            await cell.settle()
            if text is ECHO:
                cell.kill()
            await ended(cell)
    assert (set(os.listdir("/proc/self/fd")), children_since(began)) == (before, [])


@pytest.mark.parametrize("looks", [0, 1, 2, 5, 20, 60, 200])
async def test_a_cancelled_start_leaves_nothing_behind(looks, script):
    bot = script(ECHO)
    before, began = set(os.listdir("/proc/self/fd")), ticks()
    with open_sandbox(Level.FULL) as sandbox:
        launch = await sandbox.prepare(bot)
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as nursery:
                process = Process(launch)
                nursery.start_soon(process.settle, nursery)
                for _ in range(looks):
                    await trio.lowlevel.checkpoint()
                scope.cancel()
        await process.end(grace=0)
    assert (set(os.listdir("/proc/self/fd")), children_since(began)) == (before, [])


@pytest.mark.parametrize("few", [True, False], ids=["one processor", "all processors"])
async def test_a_cell_that_is_just_made_is_ended_with_the_init_that_it_is_making(few, script):
    processors, began = os.sched_getaffinity(0), ticks()
    os.sched_setaffinity(0, {min(processors)} if few else processors)  # or bubblewrap runs only while the referee waits
    try:
        with open_sandbox(Level.FULL) as sandbox:
            launch = await sandbox.prepare(script(ECHO))
            for number in range(40):
                cell = launch.spawn()
                await trio.sleep(number * 1e-4)  # bubblewrap makes the init in this time
                cell.discard()
                assert len(children_since(began)) <= 1  # the guard
    finally:
        os.sched_setaffinity(0, processors)
    assert children_since(began) == []


async def test_a_sandbox_prepares_a_program_once(level, script, tmp_path):
    launches = []
    bot = script(ECHO)

    async def prepare():
        launches.append(await sandbox.prepare(replace(bot)))

    with open_sandbox(level) as sandbox:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(prepare)
            nursery.start_soon(prepare)
        shutil.rmtree(bot.cwd)  # later matches play with the same copy
        await prepare()
        assert len({id(launch) for launch in launches}) == 1
        one, two = (launch.spawn() for launch in launches[:2])
        try:
            await one.settle()
            await two.settle()
            assert os.getuid() != 0 or len({_uid(one.pid), _uid(two.pid)}) == 2
        finally:
            one.discard()
            two.discard()


async def test_only_the_bots_that_were_used_last_stay_prepared(level, script):
    bot = script(ECHO)

    async def prepared(number):
        return await sandbox.prepare(replace(bot, name=f"bot{number}"))

    descriptors = set(os.listdir("/proc/self/fd"))
    with open_sandbox(level) as sandbox:
        first = await prepared(0)
        folder = first._folder.parent
        last = [await prepared(number) for number in range(1, PREPARED)]
        sandbox.tidy()
        before = len(os.listdir("/proc/self/fd")), len(list(folder.iterdir()))
        assert await prepared(0) is first
        for number in range(PREPARED, PREPARED + 3):
            await prepared(number)
        sandbox.tidy()
        assert (len(os.listdir("/proc/self/fd")), len(list(folder.iterdir()))) == before
        assert await prepared(0) is first
        assert await prepared(4) is last[3]
        fresh = await prepared(3)
        assert fresh is not last[2]
        for launch in (first, fresh):
            cell = launch.spawn()
            await cell.settle()
            cell.discard()
    assert set(os.listdir("/proc/self/fd")) == descriptors


async def test_a_bot_that_is_no_longer_prepared_is_covered_no_more(script):
    with open_sandbox(Level.FULL) as sandbox:
        await sandbox.prepare(script(ECHO, "one"))
        launch = await sandbox.prepare(two := script(ECHO, "two"))
        sandbox.tidy(1)
        assert launch._sandbox.hidden[1:] == [two.cwd]


async def test_a_cell_has_an_empty_network(script):
    with open_sandbox(Level.FULL) as sandbox:
        launch = await sandbox.prepare(script(ECHO))
        for _ in range(2):
            cell = launch.spawn()
            try:
                await cell.settle()
                assert _network_is_empty(cell.pid)
            finally:
                cell.discard()


async def test_a_program_that_cannot_be_prepared_fails_each_time(level, tmp_path):
    (tmp_path / "link").symlink_to("/etc")
    with open_sandbox(level) as sandbox:
        for _ in range(2):
            with pytest.raises(BotError, match="symbolic link"):
                await sandbox.prepare(Bot("bot", ["/usr/bin/python3", "main.py"], tmp_path))


def _network_is_empty(pid):
    of_pid = Path(f"/proc/{pid}")
    names = [line.split(":")[0].strip() for line in (of_pid / "net/dev").read_text().splitlines()[2:]]
    assert os.readlink(of_pid / "ns/net") != os.readlink("/proc/self/ns/net")
    assert names in ([], ["lo"])
    return (of_pid / "net/tcp").read_text().count("\n") == 1  # its heading


def _uid(pid):
    return os.stat(f"/proc/{pid}").st_uid


@pytest.mark.parametrize("text", ["raise SystemExit(3)", "import os; os.close(1); os.close(2); os._exit(0)"])
async def test_a_program_that_ends_immediately_counts_as_started(text, script):
    with open_sandbox(Level.FULL) as sandbox:
        cell = await start(sandbox, script(text))
        await ended(cell)


def test_missing_bubblewrap_is_reported_before_any_bot_is_read(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(IsolationError, match="bubblewrap is not installed"), open_sandbox(Level.FULL):
        pytest.fail("it opens without bubblewrap")


# -- memory ------------------------------------------------------------------------------------------------------------

RESERVES = """
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    int count = 0;
    while (count < 8 && mmap(0, 512L << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
           != MAP_FAILED) count++;
    printf("%d\\n", count);
    fflush(stdout);
    pause();
}
"""


@pytest.mark.parametrize(("version", "count"), [(22, 0), (24, 5)])
async def test_a_newer_node_may_reserve_memory_for_itself_and_four_workers(level, version, count, tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    for name in ("bin", "include/node", "bot"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "node.c").write_text(RESERVES)
    (tmp_path / "include/node/node_version.h").write_text(f"#define NODE_MAJOR_VERSION {version}\n")
    node = str(tmp_path / "bin/node")
    await trio.run_process(["gcc", "-static", "-o", node, str(tmp_path / "node.c")], capture_stderr=True)
    for parent in (tmp_path, *pytest_folders(tmp_path)):
        parent.chmod(0o755)  # a root referee's players have their own uids
    with open_sandbox(level, Limits(memory=128 * MIB)) as sandbox:
        cell = await start(sandbox, Bot("n", [node], tmp_path / "bot"))
        assert await says(cell) == [str(count)]
        cell.kill()
        await ended(cell)


MAPS = """
import mmap, sys
print(input() and "greedy", flush=True)
book = open("book", "rb")
held = mmap.mmap(book.fileno(), 0, prot=mmap.PROT_READ)
total = sum(held[at] for at in range(0, len(held), 4096))
sys.stdin.read()
"""


async def test_memory_that_no_kernel_limit_counts_is_found_by_measuring(level, script):
    """The pages of a mapped file do not count as data segment."""
    bot = script(MAPS)
    (bot.cwd / "book").write_bytes(bytes(120 * MIB))
    with open_sandbox(level, Limits(memory=64 * MIB)) as sandbox:
        async with seat_players(sandbox, GAME, [Contender(bot)]) as (player,):
            answer = await player.ask(NAME, Clock(GAME.time))
            assert answer.action == "greedy", (answer, player.last_words(5))
            while not player._process.is_over():  # noqa: ASYNC110 (there is no event for the end of a process)
                await trio.sleep(0.01)
            fault = (await player.ask(NAME, Clock(GAME.time))).action
    assert fault.kind is FaultKind.SANDBOX
    assert fault.detail.endswith("MiB of memory, 64 are allowed")


# -- records -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", EVERY)
async def test_the_isolation_in_force_can_be_written_into_a_saved_game(level):
    with open_sandbox(level) as sandbox:
        parts = json.loads(json.dumps(dict(sandbox.parts)))
        assert sandbox.level is level
    by_level = {Level.FULL: {"namespaces", "calls", "memory"}, Level.REDUCED: {"files", "calls", "memory"}}
    assert set(parts) == by_level.get(level, set())
