"""The referee's folder for one match and the copies in it: what is copied, what is refused by name, what is removed."""

import fcntl
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raising
from sandbox.ordinary import UID, ordinary_user

import referee.sandbox.staging as module
import referee.sandbox.tempdir as tempdir_module
from referee.errors import BotError, RefereeError, disk_is_full
from referee.sandbox.limits import Limits
from referee.sandbox.program import Program
from referee.sandbox.staging import DEPTH, stage
from referee.sandbox.tempdir import hold, sweep, tempdir

pytestmark = pytest.mark.machine

ROOT = os.geteuid() == 0
AS_ROOT = pytest.mark.skipif(not ROOT, reason="needs root")


@pytest.fixture
def base(tmp_path, monkeypatch):
    """A folder for temporary folders that only this test uses and every uid can enter."""
    with tempfile.TemporaryDirectory() as path:
        os.chmod(path, 0o777)
        monkeypatch.setattr(tempfile, "tempdir", path)
        tempdir_module._sweep_once.cache_clear()
        yield Path(path)
        tempdir_module._sweep_once.cache_clear()


@pytest.fixture
def bot(tmp_path):
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "main.py").write_text("print('s')\n")
    return Program("kaa", (), folder)


@pytest.fixture
def target(base):
    with tempdir() as folder:
        yield folder / "bot1"


def copied(target):
    """The contents of a copy: folders by their names with a slash, files with their text."""
    contents = {}
    for path in sorted(target.rglob("*")):
        name = str(path.relative_to(target))
        contents.update({name + "/": None} if path.is_dir() else {name: path.read_text()})
    return contents


def refused(bot, target, limits=None, error=BotError):
    """The one-line error that refuses a bot."""
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(error) as caught:
        stage(bot, target, limits or Limits())
    assert len(os.listdir("/proc/self/fd")) == before
    assert "\n" not in str(caught.value)
    assert caught.type is error
    return str(caught.value)


# What is copied.


def test_files_and_folders_are_copied(bot, target):
    (bot.cwd / "lib" / "deep").mkdir(parents=True)
    (bot.cwd / "lib" / "deep" / "a.py").write_text("A")
    (bot.cwd / "empty").mkdir()
    names = stage(bot, target, Limits())
    folders = {"empty/": None, "lib/": None, "lib/deep/": None}
    assert copied(target) == {**folders, "lib/deep/a.py": "A", "main.py": "print('s')\n"}
    host = bot.cwd.resolve()
    inside = ("main.py", "empty", "lib", "lib/deep", "lib/deep/a.py")
    assert names == {host: ".", **{host / name: name for name in inside}}


@pytest.mark.parametrize("mode", [0o600, 0o700, 0o755, 0o644, 0o777, 0o400])
def test_every_user_can_read_a_copy_and_none_can_write_to_it(mode, bot, target):
    (bot.cwd / "main.py").chmod(mode)
    (bot.cwd / "inner").mkdir(0o700)
    old = os.umask(0o077)
    try:
        stage(bot, target, Limits())
    finally:
        os.umask(old)
    assert stat.S_IMODE((target / "main.py").stat().st_mode) == (0o555 if mode & 0o111 else 0o444)
    assert stat.S_IMODE((target / "inner").stat().st_mode) == 0o555
    assert stat.S_IMODE(target.stat().st_mode) == 0o555


def test_reading_a_copy_does_not_change_its_access_times(bot, target):
    """Otherwise a player could leave a message for its next match. On a disk with `strictatime`, it can."""
    (bot.cwd / "data").mkdir()
    (bot.cwd / "data" / "book").write_bytes(b"e4")
    stage(bot, target, Limits())
    if not os.statvfs(target).f_flag & (os.ST_NOATIME | os.ST_RELATIME):
        pytest.skip("the temporary folders are on a disk with strictatime")
    every = [target, *target.rglob("*")]
    assert len(every) == 4
    for path in every:
        before = path.stat()
        assert before.st_atime > before.st_mtime + 365 * 24 * 3600
        (os.listdir if path.is_dir() else Path.read_bytes)(path)
        assert path.stat().st_atime_ns == before.st_atime_ns


