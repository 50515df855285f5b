"""Attacks by a bot's folder before its program runs: each would show the program, or the referee, files of others."""

import os
import shutil
import socket
import stat
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
import trio
from hostile.catalogue import HERE, folders
from hostile.conftest import PYTHON
from hostile.running import celled, read_to_end

from referee.errors import BotError
from referee.sandbox.limits import Level, Limits
from referee.sandbox.opening import open_sandbox
from referee.sandbox.program import Program
from referee.sandbox.staging import stage

SOURCES = HERE / "folders"
SECRET = "the secret of somebody else"
ROWS = {row[0]: row for row in folders()}
RUNS = "runs without it"
LIMITS = Limits(folder=4 << 20, folder_files=50)


class Layout:
    """A bot's folder, and a sibling folder of another user with a secret.

    `ran` appears if a program of the bot runs with the rights of the referee. `named` are the files that the command line
    names, if it names files: then the user has chosen what to run.
    """

    def __init__(self, base):
        self.ran = base / "ran"
        self.named = None
        self.bot, self.other = base / "bot", base / "somebody"
        self.bot.mkdir()
        self.other.mkdir()
        self.secret = self.other / "secret"
        self.secret.write_text(SECRET + "\n")
        self.argv = None
        self.cwd = self.bot
        self.compile("reads.c", self.bot / "bot")

    def compile(self, source, target, *options):
        gcc = shutil.which("gcc")
        if gcc is None:
            pytest.skip("gcc is not installed")
        subprocess.run([gcc, "-o", target, SOURCES / source, *options], check=True)

    def library(self):
        """The path of another user's library."""
        path = self.other / "libtells.so"
        self.compile("tells.c", path, "-shared", "-fPIC")
        return path

    def private_program(self):
        """The path of another user's program."""
        self.compile("tells.c", self.other / "tells", "-DPROGRAM")
        return self.other / "tells"

    def program(self):
        trusted = self.named is not None
        return Program("bot", self.argv or [str(self.cwd / "bot")], self.cwd, files=self.named, trusted=trusted)

    def pretender(self, name):
        """A script that would reveal the secret if it ran as an interpreter of that name."""
        path = self.bot / name
        path.write_text(f"#!/bin/sh\n: >'{self.ran}'\ncat '{self.secret}'\n")
        path.chmod(0o755)
        return path


class Attack(Layout):
    """Each method prepares the folder for the row of its name."""

    def link_to_secret(self):
        (self.bot / "data").symlink_to(self.secret)

    def link_to_folder(self):
        (self.bot / "more").symlink_to(self.other)
        self.argv = [str(self.bot / "bot"), "more/secret"]

    def folder_is_link(self):
        shutil.copy(self.bot / "bot", self.other)
        (self.other / "data").write_text(SECRET)
        self.cwd = self.bot.with_name("link")
        self.cwd.symlink_to(self.other)

    def hard_link(self):
        if os.getuid():
            pytest.skip("only root can make a file of another user")
        os.link(self.secret, self.bot / "data")
        os.chown(self.secret, 12345, 12345)

    def fifo(self):
        os.mkfifo(self.bot / "data")

    def socket_file(self):
        with socket.socket(socket.AF_UNIX) as service:
            old = Path.cwd()
            os.chdir(self.bot)  # a socket's path must be short
            try:
                service.bind("data")
            finally:
                os.chdir(old)

    def device(self):
        try:
            os.mknod(self.bot / "data", stat.S_IFCHR | 0o666, os.makedev(1, 5))
        except PermissionError:
            pytest.skip("only root can make devices")

    def setuid_program(self):
        (self.bot / "bot").chmod(0o4755)

    def too_large(self):
        with (self.bot / "data").open("wb") as file:
            file.truncate(1 << 40)

    def too_many_files(self):
        for number in range(100):
            (self.bot / f"file{number}").touch()

    def too_deep(self):
        folder = self.bot
        for _ in range(100):
            folder /= "d"
            folder.mkdir()

    def absolute_program(self):
        self.argv = [str(self.private_program())]

    def upward_program(self):
        self.argv = [str(self.bot / ".." / "somebody" / self.private_program().name)]

    def first_line(self):
        """A script with a first line that names a program of the user."""
        (self.bot / "bot").unlink()
        (self.bot / "bot").write_text(f"#!{self.private_program()}\n")
        (self.bot / "bot").chmod(0o755)

    def loader_is_secret(self):
        """An ELF program that names a file of the user as its loader: binding the loader would reveal that file."""
        self.compile("reads.c", self.bot / "bot", f"-Wl,--dynamic-linker={self.secret}")

    def loader_is_private(self):
        """An ELF program with a loader elsewhere: to ask it for its libraries, as ldd does, would execute that loader."""
        loader = self.other / "ld.so"
        shutil.copy("/lib64/ld-linux-x86-64.so.2", loader)
        self.compile("reads.c", self.bot / "bot", f"-Wl,--dynamic-linker={loader}")
        self.argv = [str(self.bot / "bot"), str(self.secret)]

    def library_path(self):
        """An ELF program whose libraries are searched in another user's folder."""
        library = self.library()
        self.compile("asks.c", self.bot / "bot", f"-L{library.parent}", "-ltells", f"-Wl,-rpath,{library.parent}")

    def library_path_upwards(self):
        library = self.library()
        self.compile("asks.c", self.bot / "bot", f"-L{library.parent}", "-ltells", "-Wl,-rpath,$ORIGIN/../somebody")

    def library_by_path(self):
        """An ELF program that needs another user's file by its full path."""
        self.compile("asks.c", self.bot / "bot", str(self.library()))

    def argument_is_secret(self):
        """A command line that names a file of the user: binding the named file would reveal it."""
        self.argv = [str(self.bot / "bot"), str(self.secret)]

    def script_is_private(self):
        """The machine's interpreter with another user's script."""
        script = self.other / "script.py"
        script.write_text(f"print({SECRET!r})\n")
        self.argv = [PYTHON, str(script)]

    def own_interpreter(self):
        """A script that the command line names. Its first line names another script of the bot, named like an interpreter."""
        interpreter = self.pretender("python3")
        (self.bot / "bot").unlink()
        (self.bot / "bot").write_text(f"#!{interpreter}\n")
        (self.bot / "bot").chmod(0o755)
        self.named = {"bot": self.bot / "bot"}

    def called_like_interpreter(self):
        self.argv = [str(self.pretender("pythonbot"))]
        self.named = {"pythonbot": self.bot / "pythonbot"}
        self.cwd = self.other

    def called_java(self):
        self.argv = [str(self.pretender("java"))]
        self.named = {"java": self.bot / "java"}
        self.cwd = self.other

    def home_of_environment(self):
        """A virtual environment of the machine's Python with a library, and so code, of the bot."""
        version = subprocess.run(
            [PYTHON, "-c", "import os; print(os.__file__)"], stdout=subprocess.PIPE, text=True, check=True
        )
        encodings = self.bot / "lib" / Path(version.stdout).parent.name / "encodings"
        encodings.mkdir(parents=True)
        code = [f"posix.open({str(self.ran)!r}, posix.O_CREAT)", f"secret = posix.open({str(self.secret)!r}, 0)"]
        (encodings / "__init__.py").write_text(
            "; ".join(["import posix", *code, "posix.write(1, posix.read(secret, 99))"])
        )
        (encodings.parent / "os.py").touch()
        (self.bot / "pyvenv.cfg").write_text(f"home = {self.bot}/bin\n")
        (self.bot / "bin").mkdir()
        (self.bot / "bin/python3").symlink_to(PYTHON)
        self.argv = [str(self.bot / "bin/python3"), "-c", "print()"]
        self.named = {}
        self.cwd = self.other


