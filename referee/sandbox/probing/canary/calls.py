"""System calls as a C program makes them, for what Python has no words for."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

try:
    import ctypes
except ImportError:  # an interpreter built without it: some attacks cannot be tried
    ctypes = None  # type: ignore[assignment]

__all__ = ["Attack", "Told", "Untried", "call", "checked", "ctypes", "libc"]

Told = dict[str, Any]
Attack = Callable[[Told], None]


class Untried(Exception):
    """This interpreter or processor cannot make the attack."""


def libc() -> Any:
    """The C library, whose functions leave their errno to `checked`."""
    if ctypes is None:
        raise Untried("this Python has no ctypes")
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    """A C function's result; OSError for -1."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def call(x86_64: int, aarch64: int, *arguments: object) -> int:
    """A system call by its number."""
    number = {"x86_64": x86_64, "aarch64": aarch64}.get(os.uname().machine)
    if number is None:
        raise Untried("this processor's number of the call is not known")
    return checked(libc().syscall(ctypes.c_long(number), *arguments))