def test_names_that_are_not_utf_8(bot, target):
    name = os.fsdecode(b"caf\xe9.dat")
    (bot.cwd / name).write_text("x")
    names = stage(bot, target, Limits())
    assert (target / name).read_text() == "x"
    assert names[bot.cwd.resolve() / name] == name


@pytest.mark.parametrize("name", [".git", ".hg", ".svn", "__pycache__"])
def test_version_control_and_caches_are_left_out(name, bot, target):
    (bot.cwd / "lib" / name).mkdir(parents=True)
    (bot.cwd / "lib" / name / "x").symlink_to("/etc/passwd")
    (bot.cwd / name).write_text("gitdir: elsewhere")
    stage(bot, target, Limits(folder_files=2))
    assert copied(target) == {"lib/": None, "main.py": "print('s')\n"}


# Single files.


def test_single_files_by_their_names(bot, target):
    (bot.cwd / "other.py").write_text("not asked for")
    (bot.cwd / "data").mkdir()
    (bot.cwd / "data" / "book").write_text("B")
    host = bot.cwd.resolve()
    bot = replace(bot, files={"main.py": host / "main.py", "lib/snake.py": host / "main.py", "lib/data": host / "data"})
    names = stage(bot, target, Limits())
    folders = {"lib/": None, "lib/data/": None}
    main = "print('s')\n"
    assert copied(target) == {**folders, "lib/data/book": "B", "lib/snake.py": main, "main.py": main}
    assert names[host / "data/book"] == "lib/data/book"
    assert {stat.S_IMODE(path.stat().st_mode) for path in [target, *target.rglob("*")] if path.is_dir()} == {0o555}


@pytest.mark.parametrize("name", ["../x", "/x", "a/../x", "", ".", "a//b", "a/", "./a", "a\0b"])
def test_names_of_single_files_stay_in_the_folder(name, bot, target):
    bot = replace(bot, files={name: bot.cwd / "main.py"})
    assert "is not the name of a file in its folder" in refused(bot, target)
    assert not target.exists()


@pytest.mark.parametrize("names", [["a", "a/b"], ["a/b", "a"]])
def test_a_name_is_a_file_or_a_folder(names, bot, target):
    bot = replace(bot, files=dict.fromkeys(names, bot.cwd / "main.py"))
    assert refused(bot, target).startswith("bot kaa: a is there twice, as a file and as a folder: ")
    assert not target.exists()


def test_a_single_file_in_a_linked_folder_is_known_by_its_real_path(bot, target):
    bot.cwd.with_name("link").symlink_to(bot.cwd)
    bot = replace(bot, files={"main.py": bot.cwd.with_name("link") / "main.py"})
    assert (bot.cwd / "main.py").resolve() in stage(bot, target, Limits())


def test_a_single_file_must_not_be_a_link(bot, target):
    (bot.cwd / "link.py").symlink_to("main.py")
    bot = replace(bot, files={"main.py": bot.cwd / "link.py"})
    assert refused(bot, target) == "bot kaa: main.py is a symbolic link: put a copy of the file in its place"


# What is refused, by name.


def link(path):
    path.symlink_to("/etc/passwd")


def listens(path):
    with socket.socket(socket.AF_UNIX) as unix:
        folder = os.open(path.parent, os.O_PATH)  # a socket's path is short
        unix.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


