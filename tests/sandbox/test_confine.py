"""The launcher of level reduced: which rights it drops, in which order, and how it reports that."""

import errno
import json
import marshal
import os
import platform
import resource
import socket
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from sandbox.probes import building, filters

from referee.sandbox.calls import seccomp
from referee.sandbox.cells import confine, reduced
from referee.sandbox.limits import Limits

MACHINE = platform.machine()
LIBRARIES = [path for path in ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache") if os.path.exists(path)]
UID = 61183
ROOT = os.geteuid() == 0

pytestmark = [pytest.mark.machine, pytest.mark.skipif(confine.landlock_abi() < 1, reason="this kernel has no Landlock")]


@dataclass
class Launched:
    """The result of a launch."""

    messages: list
    status: int
    out: bytes
    err: bytes


@pytest.fixture(scope="session")
def tempdir(tmp_path_factory):
    return building.tempdir(tmp_path_factory)


def begin(argv, read=(), *, packed=None, listed=None, before=(), **others):
    """Starts a launch; returns the process and the read end of its status pipe."""
    status, status_in = os.pipe()
    packed = packed if packed is not None else spec(argv, read, **{k: others.pop(k) for k in list(others) if k in SPEC})
    listed = seccomp.bpf() if listed is None else listed
    passed = [status_in, seccomp.memfd("filter", listed), seccomp.memfd("spec", packed)]
    line = reduced.launch_line(Path(building.PYTHON), *passed)
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    others["pass_fds"] = (*passed, *others.get("pass_fds", ()))
    process = subprocess.Popen([*before, *line], env={}, cwd="/", **pipes, **others)
    for fd in passed:
        os.close(fd)
    return process, status


SPEC = ("env", "cwd", "limits", "beside", "uid")


def spec(argv, read=(), *, env=None, cwd="/", limits=None, **others):
    return reduced.spec(argv, env or {}, cwd, [*LIBRARIES, *map(str, read)], limits or Limits(), **others)


def launch(argv, read=(), *, stdin=b"", **others):
    process, status = begin(argv, read, **others)
    with process:
        out, err = process.communicate(stdin, timeout=120)
    with open(status, "rb") as file:
        messages = [json.loads(line) for line in file.read().splitlines()]
    return Launched(messages, process.returncode, out, err)


def reached(tempdir, attempts, *, bare=False, read=(), **others):
    """A player's result for each of `attempts`, such as "read /etc/passwd": the name of the errno, or 0."""
    probe = building.compiled("reach", tempdir)
    stdin = "".join(f"{attempt}\n" for attempt in attempts).encode()
    if bare:
        done = subprocess.run([probe], input=stdin, capture_output=True, timeout=60, **others)
        out, status, err = done.stdout, done.returncode, done.stderr
    else:
        launched = launch([probe], [probe, *read], stdin=stdin, **others)
        out, status, err = launched.out, launched.status, launched.err or launched.messages
    assert status == 0, err
    return [errno.errorcode[int(word)] if int(word) else "0" for word in out.split()]


def facts(path, **others):
    """`/proc/self/PATH` as a player reads it."""
    launched = launch(["/bin/cat", f"/proc/self/{path}"], ["/proc"], **others)
    assert launched.status == 0, (launched.messages, launched.err)
    return launched.out.decode()


def status_of_self(**others):
    return {
        key: value.split() for key, value in (line.split(":", 1) for line in facts("status", **others).splitlines())
    }


# -- the status --------------------------------------------------------------------------------------------------------


def test_the_launcher_reports_that_it_is_confined_and_becomes_the_player():
    launched = launch(["/bin/cat"], stdin=b"hello\n")
    assert launched.messages == [{"confined": True, "landlock": confine.landlock_abi()}]
    assert (launched.status, launched.out, launched.err) == (0, b"hello\n", b"")


def test_the_status_ends_when_the_player_begins():
    process, status = begin(["/bin/cat"])
    with process, open(status, "rb") as file:
        assert file.read().count(b"\n") == 1, "read to its end while the player waits"
        assert process.poll() is None
        process.communicate(b"", timeout=60)


def test_the_exit_status_is_the_players():
    assert launch(["/bin/sh", "-c", "exit 7"]).status == 7


def failed(**others):
    launched = launch(others.pop("argv", ["/bin/cat"]), **others)
    assert launched.status == confine.FAILED
    assert (launched.out, launched.err) == (b"", b"")
    last = launched.messages[-1]
    return last["stage"], last["failed"]


@pytest.mark.parametrize(
    ("stage", "text", "wrong"),
    [
        ("exec", "/bin/no such: No such file or directory", {"argv": ["/bin/no such"]}),
        ("exec", "{}/text: Permission denied", {"argv": ["{}/text"], "read": ["{}/text"]}),  # it may not be executed
        ("exec", "{}/script: Permission denied", {"argv": ["{}/script"]}),  # it is outside the readable folders
        ("exec", "/nowhere: No such file or directory", {"cwd": "/nowhere"}),
        ("landlock", "/nowhere: No such file or directory", {"read": ["/nowhere"]}),
        ("seccomp", "the filter of system calls: Invalid argument", {"listed": bytes(8)}),
        ("exec", '/a"b\\c\\nd\\x07\\u0436\\xff: No such file or directory', {"argv": ['/a"b\\c\nd\x07\u0436\udcff']}),
    ],
)
def test_what_is_wrong_is_reported_with_its_stage(tmp_path, stage, text, wrong):
    """Special characters are escaped."""
    (tmp_path / "text").write_text("text")
    (tmp_path / "script").write_text("#!/bin/sh\n")
    (tmp_path / "script").chmod(0o755)
    wrong = {
        name: [part.replace("{}", str(tmp_path)) for part in value] if isinstance(value, list) else value
        for name, value in wrong.items()
    }
    assert failed(**wrong) == (stage, text.replace("{}", str(tmp_path)))


def test_an_invalid_specification_or_limit_starts_nothing():
    assert failed(packed=b"?")[0] == "limits"
    fields = marshal.loads(spec(["/bin/cat"]))
    fields["limits"]["RLIMIT_NOFILE"] = (9, 8)
    stage, text = failed(packed=marshal.dumps(fields))
    assert stage == "limits"
    assert text.startswith("RLIMIT_NOFILE cannot be set to 9:")


def test_without_landlock_nothing_is_started(tempdir):
    (tempdir / "no-landlock").write_bytes(filters.without(444))
    before = [building.compiled("under", tempdir), str(tempdir / "no-landlock")]
    assert failed(before=before) == ("landlock", "the kernel has no Landlock, or it is switched off")


def test_nothing_is_started_if_the_kernel_refuses_a_landlock_call(tempdir):
    for call, name in ((445, "landlock_add_rule for /usr"), (446, "landlock_restrict_self")):
        (tempdir / name.split()[0]).write_bytes(filters.without(call))
        before = [building.compiled("under", tempdir), str(tempdir / name.split()[0])]
        assert failed(before=before) == ("landlock", f"{name}: Function not implemented")


def test_nothing_is_started_if_the_parent_has_ended():
    fields = marshal.loads(spec(["/bin/cat"])) | {"parent": 1}
    assert failed(packed=marshal.dumps(fields)) == ("limits", "the referee is gone")


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def house(tempdir, tmp_path):
    """A folder with a program, which the player may read, and a sibling folder with a secret, which it may not."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "book").write_text("book")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret").write_text("secret")
    program = tmp_path / "other" / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "own" / "link").symlink_to("../other/secret")
    return tmp_path


SHARED = f"/dev/shm/referee-test-of-confine-{os.getpid()}"
FILES = [
    ("read {}/own/book", "0"),
    ("list {}/own", "0"),
    ("write /dev/null", "0"),
    ("read /dev/null", "0"),
    ("stat {}/other/secret", "0"),  # Landlock cannot deny it
    ("read {}/other/secret", "EACCES"),
    ("read {}/own/../other/secret", "EACCES"),
    ("read {}/own/link", "EACCES"),
    ("read /etc/passwd", "EACCES"),
    ("read /proc/self/mem", "EACCES"),
    ("list {}/other", "EACCES"),
    ("list /", "EACCES"),
    ("write {}/own/book", "EACCES"),
    ("make {}/own/new", "EACCES"),
    ("make {}/other/new", "EACCES"),
    (f"make {SHARED}", "EACCES"),
    ("write /dev/zero", "EACCES"),
]


def test_files_by_landlock_alone(tempdir, house):
    attempts = [attempt.format(house) for attempt, _ in FILES]
    got = reached(tempdir, attempts, read=[house / "own"], listed=filters.ALL_ALLOWED)
    assert dict(zip(FILES, got, strict=True)) == {(attempt, expected): expected for attempt, expected in FILES}


def test_files_without_the_launcher(tempdir, house):
    try:
        attempts = [attempt.format(house) for attempt, _ in FILES if "/proc/self/mem" not in attempt]
        assert set(reached(tempdir, attempts, bare=True)) == {"0"}
    finally:
        Path(SHARED).unlink(missing_ok=True)


def test_a_file_beside_something_hidden_may_be_removed_before_the_start(tempdir, house):
    beside = [f"{house}/removed", f"{house}/own"]
    assert reached(tempdir, [f"read {house}/own/book", f"read {house}/other/secret"], beside=beside) == ["0", "EACCES"]


def test_programs_outside_the_readable_folders_are_not_executed(tempdir, house):
    assert reached(tempdir, [f"exec {house}/other/program"], read=[house / "own"]) == ["EACCES"]
    assert reached(tempdir, [f"exec {house}/other/program"], bare=True) == []


def test_access_to_one_file_grants_no_other(tempdir, house):
    attempts = [f"read {house}/other/secret", f"read {house}/other/program", f"list {house}/other"]
    assert reached(tempdir, attempts, read=[house / "other" / "secret"]) == ["0", "EACCES", "EACCES"]


# -- processes and the network, each layer alone -----------------------------------------------------------------------


@pytest.fixture
def host():
    """Sockets and a process of the host that a player might reach."""
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        name = f"referee-test-{os.getpid()}"
        abstract.bind("\0" + name)
        abstract.listen()
        victim = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        with victim:
            yield {"tcp": tcp.getsockname()[1], "abstract": name, "signal": victim.pid, "thread": victim.pid}
            victim.stdin.close()


@pytest.mark.parametrize(
    ("what", "since", "by_landlock"), [("tcp", 4, "EACCES"), ("abstract", 6, "EPERM"), ("signal", 6, "EPERM")]
)
def test_the_filter_and_landlock_each_block_access_to_the_host(tempdir, host, what, since, by_landlock):
    attempt = [f"{what} {host[what]}"]
    assert reached(tempdir, attempt, bare=True) == ["0"]
    assert reached(tempdir, attempt) == ["EPERM"]
    if confine.landlock_abi() < since:
        pytest.skip(f"Landlock denies it from version {since} on; here is {confine.landlock_abi()}")
    assert reached(tempdir, attempt, listed=filters.ALL_ALLOWED) == [by_landlock]


def test_a_player_can_signal_only_itself(tempdir, host):
    beyond = (1 << 22) + 1  # no process has this pid, so EPERM can come only from the filter
    attempts = ["own 0", f"thread {host['thread']}", f"thread {beyond}", f"thread {(1 << 32) + host['thread']}"]
    assert reached(tempdir, attempts, bare=True) == ["0", "0", "ESRCH", "0"]
    assert reached(tempdir, attempts) == ["0", "EPERM", "EPERM", "EPERM"]


def test_the_filter_of_signals_compares_32_bits_as_the_kernel_does():
    for machine, (arch, call) in {"x86_64": (0xC000003E, 234), "aarch64": (0xC00000B7, 131)}.items():
        program = confine.own_signals_only(77, machine)

        def verdict(call, target, arch=arch, program=program):
            return filters.run(program, arch, call, [target, 0, 0, 0, 0, 0])

        assert verdict(call, 77) == verdict(call, (5 << 32) + 77) == filters.LET_THROUGH
        assert verdict(call, 78) == verdict(call, (77 << 32) + 1) == 0x0005_0000 | errno.EPERM
        assert verdict(call + 1, 78) == filters.LET_THROUGH
        assert verdict(call, 78, arch=0x4000_0003) == filters.LET_THROUGH, "the list ends the program"


def test_inherited_descriptors_are_closed(tempdir):
    ours = os.open("/dev/null", os.O_RDONLY)
    far = os.dup2(ours, 900)
    try:
        attempts = [f"descriptor {fd}" for fd in (ours, far)]
        assert reached(tempdir, attempts, bare=True, pass_fds=(ours, far)) == ["0", "0"]
        attempts += [f"descriptor {fd}" for fd in range(3, 60)]
        assert set(reached(tempdir, attempts, pass_fds=(ours, far))) == {"EBADF"}
        assert reached(tempdir, ["descriptor 0", "descriptor 1", "descriptor 2"]) == ["0", "0", "0"]
    finally:
        os.close(ours)
        os.close(far)


# -- rights and limits -------------------------------------------------------------------------------------------------


def test_all_privileges_are_dropped():
    status = status_of_self()
    assert status["NoNewPrivs"] == ["1"]
    assert status["Seccomp"] == ["2"]
    assert status["Seccomp_filters"] == ["2"]
    assert {int(status[f"Cap{which}"][0], 16) for which in ("Inh", "Prm", "Eff", "Amb")} == {0}
    assert status["Umask"] == ["0077"]
    if ROOT:
        assert int(status["CapBnd"][0], 16) == 0


@pytest.mark.skipif(not ROOT, reason="only root has capabilities")
def test_capabilities_are_dropped_even_if_the_bounding_set_cannot_be_lowered():
    status = status_of_self(before=[building.tool("setpriv"), "--bounding-set", "-setpcap"])
    assert {int(status[f"Cap{which}"][0], 16) for which in ("Inh", "Prm", "Eff", "Amb")} == {0}
    assert int(status["CapBnd"][0], 16) != 0


@pytest.mark.skipif(not ROOT, reason="only root can become someone else")
def test_root_becomes_an_unused_uid_without_groups():
    status = status_of_self(uid=UID, extra_groups=[4, 24])
    assert status["Uid"] == [str(UID)] * 4
    assert status["Gid"] == [str(UID)] * 4
    assert status["Groups"] == []
    assert {int(status[f"Cap{which}"][0], 16) for which in ("Inh", "Prm", "Eff", "Amb", "Bnd")} == {0}


@pytest.mark.skipif(ROOT, reason="root can")
def test_other_users_cannot_change_their_uid():
    assert failed(uid=UID)[0] == "limits"


def limits_of_self(**others):
    rows = facts("limits", **others).splitlines()[1:]
    return {row[:26].strip(): row[26:].split()[:2] for row in rows}


def test_threads_are_limited_only_under_a_uid_of_their_own():
    """`test_cells.py` has the other limits. This one counts all processes of a user."""
    limits = Limits(threads=55)
    shown = limits_of_self(limits=limits)
    assert shown["Max processes"] != ["55"] * 2
    assert shown["Max pending signals"] == ["1024"] * 2
    if ROOT:
        assert limits_of_self(limits=limits, uid=UID)["Max processes"] == ["55"] * 2


def test_a_lower_inherited_limit_stays():
    def lower():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))

    assert limits_of_self(preexec_fn=lower)["Max open files"] == ["50"] * 2


def test_players_are_killed_first_when_memory_runs_out():
    assert facts("oom_score_adj") == "1000\n"


# -- what the player is given ------------------------------------------------------------------------------------------


def test_a_player_gets_its_environment_its_arguments_and_its_folder_as_specified(tempdir):
    launched = launch(["/usr/bin/env"], env={"A": "1", "B": "\u0436\udcff"})
    assert sorted(launched.out.split(b"\n")) == [b"", b"A=1", b"B=\xd0\xb6\xff"]
    assert launch(["/bin/echo", "-n", "a b", "", "\u0436\udcff"]).out == b"a b  \xd0\xb6\xff"
    assert launch(["/bin/pwd"], cwd=str(tempdir)).out == f"{tempdir}\n".encode()


# -- versions of Landlock ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("abi", "files", "ports", "scopes"),
    [
        (1, 0x1FFF, 0, 0),
        (2, 0x3FFF, 0, 0),
        (3, 0x7FFF, 0, 0),
        (4, 0x7FFF, 3, 0),
        (5, 0xFFFF, 3, 0),
        (6, 0xFFFF, 3, 3),
        (7, 0xFFFF, 3, 3),
        (8, 0xFFFF, 3, 3),
        (9, 0x1FFFF, 3, 3),
        (10, 0x1FFFF, 15, 3),
        (99, 0x1FFFF, 15, 3),
    ],
)
def test_a_ruleset_denies_everything_that_its_landlock_version_knows(abi, files, ports, scopes):
    assert struct.unpack("=QQQ", confine.ruleset(abi)) == (files, ports, scopes)
