"""Attacks by a bot's folder before its program runs: each would show the program, or the referee, files of others."""

import os
import shutil
import socket
import stat
import subprocess
from pathlib import Path

import pytest
from hostile.catalogue import HERE, folders
from hostile.conftest import PYTHON, Bot
from hostile.running import celled, read_to_end

from referee.errors import BotError
from referee.sandbox.limits import Level, Limits
from referee.sandbox.opening import opened

SOURCES = HERE / "folders"
SECRET = "the secret of somebody else"
ROWS = {row[0]: row for row in folders()}
RUNS = "runs without it"
LIMITS = Limits(folder=4 << 20, folder_files=50)


class Place:
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
        return Bot("bot", self.argv or [str(self.cwd / "bot")], self.cwd, files=self.named, trusted=trusted)

    def pretender(self, name):
        """A script that would reveal the secret if it ran as an interpreter of that name."""
        path = self.bot / name
        path.write_text(f"#!/bin/sh\n: >'{self.ran}'\ncat '{self.secret}'\n")
        path.chmod(0o755)
        return path


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


ATTACKS = {}


def attack(prepare):
    """Registers a function that prepares the folder for the row of its name."""
    ATTACKS[prepare.__name__] = prepare
    return prepare


@attack
def link_to_secret(place):
    (place.bot / "data").symlink_to(place.secret)


@attack
def link_to_folder(place):
    (place.bot / "more").symlink_to(place.other)
    place.argv = [str(place.bot / "bot"), "more/secret"]


@attack
def folder_is_link(place):
    shutil.copy(place.bot / "bot", place.other)
    (place.other / "data").write_text(SECRET)
    place.cwd = place.bot.with_name("link")
    place.cwd.symlink_to(place.other)


@attack
def hard_link(place):
    if os.getuid():
        pytest.skip("only root can make a file of another user")
    os.link(place.secret, place.bot / "data")
    os.chown(place.secret, 12345, 12345)


@attack
def fifo(place):
    os.mkfifo(place.bot / "data")


@attack
def socket_file(place):
    with socket.socket(socket.AF_UNIX) as service:
        old = Path.cwd()
        os.chdir(place.bot)  # a socket's path must be short
        try:
            service.bind("data")
        finally:
            os.chdir(old)