@pytest.mark.parametrize("folder", ["", "lib/"])
@pytest.mark.parametrize(
    ("make", "why"),
    [
        (link, "is a symbolic link: put a copy of the file in its place"),
        (lambda path: path.symlink_to("main.py"), "is a symbolic link: put a copy of the file in its place"),
        (lambda path: path.symlink_to("nowhere"), "is a symbolic link: put a copy of the file in its place"),
        (os.mkfifo, "is a FIFO: only regular files and folders may be there, remove it"),
        (listens, "is a socket: only regular files and folders may be there, remove it"),
        (lambda path: (path.touch(), path.chmod(0o4755)), "has a setuid or setgid bit: run chmod ug-s on it"),
        (lambda path: (path.touch(), path.chmod(0o2755)), "has a setuid or setgid bit: run chmod ug-s on it"),
    ],
    ids=["a link", "a link inside", "a broken link", "a FIFO", "a socket", "setuid", "setgid"],
)
def test_forbidden_files_in_a_folder(make, why, folder, bot, target):
    (bot.cwd / "lib").mkdir()
    make(bot.cwd / folder / "odd")
    assert refused(bot, target) == f"bot kaa: {folder}odd {why}"


def test_the_folder_must_be_there_and_not_be_a_link(bot, target):
    there = bot.cwd.with_name("there")
    there.symlink_to(bot.cwd)
    bot = replace(bot, cwd=there)
    assert refused(bot, target) == f"bot kaa: its folder {there} is a symbolic link: name the folder itself"
    bot = replace(bot, cwd=bot.cwd / "main.py")
    assert "its folder cannot be read (Not a directory)" in refused(bot, target)
    bot = replace(bot, cwd=bot.cwd.with_name("nowhere"))
    assert "its folder cannot be read (No such file or directory)" in refused(bot, target)


@AS_ROOT
def test_a_hard_link_to_another_users_file(bot, target):
    (bot.cwd / "secret").hardlink_to(bot.cwd / "main.py")
    stage(bot, target, Limits())  # a hard link between the owner's own files is allowed
    os.chown(bot.cwd, UID, UID)
    assert "is a hard link to a file of another user: put a copy" in refused(bot, target.with_name("bot2"))


def test_setgid_folders_are_copied_without_the_bit(bot, target):
    (bot.cwd / "shared").mkdir()
    (bot.cwd / "shared").chmod(0o2775)
    stage(bot, target, Limits())
    assert stat.S_IMODE((target / "shared").stat().st_mode) & 0o7777 == 0o555


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir])
def test_an_unreadable_file_or_folder(make, base):
    folder = base / "bot"
    with ordinary_user():
        folder.mkdir()
        make(folder / "odd")
        (folder / "odd").chmod(0)
        message = refused(Program("kaa", (), folder), base / "copy")
    assert message == "bot kaa: odd cannot be read (Permission denied): correct its mode, or take it out"


def test_names_in_messages_are_escaped(bot, target):
    bot = replace(bot, name="k\x1b[2Ja")
    link(bot.cwd / "a\x1b[2J\nb")
    message = refused(bot, target)
    assert "\x1b" not in message
    assert "a\\x1b[2J\\nb" in message


# Limits.


def test_bytes_are_counted(bot, target):
    (bot.cwd / "main.py").write_bytes(b"x" * 1000)
    (bot.cwd / "data").write_bytes(b"x" * 1000)
    stage(bot, target, Limits(folder=2000))
    assert "its files have more than 0.00190639 MiB (at " in refused(bot, target.with_name("bot2"), Limits(folder=1999))


