"""A list of system calls, compiled to what the kernel takes, built once and kept.

1. There are two lists. `syscalls.py` names what a player may call, `builds.py` what a build may not. Here a list becomes a
   program for the kernel's filter machine: instructions of 8 bytes that look at the call's number and arguments and give
   an answer. libseccomp writes it, as a binary tree over the numbers.
2. Building costs more than a launch, mostly for finding and loading the library; so the program is kept in the user's cache
   folder, under a name that is the digest of everything that went into it.
3. What is kept is not trusted: the folder and the file must be the user's own and writable by nobody else, and the file starts
   with a digest of its name and content. Anything else is built again; a cache that cannot be written is no error.
4. bubblewrap reads the program from a descriptor, from where it stands, to its end: each spawn gets a fresh one.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import platform
import stat
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs

from referee.errors import InternalError, IsolationError
from referee.sandbox.calls import builds, syscalls
from referee.sandbox.calls.syscalls import ALLOW, Condition, Null, Rule

OPTIMISE: Final = 2
"""libseccomp's binary tree; libraries before 2.5 write a list instead, which is the same, slower."""
INSTRUCTION: Final = 8
MOST: Final = 4096
"""Instructions that the kernel takes in one program."""
_DIGEST: Final = hashlib.sha256().digest_size
_MISSING: Final = (
    "Players cannot be isolated: libseccomp.so.2 is missing, which compiles the list of allowed system calls. Run: "
    "sudo apt install libseccomp2 (Fedora: sudo dnf install libseccomp). "
    "To run trusted programs without protection: --isolation none"
)
_UNAVAILABLE: Final = "System-call filtering unavailable: refusing to start"


@dataclass(frozen=True, slots=True)
class CallList:
    """Which system calls a program may make. Calls of a foreign kind (32 bit, x32) always end the program.

    Attributes:
        unlisted: the answer to a call that fits no rule.
        rules: all rules for one of `syscalls.MACHINES`.
    """

    unlisted: int
    rules: Callable[[str], tuple[Rule, ...]]


PLAYERS: Final = CallList(syscalls.UNLISTED, syscalls.rules)
BUILDS: Final = CallList(builds.UNLISTED, builds.rules)


@functools.cache
def bpf(listed: CallList = PLAYERS) -> bytes:
    """The filter for this machine: `struct sock_filter` after `struct sock_filter`, 8 bytes each.

    Raises:
        IsolationError: libseccomp is missing or cannot filter here, or nobody has made a list for this kind of machine.
    """
    machine = platform.machine()
    if machine not in syscalls.MACHINES:
        known = " and ".join(syscalls.MACHINES)
        raise IsolationError(
            f"Players cannot be isolated on {machine}: the list of allowed system calls is for {known}; "
            "to run trusted programs without protection: --isolation none"
        )
    name = _name(machine, listed)
    folder = platformdirs.user_cache_path("referee")
    program = kept(folder, name)
    if program is None:
        program = build(machine, listed)
        keep(folder, name, program)
    return program


def digest() -> str:
    """Which filter players have, for records: 16 hexadecimal digits of a SHA-256 over the compiled program.

    Raises:
        IsolationError: as `bpf`.
    """
    return hashlib.sha256(bpf()).hexdigest()[:16]


def as_memfd(listed: CallList = PLAYERS) -> int:
    """The filter in a fresh descriptor that stands at its beginning, for one spawn; the caller closes it.

    Raises:
        IsolationError: as `bpf`.
        OSError: no descriptors left.
    """
    return memfd("seccomp", bpf(listed))


def memfd(name: str, content: bytes) -> int:
    """A fresh descriptor in memory that stands at the beginning of `content`; not inherited unless it is passed on.

    Raises:
        OSError: no descriptors left.
    """
    fd = os.memfd_create(name, os.MFD_CLOEXEC)
    try:
        with open(fd, "wb", closefd=False) as file:
            file.write(content)
        os.lseek(fd, 0, os.SEEK_SET)
    except BaseException:
        os.close(fd)
        raise
    return fd


