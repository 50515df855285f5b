"""The system calls that a player may make: the list as data, with a reason for each group.

1. A call in no group fails with ENOSYS. So calls of future kernels are refused too, and a program that tries a new call falls
   back to an older one. Calls in a foreign ABI (32 bit, x32) kill the program.
2. Calls that a program is likely to try, and whose refusal its author should notice, fail with EPERM: the author sees a
   traceback with "Operation not permitted" instead of a killed program.
3. A few calls return 0 without being made. Their effect makes no difference to a program that cannot write anything, but
   refusing them breaks runtimes.
4. A rule sees arguments as numbers, never what they point to. The kernel reads most of them as 32-bit integers and ignores the
   upper half, so a rule compares only what the kernel reads (`Equal` with a mask of 32 bits). If a *refusing* rule compared all
   64 bits, a program could evade it by setting an upper bit.
5. Rules for the same call must not overlap; arguments that fit no rule get ENOSYS.

The list cannot control the content of memory mappings (`mprotect` to read-only takes pages out of RLIMIT_DATA, so resident
memory is watched as well), or messages through anything that two players can both read or time, such as a futex in a page of
the C library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from errno import EINVAL, ENOMEM, ENOSYS, EPERM
from typing import Final

ALLOW: Final = -1
"""The answer of a rule that allows the call. Other answers are an errno; 0 means success without making the call."""

INT: Final = 0xFFFF_FFFF
"""The bits of an argument that the kernel reads if it declares an `int`."""

MACHINES: Final = ("x86_64", "aarch64")
"""The kinds of machine that have filters."""
O_DIRECT: Final = {"x86_64": 0x4000, "aarch64": 0x10000}


@dataclass(frozen=True, slots=True)
class Equal:
    """The bits in `mask` of argument number `arg` (from 0) equal `value`."""

    arg: int
    value: int
    mask: int = INT


@dataclass(frozen=True, slots=True)
class Null:
    """Argument number `arg`, a 64-bit pointer, is null; with `null` false, it is not."""

    arg: int
    null: bool = True


Condition = Equal | Null


@dataclass(frozen=True, slots=True)
class Rule:
    """The answer to the calls `names` if all conditions in `when` hold. `why` explains the rule to maintainers."""

    why: str
    answer: int
    names: tuple[str, ...]
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class CallList:
    """The system calls that a program may make. Calls in a foreign ABI (32 bit, x32) always kill the program.

    Attributes:
        unlisted: the answer to a call that fits no rule.
        rules: all rules for one of `MACHINES`.
    """

    unlisted: int
    rules: Callable[[str], tuple[Rule, ...]]


def none_of(arg: int, bits: int) -> Equal:
    """Argument `arg` has none of `bits` set."""
    return Equal(arg, 0, bits)


def only(arg: int, bits: int) -> Equal:
    """Argument `arg`, an `int`, has at most `bits` set."""
    return Equal(arg, 0, INT & ~bits)


def rules(machine: str) -> tuple[Rule, ...]:
    """The whole list for one of `MACHINES`."""
    return (*_common(machine), Rule(_TIMERS, EPERM, ("timer_create",)))


def rules_of_ruby(machine: str) -> tuple[Rule, ...]:
    """The list for Ruby: the same, but timers are pretended.

    Ruby before 3.3 makes a timer at its start, and warns on stderr if it cannot. It uses the timer only to wake its own
    threads again, and does without.
    """
    return (*_common(machine), Rule(_TIMERS, 0, ("timer_create", "timer_settime", "timer_delete")))


def _common(machine: str) -> tuple[Rule, ...]:
    return (
        *(Rule(why, ALLOW, tuple(names.split())) for why, names in _ALLOWED),
        *(Rule(why, EPERM, tuple(names.split())) for why, names in _REFUSED),
        *(Rule(why, 0, tuple(names.split())) for why, names in _PRETENDED),
        *_files(O_DIRECT[machine]),
        *_MEMORY,
        *_THREADS,
        *_CLOCKS,
        *_SOCKETS,
        *_chosen("ioctl", 1, "queries about terminals and available bytes, non-blocking and close-on-exec", _IOCTLS),
        *_chosen("prctl", 0, "names of threads and mappings, and queries", _PRCTLS),
        *_chosen("prctl", 0, "to outlive the referee, to be traced, to occupy a whole core", _BAD_PRCTLS, EPERM),
        *_chosen("arch_prctl", 0, "a thread's own storage", _ARCH_PRCTLS),
        *_chosen(
            "membarrier", 0, "barriers among a program's own threads; other barriers interrupt every core", _BARRIERS
        ),
    )


_ALLOWED: Final = (
    ("input and output", "read write readv writev pread64 pwrite64 preadv pwritev lseek close sendfile"),
    ("descriptors", "dup dup2 dup3 poll ppoll select pselect6 pipe eventfd eventfd2 signalfd signalfd4"),
    (
        "event loops",
        "epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 "
        "timerfd_create timerfd_settime timerfd_gettime",
    ),
    (
        "reading files; other layers decide which files are visible",
        "access faccessat faccessat2 stat fstat lstat newfstatat statx statfs fstatfs readlink readlinkat "
        "getdents getdents64 getcwd chdir fchdir readahead umask",
    ),
    (
        "memory, counted by the limits on it",
        "brk munmap mremap mprotect mincore mlock mlock2 munlock pkey_alloc pkey_free pkey_mprotect get_mempolicy",
    ),
    ("threads that wait for each other", "futex set_robust_list set_tid_address rseq restart_syscall"),
    (
        "signals within the program",
        "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack tgkill pause "
        "alarm setitimer getitimer",
    ),
    ("time", "nanosleep gettimeofday time times getcpu"),
    (
        "queries about scheduling",
        "sched_getaffinity sched_getparam sched_getscheduler sched_getattr sched_get_priority_max "
        "sched_get_priority_min sched_rr_get_interval getpriority",
    ),
    (
        "queries about the program and the machine",
        "getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid capget "
        "getrlimit getrusage sysinfo uname getrandom",
    ),
    # A player itself is started by an execve under this list. It can execute only files that it sees, in the same process,
    # with the same clock and limits.
    ("to start and to end", "execve exit exit_group wait4 waitid"),
    ("a pair of sockets within the program", "shutdown getsockname getpeername"),
)

_REFUSED: Final = (
    ("other processes: to make them", "fork vfork execveat unshare setns setsid setpgid"),
    ("other processes: to reach them", "ptrace kill tkill rt_sigqueueinfo rt_tgsigqueueinfo"),
    ("the network, and every other kind of socket", "socket connect bind listen accept accept4"),
    # A message can carry descriptors, beyond RLIMIT_NOFILE and from a total that all programs of the user share. It can also
    # carry an address, in memory that no rule sees.
    ("descriptors and addresses inside messages", "sendmsg sendmmsg recvmsg recvmmsg"),
    (
        "to change files",
        "creat mkdir mkdirat mknod mknodat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat "
        "truncate ftruncate fallocate chmod fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat "
        "futimesat setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr mount umount2 pivot_root chroot",
    ),
    (
        "to become another user",
        "setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid setfsgid capset",
    ),
    (
        "memory that the limits do not count",
        "memfd_create shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semtimedop semctl mq_open mq_unlink",
    ),
    ("limits and scheduling", "setrlimit sched_setaffinity setpriority"),
)

# The signal could be SIGCONT, which resumes a player that is stopped between its turns. setitimer and timerfd remain.
_TIMERS: Final = "timers with a signal of one's choice"

_PRETENDED: Final = (
    # The C library sets both for each new thread with a policy. If they were refused, Pascal's threads would not start.
    ("the policy of one's own threads", "sched_setscheduler sched_setparam"),
    # A thread that yields all the time is always ready but hardly runs: on a busy machine, its clock would stand still.
    ("to yield the processor", "sched_yield"),
    # Flushing a file that was only read still flushes the disk, as often as the program likes.
    ("to flush what was never written", "fsync fdatasync"),
    # Pascal locks each file that it opens. A player's own files are private, so it does not need the lock; a real lock on a
    # file that others read too would be a message to them.
    ("to lock files that nobody writes", "flock"),
)


def _chosen(name: str, arg: int, why: str, values: tuple[int, ...], answer: int = ALLOW) -> tuple[Rule, ...]:
    return tuple(Rule(why, answer, (name,), (Equal(arg, value),)) for value in values)


# -- files and descriptors ---------------------------------------------------------------------------------------------

_IOCTLS: Final = (
    0x5401,  # TCGETS
    0x802C542A,  # TCGETS2
    0x5413,  # TIOCGWINSZ
    0x541B,  # FIONREAD
    0x5421,  # FIONBIO
    0x5450,  # FIONCLEX
    0x5451,  # FIOCLEX
)
_O_ASYNC: Final = 0x2000
_DUPFD, _GETFD, _SETFD, _GETFL, _SETFL, _GETLK, _SETLK, _SETLKW = range(8)
_DUPFD_CLOEXEC, _GETPIPE_SZ = 1030, 1032
_LOCKS: Final = (_SETLK, _SETLKW, 37, 38)  # and F_OFD_SETLK, F_OFD_SETLKW
_SIGNALS: Final = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX


def _files(o_direct: int) -> tuple[Rule, ...]:
    past_cache = "bypassing the page cache loads the disk that everybody uses"
    command, flags = 1, 2
    return (
        Rule("to open files", ALLOW, ("open",), (none_of(1, o_direct),)),
        Rule(past_cache, EINVAL, ("open",), (Equal(1, o_direct, o_direct),)),
        Rule("to open files", ALLOW, ("openat",), (none_of(2, o_direct),)),
        Rule(past_cache, EINVAL, ("openat",), (Equal(2, o_direct, o_direct),)),
        Rule("vectored input and output, without flags", ALLOW, ("preadv2", "pwritev2"), (Equal(5, 0),)),
        *_chosen("fadvise64", 3, "advice that concerns the program itself", (0, 1, 2, 3, 5)),
        Rule("to drop pages that others read too: pretended", 0, ("fadvise64",), (Equal(3, 4),)),
        Rule(
            "to close many descriptors; CLOSE_RANGE_UNSHARE would give a thread its own table",
            ALLOW,
            ("close_range",),
            (only(2, 4),),
        ),
        Rule("pipes, but no notification queues", ALLOW, ("pipe2",), (only(1, 0o2000000 | 0o4000 | o_direct),)),
        *_chosen(
            "fcntl", command, "its own descriptors", (_DUPFD, _GETFD, _SETFD, _GETFL, _DUPFD_CLOEXEC, _GETPIPE_SZ)
        ),
        Rule("non-blocking mode", ALLOW, ("fcntl",), (Equal(command, _SETFL), none_of(flags, _O_ASYNC | o_direct))),
        Rule(
            "SIGIO, to the process set by F_SETOWN",
            EPERM,
            ("fcntl",),
            (Equal(command, _SETFL), Equal(flags, _O_ASYNC, _O_ASYNC)),
        ),
        Rule(
            "a pipe in packet mode costs the referee one read per byte",
            EINVAL,
            ("fcntl",),
            (Equal(command, _SETFL), Equal(flags, o_direct, _O_ASYNC | o_direct)),
        ),
        *_chosen("fcntl", command, "a signal to another process", _SIGNALS, EPERM),
        *_chosen("fcntl", command, "to lock files that nobody writes: pretended", _LOCKS, 0),
        *_chosen(
            "fcntl", command, "locks of others, leases, notifications about a folder", (_GETLK, 36, 1024, 1026), EPERM
        ),
        *_chosen(
            "fcntl", command, "the size of pipes, from a total that all programs of the user share", (1031,), EPERM
        ),
    )


# -- memory ------------------------------------------------------------------------------------------------------------

_SHARED, _PRIVATE, _SHARED_VALIDATE, _DROPPABLE = 1, 2, 3, 8
_TYPE, _ANONYMOUS, _GROWSDOWN, _HUGETLB = 0xF, 0x20, 0x100, 0x40000
_MAPPING: Final = _TYPE | _GROWSDOWN | _HUGETLB
_MS_SYNC: Final = 4

_MEMORY: Final = (
    Rule("memory of its own", ALLOW, ("mmap",), (Equal(3, _PRIVATE, _MAPPING),)),
    Rule("memory of its own", ALLOW, ("mmap",), (Equal(3, _DROPPABLE | _ANONYMOUS, _MAPPING | _ANONYMOUS),)),
    Rule("files", ALLOW, ("mmap",), (Equal(3, _SHARED, _MAPPING | _ANONYMOUS),)),
    Rule("files", ALLOW, ("mmap",), (Equal(3, _SHARED_VALIDATE, _MAPPING | _ANONYMOUS),)),
    Rule(
        "shared anonymous memory: RLIMIT_DATA does not count it",
        EPERM,
        ("mmap",),
        (Equal(3, _SHARED | _ANONYMOUS, _SHARED | _ANONYMOUS),),
    ),
    Rule(
        "a growing stack: RLIMIT_DATA does not count it",
        EPERM,
        ("mmap",),
        (Equal(3, _GROWSDOWN, _GROWSDOWN | _HUGETLB | _SHARED),),
    ),
    Rule("huge pages that are reserved for others", ENOMEM, ("mmap",), (Equal(3, _HUGETLB, _HUGETLB | _SHARED),)),
    *_chosen(
        "madvise",
        2,
        "advice on its own memory",
        (4, 8, 0, 1, 2, 3, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 24, 25, 102, 103),
    ),
    # The timing of MERGEABLE reveals the content of others' memory; COLD and PAGEOUT hide memory from the referee's checks;
    # 100 and 101 take a page away from the whole machine.
    *_chosen("madvise", 2, "advice that concerns others", (12, 20, 21, 100, 101), EINVAL),
    Rule("to ask whether an address is mapped", ALLOW, ("msync",), (none_of(2, _MS_SYNC),)),
    Rule("to flush what was never written: pretended", 0, ("msync",), (Equal(2, _MS_SYNC, _MS_SYNC),)),
)

# -- threads and processes ---------------------------------------------------------------------------------------------

_CLONE_THREAD: Final = 0x10000
_SAME_PROGRAM: Final = 0x100 | 0x200 | 0x400 | 0x800 | _CLONE_THREAD  # VM, FS, FILES, SIGHAND
_OF_A_THREAD: Final = 0x40000 | 0x80000 | 0x100000 | 0x200000 | 0x400000 | 0x1000000
"""SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID, DETACHED, CHILD_SETTID: the flags that C libraries and Go use."""

_THREADS: Final = (
    # With its own descriptor table (no CLONE_FILES), each thread would have its own RLIMIT_NOFILE.
    Rule("threads that share everything", ALLOW, ("clone",), (Equal(0, _SAME_PROGRAM, INT & ~_OF_A_THREAD),)),
    Rule("other processes: to make them", EPERM, ("clone",), (none_of(0, _CLONE_THREAD),)),
    # clone3 is not listed, because its flags are in memory. C libraries fall back to clone after ENOSYS.
    Rule("to query its own limits", ALLOW, ("prlimit64",), (Equal(0, 0), Null(2))),
    Rule("to set limits", EPERM, ("prlimit64",), (Null(2, null=False),)),
)
_PRCTLS: Final = (
    15,  # PR_SET_NAME
    16,  # PR_GET_NAME
    0x53564D41,  # PR_SET_VMA: names of mappings
    3,  # PR_GET_DUMPABLE
    21,  # PR_GET_SECCOMP
    23,  # PR_CAPBSET_READ
    39,  # PR_GET_NO_NEW_PRIVS
    30,  # PR_GET_TIMERSLACK
    41,  # PR_SET_THP_DISABLE
    42,  # PR_GET_THP_DISABLE
    50,  # PR_SVE_SET_VL
    51,  # PR_SVE_GET_VL
    56,  # PR_GET_TAGGED_ADDR_CTRL
)
_BAD_PRCTLS: Final = (
    1,  # PR_SET_PDEATHSIG
    4,  # PR_SET_DUMPABLE
    22,  # PR_SET_SECCOMP
    35,  # PR_SET_MM
    36,  # PR_SET_CHILD_SUBREAPER
    62,  # PR_SCHED_CORE: no other program may share its core
    0x59616D61,  # PR_SET_PTRACER
)
_ARCH_PRCTLS: Final = (0x1001, 0x1002, 0x1003, 0x1004)  # ARCH_SET_GS, SET_FS, GET_FS, GET_GS
_BARRIERS: Final = (0, 8, 16, 32, 64, 128, 256)  # MEMBARRIER_CMD_QUERY and the PRIVATE_EXPEDITED ones

# -- clocks ------------------------------------------------------------------------------------------------------------

_CLOCK_CALLS: Final = ("clock_gettime", "clock_getres", "clock_nanosleep")
_DYNAMIC, _PER_THREAD = 0x8000_0000, 4
_OWN_CPU: Final = 0xFFFF_FFFA
"""CPU time of process 0, which means the caller."""

_CLOCKS: Final = (
    Rule("the machine's clocks", ALLOW, _CLOCK_CALLS, (none_of(0, _DYNAMIC),)),
    # With this kind of clock, the kernel accepts only threads of the same program. The other kind accepts any process, to read
    # its CPU time and to set timers on it.
    Rule("a thread's CPU time", ALLOW, _CLOCK_CALLS, (Equal(0, _DYNAMIC | _PER_THREAD, _DYNAMIC | _PER_THREAD),)),
    Rule("the program's CPU time", ALLOW, _CLOCK_CALLS, (Equal(0, _OWN_CPU),)),
)

# -- sockets -----------------------------------------------------------------------------------------------------------

_AF_UNIX, _SOCK_STREAM, _SOL_SOCKET, _SO_TYPE = 1, 1, 1, 3
_PEEK, _TRUNC, _DONTWAIT, _WAITALL, _NOSIGNAL, _MORE = 0x2, 0x20, 0x40, 0x100, 0x4000, 0x8000

_SOCKETS: Final = (
    # Event loops wake themselves through a socket pair. A pair of datagram sockets could write to any address.
    Rule("a pair of connected streams", ALLOW, ("socketpair",), (Equal(0, _AF_UNIX), Equal(1, _SOCK_STREAM, 0xF))),
    Rule("Node: the type of its own streams", ALLOW, ("getsockopt",), (Equal(1, _SOL_SOCKET), Equal(2, _SO_TYPE))),
    # No runtime needs urgent bytes (MSG_OOB), a risky part of these sockets.
    Rule("to the other end of a pair", ALLOW, ("sendto",), (Null(4), only(3, _DONTWAIT | _NOSIGNAL | _MORE))),
    Rule("from the other end", ALLOW, ("recvfrom",), (only(3, _PEEK | _TRUNC | _DONTWAIT | _WAITALL | _NOSIGNAL),)),
    Rule("to an address", EPERM, ("sendto",), (Null(4, null=False),)),
)

PLAYERS: Final = CallList(ENOSYS, rules)
RUBY: Final = CallList(ENOSYS, rules_of_ruby)