def test_holes_count_as_bytes(bot, target):
    with (bot.cwd / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    assert "more than 512 MiB (at sparse): take out what it does not need" in refused(bot, target)
    assert sum(path.stat().st_size for path in target.rglob("*")) < 100


def test_an_endless_file(bot, target, monkeypatch):
    """It grows at every read."""
    read = os.read

    def growing(source, most):
        with open(f"/proc/self/fd/{source}", "ab") as file:
            file.write(b"x" * 10_000)
        return read(source, most)

    monkeypatch.setattr(os, "read", growing)
    assert "(at main.py)" in refused(bot, target, Limits(folder=5000))
    assert (target / "main.py").stat().st_size == 5001


def named_singly(bot):
    """The same files, without the folder: a bot of single files."""
    files = {str(path.relative_to(bot.cwd)): path for path in bot.cwd.rglob("*") if path.is_file()}
    return replace(bot, files=files)


@pytest.mark.parametrize("form", [lambda bot: bot, named_singly], ids=["folder", "single-files"])
def test_files_and_folders_are_counted(form, bot, target):
    (bot.cwd / "lib").mkdir()
    (bot.cwd / "lib" / "a").touch()
    stage(form(bot), target, Limits(folder_files=3))
    message = refused(form(bot), target.with_name("bot2"), Limits(folder_files=2))
    assert message == "bot kaa: it has more than 2 files and folders: take out what it does not need to play"


@pytest.mark.parametrize("form", [lambda bot: bot, named_singly], ids=["folder", "single-files"])
def test_depth(form, bot, target):
    deep = bot.cwd.joinpath(*["d"] * (DEPTH - 1))
    deep.mkdir(parents=True)
    (deep / "file").touch()
    stage(form(bot), target, Limits())
    (deep / "d").mkdir()
    (deep / "d" / "file").touch()
    assert f"is in more than {DEPTH} nested folders: move it up" in refused(form(bot), target.with_name("bot2"))


def test_long_names(bot, target):
    (bot.cwd / ("n" * 255)).touch()
    stage(bot, target, Limits())
    bot.cwd.joinpath(*["n" * 200] * 11).mkdir(parents=True)
    message = refused(bot, target.with_name("bot2"))
    assert "has more than 255 bytes, 2048 with folders: shorten it" in message
    assert len(message) < 600
    bot = replace(bot, files={"n" * 256: bot.cwd / "main.py"})
    assert "has more than 255 bytes" in refused(bot, target.with_name("bot3"))


def test_a_full_disk_is_not_the_bots_fault(bot, target, monkeypatch):
    monkeypatch.setattr(os, "write", raising(OSError(28, "No space left on device")))
    words = r"bot kaa cannot be copied to .*/bot1 \(No space left on device\): free space there, or set TMPDIR"
    assert re.fullmatch(words, refused(bot, target, error=RefereeError))
    with pytest.raises(RefereeError) as failed:
        stage(bot, target.with_name("bot2"), Limits())
    assert disk_is_full(failed.value), "its caller can tell it from a bot that cannot be copied"


@pytest.mark.parametrize("number", [23, 24, 12])
def test_a_machine_out_of_descriptors_or_memory_is_not_the_bots_fault(number, bot, target, monkeypatch):
    monkeypatch.setattr(os, "write", raising(OSError(number, os.strerror(number))))
    with pytest.raises(OSError, match=re.escape(os.strerror(number))):
        stage(bot, target, Limits())


def test_the_target_folder_must_not_exist(bot, target):
    target.mkdir()
    assert "File exists" in refused(bot, target, error=RefereeError)


# A folder that changes during the copy.


@pytest.mark.parametrize("make", [link, os.mkfifo, listens])
def test_a_file_that_becomes_something_else_after_the_check(make, bot, target, monkeypatch):
    file, looked = bot.cwd / "main.py", os.stat

    def look(path, **how):
        status = looked(path, **how)
        if path == "main.py" and "dir_fd" in how:
            file.unlink()
            make(file)
        return status

    monkeypatch.setattr(os, "stat", look)
    assert "bot kaa: main.py" in refused(bot, target)
    assert not target.joinpath("main.py").exists()


def test_a_folder_that_becomes_a_link_after_the_check(bot, target, monkeypatch, tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").touch()
    (bot.cwd / "lib").mkdir()
    looked = os.stat

    def look(path, **how):
        status = looked(path, **how)
        if path == "lib" and "dir_fd" in how:
            (bot.cwd / "lib").rmdir()
            (bot.cwd / "lib").symlink_to(tmp_path / "secret")
        return status

    monkeypatch.setattr(os, "stat", look)
    assert "bot kaa: lib cannot be read (Too many levels of symbolic links)" in refused(bot, target)
    assert not list(target.rglob("key"))


# The folder for a match.


def test_a_tempdir_exists_until_its_context_ends(base):
    with tempdir() as one, tempdir() as two:
        assert one != two
        assert one.parent == base
        assert stat.S_IMODE(one.stat().st_mode) == (0o711 if ROOT else 0o700)
    assert os.listdir(base) == []


def test_a_tempdir_is_removed_after_an_exception(base):
    def play():
        with tempdir() as folder:
            (folder / "x").touch()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play()
    assert os.listdir(base) == []


def unwritable(folder):
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "c").touch()
    for path in ("a/b/c", "a/b", "a"):
        (folder / path).chmod(0o444 if path == "a/b/c" else 0o555)


def without_modes(folder):
    unwritable(folder)
    (folder / "a").chmod(0o755)
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0)