@attack
def device(place):
    try:
        os.mknod(place.bot / "data", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root can make devices")


@attack
def setuid_program(place):
    (place.bot / "bot").chmod(0o4755)


@attack
def too_large(place):
    with (place.bot / "data").open("wb") as file:
        file.truncate(1 << 40)


@attack
def too_many_files(place):
    for number in range(100):
        (place.bot / f"file{number}").touch()


@attack
def too_deep(place):
    folder = place.bot
    for _ in range(100):
        folder /= "d"
        folder.mkdir()


@attack
def absolute_program(place):
    place.argv = [str(place.private_program())]


@attack
def upward_program(place):
    place.argv = [str(place.bot / ".." / "somebody" / place.private_program().name)]


@attack
def first_line(place):
    """A script with a first line that names a program of the user."""
    (place.bot / "bot").unlink()
    (place.bot / "bot").write_text(f"#!{place.private_program()}\n")
    (place.bot / "bot").chmod(0o755)


@attack
def loader_is_secret(place):
    """An ELF program that names a file of the user as its loader: binding the loader would reveal that file."""
    place.compile("reads.c", place.bot / "bot", f"-Wl,--dynamic-linker={place.secret}")


@attack
def loader_is_private(place):
    """An ELF program with a loader elsewhere: to ask it for its libraries, as ldd does, would execute that loader."""
    loader = place.other / "ld.so"
    shutil.copy("/lib64/ld-linux-x86-64.so.2", loader)
    place.compile("reads.c", place.bot / "bot", f"-Wl,--dynamic-linker={loader}")
    place.argv = [str(place.bot / "bot"), str(place.secret)]


@attack
def library_path(place):
    """An ELF program whose libraries are searched in another user's folder."""
    library = place.library()
    place.compile("asks.c", place.bot / "bot", f"-L{library.parent}", "-ltells", f"-Wl,-rpath,{library.parent}")


@attack
def library_path_upwards(place):
    library = place.library()
    place.compile("asks.c", place.bot / "bot", f"-L{library.parent}", "-ltells", "-Wl,-rpath,$ORIGIN/../somebody")


@attack
def library_by_path(place):
    """An ELF program that needs another user's file by its full path."""
    place.compile("asks.c", place.bot / "bot", str(place.library()))


@attack
def argument_is_secret(place):
    """A command line that names a file of the user: binding the named file would reveal it."""
    place.argv = [str(place.bot / "bot"), str(place.secret)]


@attack
def script_is_private(place):
    """The machine's interpreter with another user's script."""
    script = place.other / "script.py"
    script.write_text(f"print({SECRET!r})\n")
    place.argv = [PYTHON, str(script)]


@attack
def own_interpreter(place):
    """A script that the command line names. Its first line names another script of the bot, named like an interpreter."""
    interpreter = place.pretender("python3")
    (place.bot / "bot").unlink()
    (place.bot / "bot").write_text(f"#!{interpreter}\n")
    (place.bot / "bot").chmod(0o755)
    place.named = {"bot": place.bot / "bot"}


@attack
def called_like_interpreter(place):
    place.argv = [str(place.pretender("pythonbot"))]
    place.named = {"pythonbot": place.bot / "pythonbot"}
    place.cwd = place.other


@attack
def called_java(place):
    place.argv = [str(place.pretender("java"))]
    place.named = {"java": place.bot / "java"}
    place.cwd = place.other


@attack
def home_of_environment(place):
    """A virtual environment of the machine's Python with a library, and so code, of the bot."""
    version = subprocess.run(
        [PYTHON, "-c", "import os; print(os.__file__)"], stdout=subprocess.PIPE, text=True, check=True
    )
    encodings = place.bot / "lib" / Path(version.stdout).parent.name / "encodings"
    encodings.mkdir(parents=True)
    code = [f"posix.open({str(place.ran)!r}, posix.O_CREAT)", f"secret = posix.open({str(place.secret)!r}, 0)"]
    (encodings / "__init__.py").write_text("; ".join(["import posix", *code, "posix.write(1, posix.read(secret, 99))"]))
    (encodings.parent / "os.py").touch()
    (place.bot / "pyvenv.cfg").write_text(f"home = {place.bot}/bin\n")
    (place.bot / "bin").mkdir()
    (place.bot / "bin/python3").symlink_to(PYTHON)
    place.argv = [str(place.bot / "bin/python3"), "-c", "print()"]
    place.named = {}
    place.cwd = place.other


async def played(program):
    """The output of a program at level full."""
    with opened(Level.FULL, LIMITS) as sandbox:
        async with celled(sandbox, program) as cell:
            cell.stdin.close()
            return (await read_to_end(cell)).decode()


# Attacks with a secret that is not text, or with another effect than revealing it.
HARM_OTHERWISE = {
    "fifo",
    "socket_file",
    "device",
    "setuid_program",
    "too_large",
    "too_many_files",
    "too_deep",
    "loader_is_secret",
}


@pytest.mark.parametrize("name", ROWS)
async def test_folder(name, place):
    ATTACKS[name](place)
    _, _, refusal = ROWS[name]
    if refusal == RUNS:
        assert SECRET not in await played(place.program())
    else:
        with pytest.raises(BotError) as refused:
            await played(place.program())
        assert refusal in str(refused.value)
        assert "\n" not in str(refused.value)
    assert not place.ran.exists(), "it ran outside of its cell"


@pytest.mark.parametrize("name", [name for name in ROWS if name not in HARM_OTHERWISE])
def test_without_a_sandbox_it_reads_the_secret(name, place):
    ATTACKS[name](place)
    program = place.program()
    done = subprocess.run(program.argv, cwd=program.cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    assert SECRET in done.stdout.decode()
    if place.named is not None:
        assert place.ran.exists()


def test_every_attack_has_a_row():
    assert list(ATTACKS) == list(ROWS)
    assert set(ROWS) >= HARM_OTHERWISE


@pytest.fixture
def restless(place):
    """Starts a program of tests/hostile/folders that changes the bot's folder for as long as the test lasts."""
    started = []

    def start(source, *arguments):
        program = place.bot.with_name(source)
        place.compile(f"{source}.c", program)
        process = subprocess.Popen([program, *arguments], cwd=place.bot, stdout=subprocess.PIPE, start_new_session=True)
        started.append(process)
        assert process.stdout.readline() == b"ready\n"

    yield start
    for process in started:
        with process:
            process.kill()


async def test_file_that_becomes_a_link_while_it_is_copied(place, restless):
    """It is a file when checked and a link when opened. The copy has the file or nothing, never the secret."""
    restless("flips", str(place.secret))
    while SECRET not in (place.bot / "data").read_text():
        """Simply opening it gives the secret, sooner or later."""
    seen = []
    refused = 0
    for number in range(600):  # on a busy machine the two seldom run at the same time
        if refused and number >= 60:
            break
        try:
            seen.append(await played(place.program()))
        except BotError as error:
            seen.append(str(error))
            refused += 1
    assert refused, "the link never came at the wrong moment: the test shows nothing"
    assert SECRET not in "".join(seen)


async def test_file_that_grows_while_it_is_copied(place, restless):
    """The copy ends at the limit."""
    restless("grows")

    async def play_until_refused():
        for _ in range(100):
            await played(place.program())

    with pytest.raises(BotError, match="data"):
        await play_until_refused()


async def test_program_named_bwrap(place):
    """bubblewrap is distinguished from the program that it executes, even if that has the same name."""
    (place.bot / "data").write_text("own")
    (place.bot / "bot").rename(place.bot / "bwrap")
    place.argv = [str(place.bot / "bwrap")]
    assert await played(place.program()) == "own"
