"""Programs of strangers, started without a sandbox and in cells."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import HTTPServer
from pathlib import Path
from typing import Final

import pytest
from hostile.catalogue import HERE
from hostile.running import Cells
from hostile.surroundings import Page, Surroundings

from referee.sandbox.program import Program

pytestmark = pytest.mark.machine  # of every file here

COMPILE: Final = ["gcc", "-std=gnu17", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"]
QUICK: Final = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]
"""For the virtual machine of the Java compiler, which runs only for about a second."""
PYTHON: Final = shutil.which("python3", path="/usr/bin") or sys.executable
"""The machine's own Python, if there is one: players with any uid can reach it at every level."""


Bots = Callable[[Path], Program]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Compiles a program, once a session, into its own folder; returns the folder."""
    folder = tmp_path_factory.mktemp("compiled")

    def compile_one(source: Path) -> Path:
        target = folder / source.stem
        if source.suffix == ".c":
            call = [_installed("gcc"), *COMPILE[1:], "-o", str(target / source.stem), str(source), "-lrt"]
        else:
            call = [_installed("javac"), *QUICK, "-d", str(target), str(source)]
        if not target.exists():
            target.mkdir()
            subprocess.run(call, check=True)
        return target

    return compile_one


@pytest.fixture(scope="session")
def bot(compiled: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Bots:
    """Makes a bot of a program's source."""
    folder = tmp_path_factory.mktemp("interpreted")

    def make(source: Path) -> Program:
        if source.suffix == ".c":
            path = compiled(source)
            return Program(source.stem, [str(path / source.stem)], path)
        if source.suffix == ".java":
            return Program(source.stem, [_installed("java"), "-cp", ".", source.stem], compiled(source))
        path = folder / source.stem
        if not path.exists():
            path.mkdir()
            shutil.copy(source, path)
        interpreter = [PYTHON, "-S"] if source.suffix == ".py" else [_installed("node")]
        return Program(source.stem, [*interpreter, source.name], path)

    return make


@pytest.fixture(scope="module")
def cells() -> Iterator[Cells]:
    """The cells in which programs make their attacks."""
    with ExitStack() as stack:
        yield Cells(stack)


@pytest.fixture(scope="session")
def web() -> Iterator[HTTPServer]:
    """A web page for everybody."""
    with HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def surroundings(
    compiled: Callable[[Path], Path], web: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Surroundings]:
    """The targets, and a referee that is careless with its environment, its descriptors and its signals."""
    monkeypatch.setenv("SECRET", "secret")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hostile-")))
        folder.chmod(0o755)
        careless = os.open(os.devnull, os.O_WRONLY)
        stack.callback(os.close, careless)
        os.set_inheritable(careless, True)
        program = compiled(HERE / "victim.c") / "victim"
        victim = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        stack.enter_context(victim)
        stack.callback(victim.kill)
        # Like a program that was started with nohup, in the background of a script, or with blocked signals.
        for number in (signal.SIGHUP, signal.SIGQUIT):
            stack.callback(signal.signal, number, signal.signal(number, signal.SIG_IGN))
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
        stack.callback(signal.pthread_sigmask, signal.SIG_SETMASK, blocked)
        yield Surroundings(folder, victim, web.server_port, stack)


def _installed(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program} is not installed")
    return path