def very_deep(folder):
    """Deeper than the recursion limit and the longest path."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("deep", dir_fd=here)
        inner = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def all_kinds(folder):
    (folder / "link").symlink_to(folder.parent.parent)
    (folder / "away").symlink_to("/")
    os.mkfifo(folder / "fifo")
    listens(folder / "socket")
    (folder / os.fsdecode(b"\xff\xfe")).mkdir()
    for number in range(300):
        (folder / f"{number}").mkdir()
        (folder / f"{number}" / "same").mkdir()


FILLS = [unwritable, without_modes, very_deep, all_kinds]


@pytest.mark.parametrize("fill", FILLS)
def test_a_tempdir_is_removed_whatever_it_contains(fill, base):
    (base / "beside").mkdir()
    with tempdir() as folder:
        fill(folder)
    assert os.listdir(base) == ["beside"]


@AS_ROOT
@pytest.mark.parametrize("fill", FILLS)
def test_the_tempdir_of_an_ordinary_user_is_removed_too(fill, base):
    with ordinary_user(), tempdir() as folder:
        fill(folder)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert os.listdir(base) == []


def test_a_tempdir_that_is_already_removed(base):
    with tempdir() as folder:
        folder.rmdir()
    assert os.listdir(base) == []


def test_no_space_for_a_tempdir(base, monkeypatch):
    monkeypatch.setattr(tempfile, "mkdtemp", raising(OSError(28, "No space left on device")))
    words = r"no temporary folder .*\[Errno 28\].*: free space there, or set TMPDIR"
    with pytest.raises(RefereeError, match=words) as failed:
        tempdir().__enter__()
    assert failed.type is RefereeError


def test_a_lack_of_descriptors_is_not_reported_as_a_lack_of_space(base, monkeypatch):
    monkeypatch.setattr(tempfile, "mkdtemp", raising(OSError(24, "Too many open files")))
    with pytest.raises(OSError, match="Too many open files"):
        tempdir().__enter__()


def test_tmpdir_is_honoured(monkeypatch):
    with tempfile.TemporaryDirectory() as path:
        os.chmod(path, 0o711)
        monkeypatch.setenv("TMPDIR", path)
        monkeypatch.setattr(tempfile, "tempdir", None)
        with tempdir() as folder:
            assert folder.parent == Path(path)


@AS_ROOT
def test_root_makes_its_tempdir_where_other_users_can_reach_it(monkeypatch):
    with tempfile.TemporaryDirectory() as path:  # mode 0700
        monkeypatch.setattr(tempfile, "tempdir", path)
        with tempdir() as folder:
            assert folder.parent == Path("/tmp")


# Folders that killed referees left behind.

HOLDER = """
import sys, tempfile
tempfile.tempdir = sys.argv[1]
from referee.sandbox.tempdir import tempdir
with tempdir() as folder:
    (folder / "bot").mkdir(mode=0o555)
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(base):
    """A referee in another process, and its folder."""
    argv = [sys.executable, "-c", HOLDER, str(base)]
    env = {"PYTHONPATH": str(Path(module.__file__).parents[2])}
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as process:
        yield process, Path(process.stdout.readline().rstrip())
        process.kill()


