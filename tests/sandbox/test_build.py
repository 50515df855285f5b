"""Build commands of strangers run in the jail and, in a harmless form, as ordinary processes for comparison."""

import itertools
import os
import re
import secrets
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import leftovers
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from sandbox.ordinary import ordinary_user

from referee.bots import Bot
from referee.errors import BotError, IsolationError, RefereeError, disk_is_full
from referee.sandbox.builds import build as building
from referee.sandbox.builds.build import BuildLimits, Built, build, output_lines
from referee.sandbox.builds.growth import DEPTH, free, outgrown
from referee.sandbox.builds.jail import CONFIGURATION, RUST, Jail, open_up
from referee.sandbox.cells.children import own_children
from referee.sandbox.limits import MIB, Level, Limits
from referee.sandbox.runtimes import system
from referee.sandbox.staging import stage
from referee.sandbox.tempdir import tempdir

pytestmark = pytest.mark.machine

PYTHON: Final = shutil.which("python3", path="/usr/bin")
needs_python = pytest.mark.skipif(PYTHON is None, reason="there is no /usr/bin/python3 for builds to run")
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only a root referee changes owners")
QUIET: Final = 20.0
"""Seconds for a build that should end for another reason."""

Run = Callable[..., Awaitable[Built]]


@pytest.fixture(autouse=True)
def nothing_left(no_garbage: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No build leaves a descriptor, a child, a zombie or a folder behind."""
    assert tmp_path.exists(), "made before temporary folders are looked at"
    with tempfile.TemporaryDirectory() as temporary:
        Path(temporary).chmod(0o711)  # lets a pooled uid pass
        monkeypatch.setattr(tempfile, "tempdir", temporary)
        with leftovers.nothing_left():
            yield
            assert os.listdir(temporary) == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "bot"
    path.mkdir()
    return path


@pytest.fixture
def run(folder: Path) -> Run:
    """Runs a shell script as the build command."""

    async def shell(script: str, level: Level = Level.FULL, **limits: float) -> Built:
        return await build("x", ["sh", "-c", script], folder, limits=BuildLimits(**limits), level=level)  # type: ignore[arg-type]

    return shell


@pytest.fixture
def python(folder: Path) -> Run:
    """Runs a Python script as the build command."""

    async def script(text: str, level: Level = Level.FULL, **limits: float) -> Built:
        argv = [str(PYTHON), "-I", "-S", "-c", text]
        return await build("x", argv, folder, limits=BuildLimits(**limits), level=level)  # type: ignore[arg-type]

    return script


@pytest.fixture(params=[Level.FULL, Level.NONE])
def level(request: pytest.FixtureRequest) -> Level:
    return request.param


# -- what builds are for --


async def test_a_failed_build_has_its_status_and_its_output_in_order(run, level):
    built = await run("echo one; echo two >&2; echo three; exit 3", level)
    assert built == Built(3, "one\ntwo\nthree\n", None)
    assert not built.ok


async def test_a_build_killed_by_a_signal_has_the_status_that_shells_use(run, level):
    assert (await run("kill -TERM $$", level)).status == 128 + signal.SIGTERM


async def test_the_output_names_a_missing_program(folder, level):
    built = await build("x", ["no-such-compiler"], folder, level=level)
    assert built.status in {126, 127}  # 126: some shells report a folder on PATH that they may not enter
    assert "no-such-compiler" in built.output


async def test_a_disk_without_space_is_no_failure_of_the_compiler(run, level, monkeypatch):
    monkeypatch.setattr(building, "free", lambda _: 16 * MIB - 1)
    with pytest.raises(RefereeError, match="too little space to build: free space there, or set TMPDIR") as failed:
        await run("echo No space left on device; exit 1", level)
    assert disk_is_full(failed.value), "its caller can tell it from a program that cannot be compiled"


def test_a_disk_that_does_not_count_its_space_has_room():
    assert os.statvfs("/proc").f_blocks == 0, "as that of a tmpfs without a limit"
    assert free(Path("/proc")) > building.ROOM


async def test_there_is_no_input(run):
    assert (await run("cat; echo over")).output == "over\n"


async def test_a_staged_folder_can_be_built_in_twice(folder, run, level):
    (folder / "src").mkdir()
    (folder / "src" / "a").write_text("a")
    (folder / "src" / "a").chmod(0o444)
    (folder / "src").chmod(0o555)
    os.chmod(folder, 0o555)
    assert (await run("echo b >> src/a && ln src/a src/c && mkdir out", level)).ok
    assert (await run("echo d >> src/c && touch out/e src/f", level)).ok
    assert (folder / "src" / "a").read_text() == "ab\nd\n"


async def test_a_bound_folder_keeps_its_path_and_is_read_only(folder, tmp_path, level):
    sdk = tmp_path / "sdk"
    sdk.mkdir()
    (sdk / "snake.h").write_text("#define N 42\n")
    argv = ["sh", "-c", f'cat "$SDK/snake.h"; cat {sdk}/snake.h; echo x 2>/dev/null >{sdk}/mine']
    built = await build("x", argv, folder, binds=[sdk], env={"SDK": str(sdk)}, level=level)
    assert built.output == "#define N 42\n" * 2
    assert (sdk / "mine").exists() is (level is Level.NONE)


# -- what builds may not do --


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/shadow", "/home", "/root", "/work", "/var", "/sys", "/run"])
async def test_the_rest_of_the_machine_is_hidden(run, path):
    if not (await run(f"test -e {path}", Level.NONE)).ok:
        pytest.skip(f"there is no {path} here either")
    assert (await run(f"test -e {path}")).status == 1


async def test_a_large_file_ends_at_its_limit(run, folder, level):
    script = "dd if=/dev/zero of=big bs=1M count=100"
    assert not (await run(script, level, file_size=32 * MIB)).ok
    assert (folder / "big").stat().st_size == 32 * MIB
    assert (await run(script, level)).ok
    assert (folder / "big").stat().st_size == 100 * MIB


async def test_links_that_are_left_lead_nowhere(run, folder, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    secret.chmod(0o400)
    before = secret.stat()
    assert (await run(f"ln -s {secret} bot; ln -s {tmp_path} all; mkfifo wait; ln -s /etc/passwd build.log")).ok
    assert "a secret" not in (await run("cat bot; ls all/; echo x 2>&1 >bot")).output
    after = secret.stat()
    assert (after.st_mode, after.st_uid, after.st_mtime) == (before.st_mode, before.st_uid, before.st_mtime)


@pytest.mark.parametrize("path", ["/", "/usr", "/etc", "/dev", "/dev/shm", "/opt", "/proc"])
async def test_only_the_folder_and_tmp_are_writable(run, path):
    assert not (await run(f"echo x > {path}/mine")).ok
    assert (await run("echo x > /tmp/mine && echo x > mine")).ok


async def test_a_build_has_no_privileges_and_cannot_gain_any(run):
    built = await run("grep -E '^(NoNewPrivs|CapEff|CapPrm|CapBnd|Groups)' /proc/self/status; id -u")
    lines = dict(line.split(":") for line in built.output.splitlines() if ":" in line)
    assert {key: value.strip(" \t0") for key, value in lines.items()} == {
        "NoNewPrivs": "1", "CapEff": "", "CapPrm": "", "CapBnd": "", "Groups": lines["Groups"].strip(" \t0"),
    }  # fmt: skip
    assert built.output.splitlines()[-1] == "65534"


async def test_the_filter_holds_for_all_processes_that_a_build_may_change(run):
    built = await run("grep -h '^Seccomp:' /proc/[0-9]*/status | sort -u")
    assert built.output.split() == ["Seccomp:", "2"]


async def test_orphans_of_a_build_are_reaped(run):
    script = "for i in $(seq 40); do (setsid true &); done; while [ $(ls -d /proc/[0-9]* | wc -l) -gt 9 ]; do :; done"
    assert (await run(script, seconds=QUIET)).ok


async def test_a_build_starts_with_the_usual_signals_and_environment(run):
    built = await run("env; grep SigIgn /proc/self/status")
    lines = built.output.splitlines()
    names = {line.partition("=")[0] for line in lines[:-1]}
    assert names <= {"PATH", "HOME", "TMPDIR", "LANG", "PWD", "OLDPWD", "SHLVL", "_"}
    own = 0b11 << 31  # signals 32 and 33 are the C library's, which nobody else can use
    assert int(lines[-1].split()[1], 16) & ~own == 0


async def test_the_environment_is_not_the_users(run, level, monkeypatch):
    monkeypatch.setenv("API_TOKEN", "a secret")
    built = await run("env; cat /proc/1/environ", level)
    assert "LANG=C.UTF-8" in built.output
    assert "API_TOKEN" not in built.output or level is Level.NONE
    assert "API_TOKEN" not in (await run("env", level)).output


# -- limits --


FILES = "for i in $(seq 1000); do : >f$i; done"
GROWS = "i=0; while :; do i=$((i+1)); {}; done"
UNLINKED = "exec 3>x; rm x; yes | head -c 200000000 >&3; sleep 300"
FORKS = "b() { b | b & }; b & exec sleep 300"
"""The first shell forks only once, before there are too many to fork."""
LOST = "ran while its disk lost more than 64 MiB, which it may have taken"
ENDED = {
    "while :; do :; done": ({"seconds": 2}, "took longer than 2 s"),
    "exec >&- 2>&-; sleep 300": ({"seconds": 2}, "took longer than 2 s"),
    "yes": ({"seconds": 2, "output": 100}, "took longer than 2 s"),
    FILES: ({"folder_files": 100}, "made more than 100 files"),
    GROWS.format("mkdir $i; : >$i/x"): ({"folder_files": 500}, "made more than 500 files"),
    GROWS.format("dd if=/dev/zero of=$i bs=1M count=1 2>/dev/null"): ({"folder": 8 * MIB}, "wrote more than 8 MiB"),
}
ENDED_IN_JAIL = {
    "yes >/tmp/yes": ({"tmp": 8 * MIB}, "wrote more than 8 MiB in /tmp"),
    UNLINKED: ({"disk": 64 * MIB}, LOST),
    FORKS: ({"processes": 64, "seconds": 1}, "took longer than 1 s"),
}


@pytest.mark.parametrize("script", ENDED)
async def test_a_build_that_exceeds_a_limit_is_ended(run, level, script):
    limits, why = ENDED[script]
    built = await run(f"echo begun; {script}", level, **{"seconds": QUIET, **limits})
    assert (built.status, built.why, built.output[:6]) == (None, why, "begun\n")


@pytest.mark.parametrize("script", ENDED_IN_JAIL)
async def test_limits_that_only_the_jail_has(run, script):
    limits, why = ENDED_IN_JAIL[script]
    assert (await run(script, **{"seconds": QUIET, **limits})).why == why


async def test_builds_within_their_limits(run, folder, level):
    assert (await run(FILES, level)).ok
    assert (await run("exec >&- 2>&-; sleep 0.3; mkdir done", level)).ok
    assert (folder / "done").is_dir(), "it is waited for, although its output is closed"
    assert (await run("head -c 4000000 /dev/zero >/tmp/yes", tmp=8 * MIB)).ok
    assert (await run(UNLINKED, seconds=1)).why == "took longer than 1 s"


async def test_processes_that_a_build_leaves_behind_do_not_delay_its_end(run, level):
    with sleepers() as (left, length):
        script = f"echo begun; setsid sh -c 'mkdir up; exec sleep {length}' & while ! test -d up; do :; done; echo over"
        built = await run(script, level)
        assert (built.status, built.output) == (0, "begun\nover\n")
        assert left() == []


async def test_an_output_flood_is_capped_and_both_ends_are_kept(run, level):
    built = await run("echo first; yes | head -c 50000000; echo last", level, output=2000)
    assert built.ok
    assert (built.output[:8], built.output[-5:], len(built.output)) == ("first\ny\n", "last\n", 2000 + 27)
    assert "\n[49998011 bytes left out]\n" in built.output


async def test_output_is_harmless_to_a_terminal(run):
    built = await run(r"printf '\033[2J\033[31mreferee: x wins\r\n\tand\200\202 \342\200\256more\n'")
    assert built.output == "�[2J�[31mreferee: x wins\n        and�� �more\n"


@needs_python
@pytest.mark.parametrize(
    "bomb",
    [
        "import os, signal\nfor _ in range(4): os.fork()\nx = b'x' * (40 << 20); signal.pause()",
        "import mmap, signal\nx = mmap.mmap(-1, 400 << 20)\nfor _ in range(4): x.write(b'x' * (100 << 20))\nsignal.pause()",
    ],
    ids=["many", "shared"],
)
async def test_the_memory_of_all_processes_together_is_limited(python, bomb):
    built = await python(bomb, memory=256 * MIB, seconds=QUIET)
    assert built.why == "used more than 256 MiB of memory"
    assert (await python(bomb, seconds=1)).why == "took longer than 1 s"


@pytest.mark.parametrize(("before", "after", "words"), [(9000, 4000, "4096 MiB"), (3000, 200, "2700 MiB")])
async def test_a_build_ends_if_the_machine_runs_out_of_memory(run, monkeypatch, before, after, words):
    """Also where the memory is part of no process."""
    left = iter([before * MIB])
    monkeypatch.setattr(building, "available", lambda: next(left, after * MIB))
    built = await run("sleep 300", machine=4096 * MIB)
    assert built.why == f"ran while the machine lost more than {words} of available memory, which it may have taken"


@pytest.mark.parametrize(("before", "after"), [(9000, 5000), (3000, 400)])
async def test_a_build_may_use_memory_that_the_machine_has(run, monkeypatch, before, after):
    left = iter([before * MIB])
    looks: list[int] = []
    monkeypatch.setattr(building, "LOOK", 0.0)
    monkeypatch.setattr(building, "available", lambda: looks.append(0) or next(left, after * MIB))
    assert (await run("sleep 0.3", machine=4096 * MIB)).ok
    assert len(looks) > 1


# -- the start and the end of a build --


async def test_a_guard_knows_the_build(folder, level):
    """If the referee is killed, it ends what it knows, even a jail that is still being made."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(build, "x", ["sh", "-c", "mkdir begun; sleep 300"], folder, level=level))
        await until((folder / "begun").exists)
        # Zombies of earlier tests have no words.
        folders = [folder for pid in own_children() if _words(folder := Path(f"/proc/{pid}")) != [b""]]
        guards = [argv for child in folders if b"referee-guard" in (argv := _words(child))]
        marks = [(child / where.decode(), start + rest) for *_, where, start, rest, _ in guards for child in folders]
        assert any(mark in file.read_bytes() for file, mark in marks)
        nursery.cancel_scope.cancel()


async def test_a_build_waits_until_its_start_is_known(folder):
    """Else it could kill its fork server before that reports the start, as if the machine lacked something."""
    with ExitStack() as stack:
        cell = Jail("x", folder, (), Limits(), stack).spawn(["mkdir", "ran"], {})
        stack.callback(cell.discard)
        await cell.settle()
        await until(lambda: cell.status() is not None or _is_waiting_shell(cell.pid))
        assert os.listdir(folder) == []
        cell.stdin.close()
        await trio.lowlevel.wait_readable(cell.end)
        assert os.listdir(folder) == ["ran"]


async def test_a_cancelled_build_leaves_no_process(folder, level):
    with sleepers() as (left, length):
        unmarked = f"env -i sh -c 'mkdir begun; exec sleep {length}'"
        script = f'setsid sh -c "{unmarked} & sleep {length}" & sleep {length} & sleep {length}'
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(build, "x", ["sh", "-c", script], folder, level=level))
            await until((folder / "begun").exists)
            assert left()
            nursery.cancel_scope.cancel()
        assert left() == []