def build(machine: str, listed: CallList = PLAYERS) -> bytes:
    """The filter for `machine`, one of `syscalls.MACHINES`, compiled; it need not be this machine.

    Raises:
        IsolationError: libseccomp is missing, or the kernel cannot filter.
        OSError: no process or descriptor is left to look for it.
        InternalError: the list names a call that libseccomp does not know.
    """
    try:
        # It looks for the library by starting programs: only when there is something to build.
        import pyseccomp as lib  # type: ignore[import-untyped]
    except (RuntimeError, OSError, AttributeError):
        # A search for which no program can be started ends as if there were no library.
        subprocess.run(["/bin/sh", "-c", ":"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
        raise IsolationError(_MISSING) from None
    arch = {"x86_64": lib.Arch.X86_64, "aarch64": lib.Arch.AARCH64}[machine]
    try:
        made = lib.SyscallFilter(_action(lib, listed.unlisted))
        made.set_attr(lib.Attr.ACT_BADARCH, lib.KILL_PROCESS)
        with contextlib.suppress(OSError):
            made.set_attr(lib.Attr.CTL_OPTIMIZE, OPTIMISE)
        if arch != lib.system_arch():
            made.add_arch(arch)
            made.remove_arch(lib.system_arch())
        for rule in listed.rules(machine):
            action = _action(lib, rule.answer)
            conditions = [_condition(lib, condition) for condition in rule.when]
            for name in rule.names:
                number = lib.resolve_syscall(lib.Arch.NATIVE, name)
                if number == -1:  # below it are those that this kind of machine does not have: they need no rule
                    if name in syscalls.NEWER:
                        continue
                    raise InternalError(f"the list of system calls names {name}, which libseccomp does not know")
                made.add_rule(action, number, *conditions)
        with open(os.memfd_create("building"), "w+b") as file:
            made.export_bpf(file)
            file.seek(0)
            program = file.read()
    except OSError as error:
        raise IsolationError(f"{_UNAVAILABLE} ({error.strerror})") from None
    if not _plausible(program):
        raise IsolationError(f"{_UNAVAILABLE} ({len(program)} bytes of instructions)")
    return program


def kept(folder: Path, name: str) -> bytes | None:
    """The program that was kept in `folder` as `name`, if it is there, ours and whole."""
    try:
        with _opened(folder) as there:
            fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=there)
            with open(fd, "rb") as file:
                if not _ours(os.fstat(fd), stat.S_ISREG):
                    return None
                content = file.read(_DIGEST + MOST * INSTRUCTION + 1)
    except OSError:
        return None
    program = content[_DIGEST:]
    return program if _plausible(program) and content[:_DIGEST] == _seal(name, program) else None


def keep(folder: Path, name: str, program: bytes) -> None:
    """Keeps `program` in `folder` as `name`, all of it or nothing; a folder that cannot be used is no error."""
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _opened(folder) as there:
            draft = f".{name}.{os.getpid()}"
            with contextlib.suppress(FileNotFoundError):
                os.unlink(draft, dir_fd=there)
            fd = os.open(
                draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=there
            )
            try:
                with open(fd, "wb") as file:
                    file.write(_seal(name, program) + program)
                os.replace(draft, name, src_dir_fd=there, dst_dir_fd=there)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(draft, dir_fd=there)
                raise


def _name(machine: str, listed: CallList) -> str:
    """The name under which the program is kept: what it was made of.

    Raises:
        IsolationError: libseccomp is missing. OSError: no descriptor is left to look for it.
    """
    made_of = (machine, _library(), OPTIMISE, listed.unlisted, sorted(syscalls.NEWER), listed.rules(machine))
    return f"seccomp-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:32]}"


def _library() -> tuple[int, int, int]:
    """Which libseccomp would build: loading it costs a fraction of what pyseccomp costs."""

    class Version(ctypes.Structure):
        _fields_ = (("major", ctypes.c_uint), ("minor", ctypes.c_uint), ("micro", ctypes.c_uint))

    try:
        ask = ctypes.CDLL("libseccomp.so.2").seccomp_version
    except (OSError, AttributeError):
        os.close(os.open("/", os.O_RDONLY | os.O_CLOEXEC))  # if no descriptor is left, that is why
        raise IsolationError(_MISSING) from None
    ask.restype = ctypes.POINTER(Version)
    told = ask().contents
    return told.major, told.minor, told.micro


def _action(lib: Any, answer: int) -> Any:
    return lib.ALLOW if answer == ALLOW else lib.ERRNO(answer)


def _condition(lib: Any, condition: Condition) -> Any:
    if isinstance(condition, Null):
        return lib.Arg(condition.arg, lib.EQ if condition.null else lib.NE, 0)
    return lib.Arg(condition.arg, lib.MASKED_EQ, condition.mask, condition.value)


def _seal(name: str, program: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + program).digest()


def _plausible(program: bytes) -> bool:
    return 0 < len(program) <= MOST * INSTRUCTION and len(program) % INSTRUCTION == 0


def _ours(found: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether it is of this kind, and nobody else can have written it."""
    return kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """The cache folder as a descriptor.

    Raises:
        OSError: it is not there, or somebody else's.
    """
    there = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if not _ours(os.fstat(there), stat.S_ISDIR):
            raise PermissionError(f"{folder} is not only this user's")
        yield there
    finally:
        os.close(there)
