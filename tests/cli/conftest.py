"""Fixtures that run the command line in an empty folder, with an empty history and a minimal environment."""

import gc
import io
import json
import os
import pty
import shlex
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from installing import describe

from referee import cli, games
from referee.files import plugins
from referee.sandbox.cells.cell import TOKEN

WALKER = """\
import sys

lines = sys.stdin
turn = 0
for line in lines:
    if line == "getName\\n":
        print("NAME", flush=True)
        continue
    rows = [next(lines) for _ in range(int(next(lines)))]
    for _ in range("".join(rows).count("p")):
        next(lines)
    print("PATH"[turn % len("PATH")], flush=True)
    turn += 1
"""


class Tty(io.StringIO):
    """A terminal that remembers what was written to it."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str


def in_process(folder: Path, environ: Mapping[str, str], *words: str | Path) -> Ran:
    """Run `cli.main` in this process, in a folder and with exactly these variables, which saves the start of Python."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    threshold = gc.get_threshold()
    with (
        chdir(folder),
        patch.dict(os.environ, environ, clear=True),
        patch.multiple(sys, argv=["__main__.py", *map(str, words)], stdout=out, stderr=err),
        pytest.raises(SystemExit) as ended,
    ):
        cli.main()
    gc.set_threshold(*threshold)
    gc.unfreeze()
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode(errors="replace"))
    return Ran(ended.value.code, *texts)


def expected(ran: Ran, code: int | None) -> Ran:
    """How a command ended: with this exit code, or None for any."""
    assert code in (None, ran.code), ran.err or ran.out
    return ran


class Runner:
    """Short forms for a class whose call runs a command, and asserts its exit code."""

    __call__: Callable[..., Ran]

    def ok(self, *words: str | Path, err: str | None = None) -> Ran:
        """Run a command that succeeds. `err` is its whole stderr; None for any."""
        ran = self(*words, code=0)
        assert err in (None, ran.err)
        return ran

    def json(self, *words: str | Path, code: int = 0, err: str | None = None) -> Any:
        """The document that a command prints with `--json`. `err` is its whole stderr; None for any."""
        ran = self(*words, "--json", code=code)
        assert err in (None, ran.err)
        return json.loads(ran.out)

    def rows(self, *words: str | Path) -> list[Any]:
        """The documents that a command prints with `--json`, one a line."""
        return [json.loads(line) for line in self.ok(*words, "--json").out.splitlines()]

    def refused(self, *words: str | Path, code: int = 2) -> str:
        """The error of a command that is refused. It is one line, and nothing else is printed."""
        ran = self(*words, code=code)
        assert (ran.out, ran.err[:9], ran.err.count("\n")) == ("", "referee: ", 1), ran.err
        return ran.err[9:-1]


