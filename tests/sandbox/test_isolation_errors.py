"""Messages on stderr when a cell cannot be set up, and the referee's errors for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import BotError, IsolationError
from referee.sandbox import isolation_errors
from referee.sandbox.builds.build import build
from referee.sandbox.isolation_errors import Facts, facts, failure, no_user
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox

PLAIN = Facts()
DEBIAN = Facts(userns_clone=0)
UBUNTU = Facts(apparmor_userns=1)
DOCKER = Facts(filtered=True, container=True)

NO_PERMISSIONS = (
    "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user "
    "namespaces. See <https://deb.li/bubblewrap> or <file:///usr/share/doc/bubblewrap/README.Debian.gz>.\n"
)
UID_MAP = "bwrap: setting up uid map: Permission denied\n"
LOOPBACK = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\n"
SLAVE = "bwrap: Failed to make / slave: Permission denied\n"
FILTER = (
    "bwrap: bwrap: Unable to set up system call filtering as requested: prctl(PR_SET_SECCOMP) reported EINVAL. (Hint: "
    "this requires a kernel configured with CONFIG_SECCOMP and CONFIG_SECCOMP_FILTER.)\nUnable to set up system call "
    "filtering as requested: prctl(PR_SET_SECCOMP) reported EINVAL. (Hint: this requires a kernel configured with "
    "CONFIG_SECCOMP and CONFIG_SECCOMP_FILTER.)\n"
)

MACHINE = [
    (NO_PERMISSIONS, DEBIAN, "kernel.unprivileged_userns_clone=1"),
    (NO_PERMISSIONS, Facts(container=True), "--security-opt seccomp=unconfined --security-opt apparmor=unconfined"),
    (NO_PERMISSIONS, Facts(filtered=True), "container whose seccomp profile forbids namespaces"),
    (NO_PERMISSIONS, UBUNTU, "kernel.apparmor_restrict_unprivileged_userns=0"),
    (NO_PERMISSIONS, PLAIN, "a security module or a sandbox around the referee"),
    ("bwrap: No permissions to creating new namespace, likely because …\n", DEBIAN, "unprivileged_userns_clone=1"),
    ("bwrap: Creating new namespace failed: Operation not permitted\n", DOCKER, "--security-opt seccomp=unconfined"),
    (
        "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)\n",
        PLAIN, "user.max_user_namespaces, user.max_net_namespaces",
    ),
    ("bwrap: Creating new namespace failed: Resource temporarily unavailable\n", PLAIN, "ulimit -u"),
    ("bwrap: Creating new namespace failed: Cannot allocate memory\n", PLAIN, "memory"),
    ("bwrap: Can't fork for pid 1: Resource temporarily unavailable\n", PLAIN, "ulimit -u"),
    (UID_MAP, UBUNTU, "sudo cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d"),
    (UID_MAP, Facts(apparmor_userns=0), "a security module or a sandbox around the referee"),
    (UID_MAP, PLAIN, "a security module or a sandbox around the referee"),
    (LOOPBACK, PLAIN, "a security module or a sandbox around the referee"),
    (LOOPBACK, UBUNTU, "kernel.apparmor_restrict_unprivileged_userns=0"),
    (SLAVE, DOCKER, "--security-opt apparmor=unconfined"),
    (SLAVE, PLAIN, "a security module or a sandbox around the referee"),
    (SLAVE, UBUNTU, "kernel.apparmor_restrict_unprivileged_userns=0"),
    (FILTER, PLAIN, "bubblewrap says 'Unable to set up system call filtering as requested"),
    ("bwrap: Can't mkdir /bot: Read-only file system\n", PLAIN, "\"Can't mkdir /bot: Read-only file system\""),
    ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted\n", PLAIN, "systempaths=unconfined"),
    ("", PLAIN, "ended without a message"),
]  # fmt: skip

BOT = [
    ("bwrap: execvp /bot/run: No such file or directory\n", "correct `run` in its bot.toml"),
    ("bwrap: execvp /bot/run: Permission denied\n", "chmod +x"),
    ("bwrap: Can't find source path /opt/jdk/lib: No such file or directory\n", "/opt/jdk/lib"),
]


def test_the_error_of_a_root_referee_names_the_cause():
    message = no_user("mount /x: No such device")
    assert "SYS_ADMIN" in message
    assert "mount /x: No such device" in message


@pytest.mark.parametrize(("words", "machine", "way_out"), MACHINE)
def test_an_isolation_error_says_how_to_fix_the_machine(words, machine, way_out):
    error = failure("Wanda", words, machine)
    assert isinstance(error, IsolationError)
    assert way_out in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(("words", "way_out"), BOT)
def test_a_missing_file_of_the_bot_is_a_bot_error(words, way_out):
    error = failure("Wanda", words, DOCKER)
    assert isinstance(error, BotError)
    assert str(error).startswith("bot Wanda cannot be started: ")
    assert way_out in str(error)


@pytest.mark.parametrize("words", [NO_PERMISSIONS, UID_MAP, LOOPBACK, SLAVE])
@pytest.mark.parametrize("machine", [PLAIN, DEBIAN, UBUNTU, DOCKER])
def test_if_namespaces_are_forbidden_the_error_names_level_reduced(words, machine):
    assert "--isolation reduced" in str(failure("Wanda", words, machine))


def test_neither_a_file_name_nor_earlier_output_hides_the_reason():
    words = "bwrap: execvp /bot/\nloopback: Unknown option: No such file or directory\n"
    assert isinstance(failure("Wanda", words, PLAIN), BotError)
    words = "bwrap: execvp /bot/Unable to set up system call filtering: No such file or directory\n"
    assert isinstance(failure("Wanda", words, PLAIN), BotError)
    assert "AppArmor" in str(failure("Wanda", "sh: warning: no locale\n" + UID_MAP, UBUNTU))


@given(st.text(max_size=5000), st.text(max_size=5000))
def test_any_output_becomes_one_short_printable_line(name, words):
    for text in (failure(name, words, PLAIN), failure(name, f"bwrap: execvp {words}", PLAIN)):
        assert len(str(text)) < 1000
        assert str(text).isprintable()


def test_messages_about_paths_and_delays_are_harmless_too():
    assert "/root/\\x1b[2J" in isolation_errors.out_of_reach(Path("/root/\x1b[2J"))
    assert "20 s" in isolation_errors.slow("Wanda", 20.0)
    assert isolation_errors.slow("\n" * 500, 20.0).isprintable()


@pytest.mark.parametrize("text", [isolation_errors.NO_BUBBLEWRAP, isolation_errors.NOT_LINUX], ids=["bwrap", "linux"])
def test_without_isolation_the_error_names_the_flag_for_trusted_programs(text):
    assert "--isolation none" in text


async def test_an_empty_proc_is_reported_before_anything_starts(tmp_path, monkeypatch):
    monkeypatch.setattr(isolation_errors, "_SELF", tmp_path / "self")
    advice = "mount -t proc proc /proc"
    for level in Level:
        with pytest.raises(IsolationError, match=advice), open_sandbox(level):
            pytest.fail("it opens without /proc")
    with pytest.raises(IsolationError, match=advice):
        await build("x", ["true"], tmp_path)


CLONE = "proc/sys/kernel/unprivileged_userns_clone"
APPARMOR = "proc/sys/kernel/apparmor_restrict_unprivileged_userns"
STATUS = "proc/self/status"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, PLAIN),
        ({CLONE: "0\n"}, DEBIAN),
        ({CLONE: "1\n", APPARMOR: "0\n"}, Facts(userns_clone=1, apparmor_userns=0)),
        ({APPARMOR: "1\n"}, UBUNTU),
        ({APPARMOR: "whatever\n"}, PLAIN),
        ({STATUS: "Name:\tpython\nSeccomp:\t2\nSeccomp_filters:\t1\n"}, Facts(filtered=True)),
        ({STATUS: "Name:\tpython\nSeccomp:\t0\nSeccomp_filters:\t0\n"}, PLAIN),
        ({".dockerenv": ""}, Facts(container=True)),
        ({"run/.containerenv": ""}, Facts(container=True)),
    ],
)
def test_facts_are_read_from_the_files_of_the_machine(tmp_path, files, expected):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert facts(tmp_path) == expected
