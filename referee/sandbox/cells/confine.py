"""The launcher of level reduced: drops every right, then becomes the player.

It is run by itself, as `python -I -S -B confine.py STATUS_FD SECCOMP_FD SPEC_FD`, with the interpreter that runs the referee.
`reduced.py` writes the command and the specification, which is a dictionary as `marshal` writes it.

1. On STATUS_FD it writes one line of JSON: `{"confined": true, "landlock": ABI}` right before it executes the player, and the
   end of that stream says that the player runs. If a step fails, the last line is `{"failed": text, "errno": number, "stage":
   stage}`, with 0 or the number of the kernel's error and the stage `limits`, `landlock`, `seccomp` or `exec`, and the exit
   status is 126. No step is ever skipped.
2. Order. First the limits, which need nothing. Then the change of the user, if one is named, because it cancels the signal of
   the parent's death. Then that signal. Then Landlock, which opens the paths. Then the filters: from here on, only calls that a
   player may make are possible. The small filter comes first, because the list refuses to load another.
3. Landlock denies everything that the kernel's version of it knows, except to read and execute what is below the paths of
   the specification, and to write to /dev/null. It cannot hide a file's existence, size and times.
4. The small filter allows `tgkill` only with the own process as the target, as raise() and abort() use it. Without a pid
   namespace, a player can name all processes of the user.
5. The signal of the parent's death follows the thread that started this process. The launcher asks for it, and then checks that
   the parent is still the right one, because the parent may have ended before. The kernel keeps the signal for each thread:
   a player that executes a program from a second thread loses it. If the referee is killed then, only the limit of CPU time and
   the end of its input end the player.
6. Every player waits for the imports of this file. So it imports only ctypes and what the interpreter has loaded anyway or what
   is written in C. json, typing, signal or contextlib would each import half a dozen others.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import stat
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FAILED = 126

# -- numbers of the kernel -------------------------------------------------------------------------------------------------

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULESET_VERSION = 1
_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_FILES = ((1, 13), (2, 14), (3, 15), (5, 16), (9, 17))
"""(first version, the number of kinds of file access that it knows): each kind is a bit."""
_PORTS = ((4, 2), (10, 4))
_SCOPES = ((6, 2),)

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38
_FILTER_MODE = 2
_CAPABILITIES = 64
_CAP_VERSION_3 = 0x2008_0522
_SIGKILL = 9
_IGNORED = (13, 25)
"""SIGPIPE and SIGXFSZ: Python ignores them, but programs rely on their default."""
_TGKILL = {"x86_64": (0xC000_003E, 234), "aarch64": (0xC000_00B7, 131)}
_ALLOWED, _REFUSED = 0x7FFF_0000, 0x0005_0001  # SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO with EPERM


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


class Failed(Exception):
    """A right could not be dropped, or the player could not be executed. The text says which."""


def main(status: int, filter_fd: int, spec_fd: int) -> None:
    """Become the player, or write to `status` why that failed. Never returns."""
    stage = "limits"
    try:
        os.set_inheritable(status, False)
        spec = marshal.loads(_read_all(spec_fd))
        filter_program = _read_all(filter_fd)
        _limit(spec)
        _become(spec["uid"])
        _prctl(_PR_SET_PDEATHSIG, _SIGKILL)
        if os.getppid() != spec["parent"]:
            raise Failed("the referee is gone")
        stage = "landlock"
        abi = landlock_abi()
        _close_files(abi, spec["read"], spec["beside"], write=["/dev/null"])
        stage = "seccomp"
        _load(own_signals_only(os.getpid(), os.uname().machine))
        _load(filter_program)
        stage = "exec"
        os.closerange(3, status)
        os.closerange(status + 1, 1 << 20)
        os.umask(0o077)
        cwd, argv = _bytes(spec["cwd"]), [_bytes(part) for part in spec["argv"]]
        env = {_bytes(key): _bytes(value) for key, value in spec["env"].items()}
        os.chdir(cwd)
        for number in _IGNORED:
            _LIBC.signal(number, None)
        _tell(status, f'{{"confined": true, "landlock": {abi}}}')
        os.execve(argv[0], argv, env)
    except BaseException as error:
        number = getattr(error, "errno", None) or 0
        _tell(status, f'{{"failed": {_json_string(_text(error))}, "errno": {number}, "stage": "{stage}"}}')
    finally:
        os._exit(FAILED)


def landlock_abi() -> int:
    """The version of Landlock in this kernel, from 1; 0 for none."""
    return max(0, int(_LIBC.syscall(_long(_CREATE_RULESET), None, _long(0), _long(_RULESET_VERSION))))


def keep_to_reading(paths: list[str]) -> None:
    """Lose all access to files, for ever, but to read and execute what is below these paths; and what else Landlock denies.

    Raises:
        Failed: the kernel has no Landlock, or a path cannot be opened.
    """
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _close_files(landlock_abi(), paths, [], write=[])


def ruleset(abi: int) -> bytes:
    """Everything that this version of Landlock can deny, in the kernel's form: access to files, ports, scopes.

    An older version knows a shorter form. It accepts this one if the rest is zero.
    """
    return struct.pack("=QQQ", _bits(_FILES, abi), _bits(_PORTS, abi), _bits(_SCOPES, abi))


def own_signals_only(pid: int, machine: str) -> bytes:
    """A filter that refuses `tgkill` unless its first argument is `pid`, which the kernel reads as 32 bits."""
    arch, number = _TGKILL[machine]
    load, equal, give = 0x20, 0x15, 0x06  # a word of the call's data; compare and skip; the answer
    return b"".join(
        struct.pack("=HBBI", *instruction)
        for instruction in (
            (load, 0, 0, 4),  # the ABI: the list ends the program for a foreign one
            (equal, 0, 5, arch),
            (load, 0, 0, 0),  # its number
            (equal, 0, 3, number),
            (load, 0, 0, 16),  # the lower half of argument 0: both kinds of machine put it first
            (equal, 1, 0, pid),
            (give, 0, 0, _REFUSED),
            (give, 0, 0, _ALLOWED),
        )
    )


def _limit(spec: dict[str, Any]) -> None:
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # if memory runs out, the kernel ends players first
    for name, (soft, hard) in spec["limits"].items():
        which = getattr(resource, name)
        most = resource.getrlimit(which)[1]
        if most != resource.RLIM_INFINITY:  # the hard limit may be lower already, and cannot be raised
            soft, hard = min(soft, most), min(hard, most)
        try:
            resource.setrlimit(which, (soft, hard))
        except (ValueError, OSError) as error:
            raise Failed(f"{name} cannot be set to {soft}: {error}") from None


def _become(uid: int | None) -> None:
    """Become another user, if one is named. Drop all rights of root, also those that an executed file could bring back."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        _drop_bounds()
        os.setresuid(uid, uid, uid)
    else:
        _drop_bounds()
    header, none = struct.pack("=Ii", _CAP_VERSION_3, 0), bytes(24)
    _check(_LIBC.capset(header, none), "capset")
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def _drop_bounds() -> None:
    """Drop capabilities that an executed file could bring back, which only root may do."""
    if os.geteuid() == 0:
        for capability in range(_CAPABILITIES):
            _LIBC.prctl(_PR_CAPBSET_DROP, _long(capability), _long(0), _long(0), _long(0))