@dataclass(frozen=True)
class Shell(Runner):
    """Runs `referee` in a folder.

    A call without an environment or input of its own runs in this process.
    """

    folder: Path
    cache: Path

    def __call__(
        self, *words: str | Path, code: int | None = None, environ: Mapping[str, str] | None = None, stdin: str = ""
    ) -> Ran:
        """Run the command. `code` is the exit code that it must have; None for any."""
        if environ is not None or stdin:
            ran = self.apart(*words, environ=environ, stdin=stdin)
        else:
            ran = in_process(self.folder, self.environ(), *words)
        return expected(ran, code)

    def saved(self, file: str) -> list[Any]:
        """The lines of a saved game in the folder."""
        return [json.loads(line) for line in (self.folder / file).read_text(encoding="utf-8").splitlines()]

    def apart(self, *words: str | Path, environ: Mapping[str, str] | None = None, stdin: str = "") -> Ran:
        """Run the command in a process of its own."""
        return self._run(self.argv(*words), environ, stdin)

    def bash(self, script: str, environ: Mapping[str, str] | None = None, code: int | None = None) -> Ran:
        """Run a line of bash, in which `referee` is a function that runs the command. `code` is as in a call."""
        command = f'referee() {{ {shlex.join(self.argv())} "$@"; }}; {script}'
        return expected(self._run(["/bin/bash", "-c", command], environ), code)

    def _run(self, argv: Sequence[str], environ: Mapping[str, str] | None, stdin: str = "") -> Ran:
        done = subprocess.run(
            argv, cwd=self.folder, env=self.environ(environ), input=stdin, text=True, errors="replace",
            capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr)

    def at_terminal(
        self,
        *words: str,
        react: Callable[[bytes, subprocess.Popen[bytes]], bytes] = lambda _shown, _process: b"",
        size: tuple[int, int] = (24, 80),
        with_stderr: bool = False,
    ) -> Ran:
        """Run the command at a terminal, in a process of its own.

        Args:
            react: gets what is shown next, and the process. Returns the keys to press.
            size: lines and columns. with_stderr: whether stderr is the terminal too.
        """
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, size)
        with subprocess.Popen(
            self.argv(*words), cwd=self.folder, env=self.environ({"TERM": "xterm"}),
            stdin=theirs, stdout=theirs, stderr=theirs if with_stderr else subprocess.PIPE,
        ) as process:  # fmt: skip
            os.close(theirs)
            shown = b""
            with suppress(OSError):  # EIO means that no process has the terminal open any more
                while data := os.read(ours, 65536):
                    shown += data
                    os.write(ours, react(data, process))
            err = "" if process.stderr is None else process.stderr.read().decode()
        os.close(ours)
        return Ran(process.returncode, shown.decode(errors="replace"), err)

    def argv(self, *words: str | Path) -> list[str]:
        """The command line of a process."""
        return [sys.executable, "-m", "referee", *map(str, words)]

    def environ(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The complete environment of a run: minimal, without a terminal."""
        names = ("PATH", "PYTHONPATH", "HOME", "LANG", "COVERAGE_PROCESS_START", TOKEN)
        inherited = {name: os.environ[name] for name in names if name in os.environ}
        own = {"XDG_DATA_HOME": str(self.folder / "data"), "XDG_CACHE_HOME": str(self.cache)}
        return {**inherited, **own, **(more or {})}


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder that all tests share, separate from the user's."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for matches that several tests use: the first of them plays it."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def referee(tmp_path: Path, cache: Path) -> Shell:
    """The command line in an empty folder."""
    return Shell(tmp_path, cache)


@pytest.fixture
def walker(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes a bot that repeats a path: `walker("Wanda", "URDL")` returns its file."""

    def write(name: str, path: str) -> Path:
        file = tmp_path / f"{name.lower()}.py"
        file.write_text(WALKER.replace("NAME", name).replace("PATH", path))
        return file

    return write


@pytest.fixture
def pair(walker: Callable[[str, str], Path]) -> list[Path]:
    """Two bots that repeat a path."""
    return [walker("Wanda", "RRDDLLUUN"), walker("Otto", "LLUURRDDA")]


@pytest.fixture
def install(referee, tmp_path, monkeypatch) -> Iterator[Callable[..., Path]]:
    """Installs new games, as `pip install` would, into a folder on the path of this process and of its children."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", str(site))

    def install(
        name: str,
        *words: str,
        distribution: str = "",
        version: str = "0.1.0",
        changed: dict[str, tuple[str, str]] | None = None,
    ) -> Path:
        """Install a game that `referee game new` writes, with texts of its files changed. Returns the folder of its package."""
        project = tmp_path / f"project of {name} {distribution}"
        package = site / name
        if not package.exists():
            assert referee("game", "new", name, project, *words).code == 0
            (project / name).rename(package)
        for file, (before, after) in (changed or {}).items():
            text = (package / file).read_text()
            assert before in text
            (package / file).write_text(text.replace(before, after))
        describe(site, distribution or name, version, {name: name})
        forget()
        return package

    yield install
    for name in [name for name in sys.modules if (site / name.partition(".")[0]).exists()]:
        del sys.modules[name]
    forget()


def forget() -> None:
    """Look for games anew, as a new process would."""
    plugins.installed_games.cache_clear()
    plugins._folder.cache_clear()
    games._load.cache_clear()