def test_the_folder_of_a_running_referee_is_kept(holder, base):
    process, folder = holder
    with tempdir():
        pass
    sweep(base)
    assert os.listdir(folder) == ["bot"]
    process.stdin.close()
    assert process.wait() == 0
    assert os.listdir(base) == []


def test_the_folder_of_a_killed_referee_is_removed(holder, base):
    process, folder = holder
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert os.listdir(folder) == ["bot"]
    with tempdir() as mine:
        assert os.listdir(base) == [mine.name]


def test_a_sweep_removes_only_folders_of_referees(base):
    for name in ("referee-match-notes", "referee-match-", "match-abcdefgh", "referee-match-abcdefgh.old", "mine"):
        (base / name).mkdir()
    (base / "referee-match-aaaaaaaa").touch()
    (base / "referee-match-bbbbbbbb").symlink_to(base / "mine")
    (base / "referee-guests-aaaaaaaa").mkdir()
    left = sorted(os.listdir(base))
    (base / "referee-match-cccccccc").mkdir()
    sweep(base)
    assert sorted(os.listdir(base)) == left


@AS_ROOT
def test_a_sweep_keeps_the_folders_of_other_users(base):
    theirs = base / "referee-match-cccccccc"
    theirs.mkdir()
    os.chown(theirs, UID, UID)
    sweep(base)
    assert theirs.is_dir()


def test_only_one_process_can_hold_a_folder(tmp_path):
    first = hold(tmp_path)
    assert hold(tmp_path) is None
    os.close(first)
    again = hold(tmp_path)
    os.close(again)


def test_a_folder_that_is_replaced_before_the_lock_is_not_held(tmp_path, monkeypatch):
    folder, lock = tmp_path / "folder", fcntl.flock
    folder.mkdir()

    def late(*args):
        folder.rmdir()
        folder.mkdir()
        lock(*args)

    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(fcntl, "flock", late)
    assert hold(folder) is None
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_folder_that_another_referee_sweeps_at_once_is_made_again(base, monkeypatch):
    folders, mkdtemp = [], tempfile.mkdtemp

    def swept(*args, **kwargs):
        path = mkdtemp(*args, **kwargs)
        folders.append(path)
        if len(folders) == 1:
            sweep(base)  # another referee, before this one holds it
        return path

    monkeypatch.setattr(tempfile, "mkdtemp", swept)
    with tempdir() as folder:
        assert [str(folder)] == folders[1:]


def test_many_at_a_time(base):
    """Referees start, are killed and sweep concurrently: none loses its own files, and nothing is left."""
    wrong = []

    def play():
        for _ in range(40):
            sweep(base)
            with tempdir() as folder:
                (folder / "bot").mkdir(mode=0o555)
                if not (folder / "bot").is_dir():
                    wrong.append(folder)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert os.listdir(base) == []


# Any tree.

NAMES = st.sampled_from(["a", "b", "é", "-rf", " ", "..."])
TREES = st.recursive(st.binary(max_size=20), lambda inner: st.dictionaries(NAMES, inner, max_size=4), max_leaves=12)


def build(path, tree):
    if isinstance(tree, bytes):
        path.write_bytes(tree)
    else:
        path.mkdir()
        for name, inner in tree.items():
            build(path / name, inner)


def read(path):
    return {inner.name: read(inner) for inner in path.iterdir()} if path.is_dir() else path.read_bytes()


@given(st.dictionaries(NAMES, TREES, max_size=4))
def test_a_copy_equals_its_original(tree):
    with tempfile.TemporaryDirectory() as folder, tempdir() as ours:
        build(Path(folder, "bot"), tree)
        names = stage(Program("kaa", (), Path(folder, "bot")), ours / "copy", Limits())
        assert read(ours / "copy") == tree
        paths = [ours / "copy", *(ours / "copy").rglob("*")]
        assert sorted(names.values()) == sorted(os.path.relpath(path, ours / "copy") for path in paths)
    assert not ours.exists()
