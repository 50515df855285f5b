"""Compiles the lists of system calls to the filters in the package: `scripts/python -m filters`.

A filter is a program for the kernel's filter machine: instructions of 8 bytes that test the number and the arguments of a
call and return an answer. libseccomp writes it as a binary tree over the numbers, for this kind of machine or another. Run
this after every change of `players.py` or `builds.py`; a test compares the filters in the package with these lists.
"""

from __future__ import annotations

import os
from typing import Any

import pyseccomp as lib  # type: ignore[import-untyped]

from filters.players import ALLOW, CallList, Condition, Null

TREE = 2
"""libseccomp's binary tree. Versions before 2.5 write a list instead, which is equivalent but slower."""


def compiled(machine: str, listed: CallList) -> bytes:
    """The filter for one of `MACHINES`.

    Raises:
        ValueError: the list names a call that libseccomp does not know.
    """
    arch = {"x86_64": lib.Arch.X86_64, "aarch64": lib.Arch.AARCH64}[machine]
    syscall_filter = lib.SyscallFilter(_action(listed.unlisted))
    syscall_filter.set_attr(lib.Attr.ACT_BADARCH, lib.KILL_PROCESS)
    syscall_filter.set_attr(lib.Attr.CTL_OPTIMIZE, TREE)
    if arch != lib.system_arch():
        syscall_filter.add_arch(arch)
        syscall_filter.remove_arch(lib.system_arch())
    for rule in listed.rules(machine):
        conditions = [_condition(condition) for condition in rule.when]
        for name in rule.names:
            number = lib.resolve_syscall(lib.Arch.NATIVE, name)
            if number == -1:
                raise ValueError(f"the list of system calls names {name}, which libseccomp does not know")
            # Calls that this kind of machine lacks have lower numbers and need no rule.
            syscall_filter.add_rule(_action(rule.answer), number, *conditions)
    with open(os.memfd_create("filter"), "w+b") as file:
        syscall_filter.export_bpf(file)
        file.seek(0)
        return file.read()


def _action(answer: int) -> Any:
    return lib.ALLOW if answer == ALLOW else lib.ERRNO(answer)


def _condition(condition: Condition) -> Any:
    if isinstance(condition, Null):
        return lib.Arg(condition.arg, lib.EQ if condition.null else lib.NE, 0)
    return lib.Arg(condition.arg, lib.MASKED_EQ, condition.mask, condition.value)