@pytest.fixture
def layout(tmp_path):
    return Attack(tmp_path)


async def played(program):
    """The output of a program at level full."""
    with open_sandbox(Level.FULL, LIMITS) as sandbox:
        async with celled(sandbox, program) as cell:
            cell.stdin.close()
            return (await read_to_end(cell)).decode()


# Attacks with a secret that is not text, or with another effect than revealing it.
HARM_OTHERWISE = {
    "fifo", "socket_file", "device", "setuid_program", "too_large", "too_many_files", "too_deep", "loader_is_secret",
}  # fmt: skip
if sys.version_info >= (3, 14):  # it does not believe such an environment
    HARM_OTHERWISE.add("home_of_environment")


@pytest.mark.parametrize("name", ROWS)
async def test_folder(name, layout):
    getattr(layout, name)()
    _, _, refusal = ROWS[name]
    if refusal == RUNS:
        assert SECRET not in await played(layout.program())
    else:
        with pytest.raises(BotError) as refused:
            await played(layout.program())
        assert refusal in str(refused.value)
        assert "\n" not in str(refused.value)
    assert not layout.ran.exists(), "it ran outside of its cell"


@pytest.mark.parametrize("name", [name for name in ROWS if name not in HARM_OTHERWISE])
def test_without_a_sandbox_it_reads_the_secret(name, layout):
    getattr(layout, name)()
    program = layout.program()
    done = subprocess.run(program.argv, cwd=program.cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    assert SECRET in done.stdout.decode()
    if layout.named is not None:
        assert layout.ran.exists()


def test_every_attack_has_a_row():
    assert [name for name in vars(Attack) if not name.startswith("_")] == list(ROWS)
    assert set(ROWS) >= HARM_OTHERWISE


@pytest.fixture
def restless(layout):
    """Starts a program of tests/hostile/folders that changes the bot's folder for as long as the test lasts."""
    started = []

    def start(source, *args):
        program = layout.bot.with_name(source)
        layout.compile(f"{source}.c", program)
        process = subprocess.Popen([program, *args], cwd=layout.bot, stdout=subprocess.PIPE, start_new_session=True)
        started.append(process)
        assert process.stdout.readline() == b"ready\n"

    yield start
    for process in started:
        with process:
            process.kill()


async def test_file_that_becomes_a_link_while_it_is_copied(layout, restless, tmp_path):
    """It is a file when checked and a link when opened. The copy has the file or nothing, never the secret."""
    restless("flips", str(layout.secret))
    while SECRET not in (layout.bot / "data").read_text():
        """Simply opening it gives the secret, sooner or later."""
    seen = []
    refused = 0
    for number in count():
        if refused and number >= 60:
            break
        await (
            trio.lowlevel.checkpoint()
        )  # on a busy machine the two seldom run at the same time: only a test's limit ends this
        copy = tmp_path / f"copy{number}"
        try:
            if number < 10:
                seen.append(await played(layout.program()))
            else:  # a cell each would take a busy machine a minute
                stage(layout.program(), copy, LIMITS)
                seen += {path.read_bytes().decode(errors="replace") for path in copy.iterdir()} - set(seen)
                shutil.rmtree(copy)
        except BotError as error:
            seen.append(str(error))
            refused += 1
    assert SECRET not in "".join(seen)
