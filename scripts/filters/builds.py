"""The system calls that a build may not make: a short list, because compilers need nearly all calls.

1. A call that no rule names is allowed. Compilers start programs, write files and connect threads and processes in every way
   that the kernel offers. Namespaces, limits and missing capabilities contain them, not this list.
2. The list names what those leave open. Keys belong to no namespace that bubblewrap can create, virtual sockets (vsock) to no
   network namespace, and no filter sees the calls of io_uring. The kernel's ciphers (AF_ALG) take a key by its number. Files
   without a name in memory and System V objects belong to no process, so nobody counts their memory. The list also names
   calls that exploits of the kernel often use and compilers do not need: bpf, userfaultfd, ptrace, user namespaces.
3. Refused calls fail with EPERM. io_uring, clone3, memfd_create and System V IPC fail with ENOSYS, as on a kernel without
   them, because programs then fall back to other calls.
4. The rules have the form of those in `players.py`; points 4 and 5 of its theory apply here too.
"""

from __future__ import annotations

from errno import ENOSYS, EPERM
from typing import Final

from filters.players import ALLOW, CallList, Equal, Rule

_AF_ALG: Final = 38
_AF_VSOCK: Final = 40
_CLONE_NEWUSER: Final = 0x1000_0000
_SYSTEM_V: Final = "shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semtimedop semctl"

_RULES: Final = (
    # A build has the user's session keyring. Only these calls and the kernel's ciphers can use its keys.
    Rule("keys of the user, and keys that outlive the build", EPERM, ("keyctl", "add_key", "request_key")),
    Rule("ciphers that work with a key of the user", EPERM, ("socket",), (Equal(0, _AF_ALG),)),
    Rule("calls that no filter sees", ENOSYS, ("io_uring_setup", "io_uring_enter", "io_uring_register")),
    Rule("memory that belongs to no process", ENOSYS, ("memfd_create", *_SYSTEM_V.split())),
    Rule("userfaultfd, which helps to win races in the kernel", EPERM, ("userfaultfd",)),
    Rule("programs in the kernel", EPERM, ("bpf",)),
    # This does not protect the processes of a jail from each other: /proc/PID/mem remains.
    Rule("to trace processes, a large and risky part of the kernel", EPERM, ("ptrace",)),
    Rule("the hypervisor, and through it other machines", EPERM, ("socket", "socketpair"), (Equal(0, _AF_VSOCK),)),
    # Root in a namespace reaches much more of the kernel than a program without privileges.
    Rule("user namespaces: to create one", EPERM, ("clone", "unshare"), (Equal(0, _CLONE_NEWUSER, _CLONE_NEWUSER),)),
    Rule("user namespaces: to enter one", EPERM, ("setns",)),
    # Its flags are in memory, where no rule sees them. C libraries fall back to clone.
    Rule("clone3 could create a user namespace", ENOSYS, ("clone3",)),
)

BUILDS: Final = CallList(ALLOW, lambda _machine: _RULES)