def _close_files(abi: int, read: list[str], beside: list[str], *, write: list[str]) -> None:
    if abi < 1:
        raise Failed("the kernel has no Landlock, or it is switched off")
    denied = ruleset(abi)
    fd = _check(_LIBC.syscall(_long(_CREATE_RULESET), denied, _long(len(denied)), _long(0)), "landlock_create_ruleset")
    for path in read:
        _grant(fd, path, _READ_FILE | _EXECUTE)
    for path in beside:
        _grant(fd, path, _READ_FILE | _EXECUTE, needed=False)
    for path in write:
        _grant(fd, path, _READ_FILE | _WRITE_FILE)
    _check(_LIBC.syscall(_long(_RESTRICT_SELF), _long(fd), _long(0)), "landlock_restrict_self")
    os.close(fd)


def _grant(ruleset: int, path: str, rights: int, *, needed: bool = True) -> None:
    """Grant `rights` on a file, or on all that is below a folder, which may be listed too.

    If it is not `needed`, it may have been removed.
    """
    try:
        fd = os.open(_bytes(path), os.O_PATH | os.O_CLOEXEC)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not needed:
            return
        raise Failed(f"{path}: {error.strerror}") from None
    try:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            rights |= _READ_DIR
        rule = struct.pack("=Qi", rights, fd)
        answer = _LIBC.syscall(_long(_ADD_RULE), _long(ruleset), _long(_PATH_BENEATH), rule, _long(0))
        _check(answer, f"landlock_add_rule for {path}")
    finally:
        os.close(fd)


def _bits(table: tuple[tuple[int, int], ...], abi: int) -> int:
    """All bits that this version knows, by a table of (since which version, how many bits)."""
    return (1 << max((count for since, count in table if since <= abi), default=0)) - 1


def _load(program: bytes) -> None:
    instructions = ctypes.create_string_buffer(program, len(program))
    filter_program = _Program(len(program) // 8, ctypes.cast(instructions, ctypes.c_char_p))
    answer = _LIBC.prctl(_PR_SET_SECCOMP, _long(_FILTER_MODE), ctypes.byref(filter_program), _long(0), _long(0))
    _check(answer, "the filter of system calls")


def _read_all(fd: int) -> bytes:
    with open(fd, "rb") as file:
        return file.read()


def _tell(status: int, what: str) -> None:
    try:
        os.write(status, what.encode() + b"\n")
    except OSError:  # no reader is left; the exit status says the same
        return


def _json_string(text: str) -> str:
    """`text` as a JSON string; what is not plain ASCII is shown by its number."""
    plain = "".join(sign if " " <= sign <= "~" else ascii(sign)[1:-1] for sign in text)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        name = error.filename
        path = name.decode("utf-8", "backslashreplace") if isinstance(name, bytes) else name
        return f"{path}: {error.strerror}" if path else error.strerror
    return str(error) or type(error).__name__


def _bytes(text: str) -> bytes:
    """What `os.fsdecode` made of it on the referee's side, whatever the locale is here."""
    return text.encode("utf-8", "surrogateescape")


def _prctl(option: int, value: int) -> None:
    _check(_LIBC.prctl(option, _long(value), _long(0), _long(0), _long(0)), f"prctl {option}")


def _check(answer: int, what: str) -> int:
    if answer < 0:
        raise Failed(f"{what}: {os.strerror(ctypes.get_errno())}")
    return answer


def _long(number: int) -> ctypes.c_long:
    """A variadic function takes all 64 bits of an argument from its register."""
    return ctypes.c_long(number)


_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long

if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:4]))
