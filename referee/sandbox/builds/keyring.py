"""A launcher in front of bubblewrap: it takes a new session keyring, then becomes the program that it was given.

It runs by itself, as `python -I -S -B keyring.py PROGRAM ARGUMENT...`, with the interpreter that runs the referee.

1. The kernel hands a session keyring on to every child process, and no namespace separates it. A process can only replace
   its own. The referee must keep the user's keyring, which other programs may need, so this process replaces its own instead.
2. The new keyring is empty and has no name, so nothing else can join it. The kernel removes it with the last process that
   has it, which is the end of the build.
3. If the kernel has no keys (ENOSYS) or a container forbids them (EPERM), the build cannot use keys either and starts all the
   same. Any other error ends the start; `isolation_errors.py` explains the line on stderr.
4. Python ignores two signals at its start, and may put a locale into its environment. The program gets neither: the signals
   are reset, and its environment is empty.
5. Every build waits for this launcher, some 20 ms. So it imports only ctypes and what Python has loaded anyway.
"""

from __future__ import annotations

import ctypes
import os
import sys

_KEYCTL = {"x86_64": 250, "aarch64": 219}
"""By machine; a build's list of calls exists for no other."""
_JOIN_SESSION_KEYRING = 1
_EPERM, _ENOSYS = 1, 38
_IGNORED = (13, 25)
"""SIGPIPE and SIGXFSZ."""


def main(argv: list[str]) -> None:
    """Never returns: becomes `argv`, or says on stderr why there is no keyring."""
    try:
        _join_new_session_keyring()
    except OSError as error:
        sys.exit(f"keyring: {error.strerror}")
    for number in _IGNORED:
        _LIBC.signal(number, None)
    os.execve(argv[0], argv, {})


def _join_new_session_keyring() -> None:
    """Raises: OSError."""
    keyctl = _KEYCTL[os.uname().machine]
    if _LIBC.syscall(ctypes.c_long(keyctl), ctypes.c_long(_JOIN_SESSION_KEYRING), None) < 0:
        error = ctypes.get_errno()
        if error not in (_EPERM, _ENOSYS):
            raise OSError(error, os.strerror(error))


_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long

if __name__ == "__main__":
    main(sys.argv[1:])