async def test_a_build_that_is_cancelled_as_it_starts_leaves_no_process(folder, level, monkeypatch):
    monkeypatch.setattr(building, "available", lambda: scope.cancel() or 0)
    with sleepers() as (left, length), trio.CancelScope() as scope:
        await build("x", ["sleep", length], folder, level=level)
    assert scope.cancelled_caught
    assert left() == []


async def test_an_adopting_parent_gets_no_zombie(run):
    """bubblewrap may end before the init of its cell. This process adopts orphans, so it inherits that init.

    The fixture `nothing_left` finds zombies.
    """
    for _ in range(20):
        assert (await run("sleep 300 & sleep 300 & true")).ok


async def test_concurrent_builds_do_not_see_each_other(tmp_path):
    built = {}

    async def start(number: int) -> None:
        folder = tmp_path / str(number)
        folder.mkdir()
        built[number] = await build("x", ["sh", "-c", f"echo {number} >/tmp/x; sleep 0.2; cat /tmp/x"], folder)

    async with trio.open_nursery() as nursery:
        for number in range(4):
            nursery.start_soon(start, number)
    assert {number: b.output for number, b in built.items()} == {number: f"{number}\n" for number in range(4)}


async def test_nothing_is_built_at_level_reduced_or_without_bubblewrap(folder, monkeypatch):
    with pytest.raises(IsolationError, match="--isolation none"):
        await build("x", ["touch", "x"], folder, level=Level.REDUCED)
    assert os.listdir(folder) == []
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(IsolationError, match="bubblewrap is not installed"):
        await build("x", ["touch", "x"], folder)
    assert os.listdir(folder) == []


@needs_root
def test_a_file_with_a_second_hard_link_keeps_its_owner(tmp_path, folder):
    mine = tmp_path / "mine"
    mine.touch(mode=0o600)
    (folder / "theirs").hardlink_to(mine)
    (folder / "other").touch()
    (folder / "link").symlink_to(mine)
    open_up(folder, 60706)
    assert mine.stat().st_uid == 0
    assert ((folder / "other").stat().st_uid, (folder / "link").lstat().st_uid) == (60706, 0)


@needs_root
def test_a_hard_link_by_an_earlier_build_changes_owner(folder):
    (folder / "a").touch()
    open_up(folder, 60706)
    (folder / "b").hardlink_to(folder / "a")
    open_up(folder, 60707)
    assert (folder / "b").stat().st_uid == 60707


def test_a_setuid_bit_is_removed(folder):
    (folder / "su").touch()
    (folder / "su").chmod(0o6755)
    open_up(folder, None)
    assert stat.S_IMODE((folder / "su").stat().st_mode) == 0o755


# -- the walk --


def test_a_walk_counts_files_and_follows_no_link(tmp_path):
    inside = tmp_path / "inside"
    (inside / "a" / "b").mkdir(parents=True)
    (tmp_path / "outside").write_bytes(bytes(10 * MIB))
    (inside / "link").symlink_to(tmp_path)
    (inside / "a" / "file").write_bytes(bytes(MIB))
    with (inside / "a" / "b" / "hole").open("wb") as hole:
        hole.truncate(MIB)
    assert outgrown(inside, 3 * MIB, 5) is None
    assert outgrown(inside, 3 * MIB, 4) == "made more than 4 files"
    assert outgrown(inside, 3 * MIB // 2, 5) == "wrote more than 1.5 MiB"


@pytest.mark.parametrize(("folder", "mode"), [("x", 0), ("x", 0o400), (".", 0)])
def test_a_folder_that_cannot_be_read_is_too_much(folder, mode):
    with tempfile.TemporaryDirectory() as temporary:
        Path(temporary).chmod(0o777)
        top = Path(temporary, "bot")
        with ordinary_user():
            (top / "x/y").mkdir(parents=True)
            (top / folder).chmod(mode)
            much = outgrown(top, MIB, 5)
            (top / folder).chmod(0o700)
    assert much == "made a folder that cannot be read"


def test_a_walk_goes_as_deep_as_staging_does(tmp_path):
    deepest = tmp_path
    for _ in range(DEPTH - 1):
        deepest /= "x"
        deepest.mkdir()
    (deepest / "x").mkdir()
    with tempdir() as base:
        stage(Bot("x", ["./bot"], tmp_path), base / "copy", Limits())
    assert outgrown(tmp_path, MIB, DEPTH) is None
    (deepest / "x" / "x").touch()
    with tempdir() as base, pytest.raises(BotError, match="folders"):
        stage(Bot("x", ["./bot"], tmp_path), base / "copy", Limits())
    assert outgrown(tmp_path, MIB, 2 * DEPTH) == f"nested folders more than {DEPTH} levels deep"


def test_a_walk_counts_blocks_beyond_the_length_of_a_file(tmp_path):
    (tmp_path / "x").touch()
    command = ["fallocate", "--keep-size", "--length", "2MiB", str(tmp_path / "x")]
    if shutil.which("fallocate") is None or subprocess.run(command, check=False).returncode:
        pytest.skip("there is no fallocate, or no file system for it")
    assert outgrown(tmp_path, MIB, 1) == "wrote more than 1 MiB"


def test_a_walk_ends_at_the_limit(tmp_path, monkeypatch):
    """Even if the folder is endless."""
    (tmp_path / "x").touch()
    (entry,) = os.scandir(tmp_path)

    @contextmanager
    def endless(_: int) -> Iterator[Iterator[os.DirEntry[str]]]:
        yield itertools.repeat(entry)

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", endless)
        much = outgrown(tmp_path, 100 * MIB, 1000)
    assert much == "made more than 1000 files"


def test_a_folder_that_becomes_a_link_is_not_followed(tmp_path, monkeypatch):
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for folder in (outside, inside, inside / "turns"):
        folder.mkdir()
    (outside / "large").write_bytes(bytes(MIB))
    opened = os.open

    def turning(path: str, flags: int, **more: int) -> int:
        if path == "turns":
            (inside / "turns").rmdir()
            (inside / "turns").symlink_to(outside)
        return opened(path, flags, **more)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", turning)
        much = outgrown(inside, MIB // 2, 10)
    assert much is None
    assert (inside / "turns" / "large").exists()


# -- the output --


@given(st.binary(max_size=300))
def test_output_is_harmless_in_a_terminal(data):
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", output_lines(data))


# -- what a build sees --


def test_a_build_also_sees_the_configuration_of_compilers(tmp_path):
    for name in ("usr", "etc/java-99-openjdk", "etc/ld.so.conf.d", "etc/ssh"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "etc/fpc-3.2.cfg").touch()
    (tmp_path / "etc/fpc.cfg").symlink_to("nowhere")
    (tmp_path / "etc/shadow").touch()
    binds, _ = system.system_binds(CONFIGURATION, tmp_path)
    assert {inside for _, inside in binds} == {"/usr", "/etc/java-99-openjdk", "/etc/ld.so.conf.d", "/etc/fpc-3.2.cfg"}
    assert all(host == tmp_path / inside[1:] for host, inside in binds)


async def test_of_a_home_folder_only_the_rust_toolchain_is_shown(tmp_path, folder, monkeypatch):
    home = tmp_path / "home"
    for path in (home / ".cargo/bin", home / ".rustup/toolchains/best/bin"):
        path.mkdir(parents=True)
    rustc = home / ".rustup/toolchains/best/bin/rustc"
    proxy = home / ".cargo/bin/rustc"
    rustc.write_text("#!/bin/sh\necho compiled >bot\n")
    proxy.write_text(f"#!/bin/sh\necho {home}/.rustup/toolchains/best\n")
    for program in (rustc, proxy):
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{proxy.parent}:{os.environ['PATH']}")
    built = await build("x", ["sh", "-c", f"rustc; command -v rustc; ls -d {home} /opt/*"], folder)
    assert (folder / "bot").read_text() == "compiled\n"
    assert f"{RUST}/bin/rustc\n" in built.output
    assert f"cannot access '{home}'" in built.output


# -- helpers --


async def until(done: Callable[[], bool]) -> None:
    """Waits until a condition holds that another process brings about. The test's own time limit ends the wait."""
    while not done():  # noqa: ASYNC110 - there is no event to wait for
        await trio.sleep(0.01)


def _words(folder: Path) -> list[bytes]:
    return (folder / "cmdline").read_bytes().split(b"\0")


def _is_waiting_shell(pid: int | None) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
        return state == b"S" and Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"/bin/sh")
    except OSError:
        return False


@contextmanager
def sleepers() -> Iterator[tuple[Callable[[], list[int]], str]]:
    """A function that lists processes by a unique length of sleep, and that length. Kills those processes at the end."""
    length = f"300.{secrets.randbelow(10**12):012}"

    def left() -> list[int]:
        pids = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if length.encode() in path.read_bytes():
                    pids.append(int(path.parent.name))
            except OSError:
                continue
        return pids

    try:
        yield left, length
    finally:
        for pid in left():
            os.kill(pid, signal.SIGKILL)
