"""Errors of the referee or the user. An error of a bot is never an exception but a value, `game.Fault`.

    RefereeError                    has an exit code and a one-line message that says what to do
    ├── UsageError             2    a command, an argument or a file that cannot be used as it is
    │   ├── SetupError              a position or map that breaks the game's own rules
    │   ├── SavedGameError          a saved game that cannot be read or does not follow from the rules
    │   └── IsolationError          a level of isolation that this machine cannot give
    ├── BotError               4    a bot that cannot be built or started
    │   └── ProgramError            a program in a game's own language that is not well formed
    ├── GameError              3    a mistake of a game that another package brings
    └── InternalError          3    our own bug: please report it

`InvalidReply` is different: a game's codec raises it for bytes that are not an answer, and the players' layer turns it into a
`Fault`. If the machine has no memory, process or descriptor left, Python raises its own exception; `out_of` says what to do then.
`disk_is_full` recognises a full disk, also as the cause of a `RefereeError`.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

FULL: Final = frozenset({errno.EDQUOT, errno.EFBIG, errno.ENOSPC})
"""Error numbers of a disk that has no space or no inodes left, of a quota, and of a limit of file sizes."""
MISTAKE: Final = "this is a mistake of the game"
"""How a `GameError` begins: the game, its version, perhaps a step and a colon follow, and then what is wrong."""


class RefereeError(Exception):
    """Base of all errors that end a command with a message and no traceback."""

    exit_code = 1

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled without `__init__`, whose parameters are not those of the message: pools of processes send errors."""
        return _unpickled, (type(self), self.args), self.__dict__


def _unpickled(error: type[RefereeError], args: tuple[Any, ...]) -> RefereeError:
    return error.__new__(error, *args)


class UsageError(RefereeError):
    """A command, an argument or a file cannot be used.

    Attributes:
        others: further mistakes of the same file, a line each.
    """

    exit_code = 2
    others: Sequence[str] = ()


class SetupError(UsageError):
    """A position or a map breaks the rules of its game. The message says where and how."""


class SavedGameError(UsageError):
    """A saved game cannot be read, or does not follow from the rules.

    Attributes:
        path: the file as the user named it.
        line: the line, counted from 1; 0 for the whole file.
    """

    def __init__(self, path: str, line: int, message: str) -> None:
        where = f"{path}, line {line}" if line else path
        super().__init__(f"{where}: {message}")
        self.path = path
        self.line = line


class AbsentGameError(SavedGameError):
    """The game of a saved game is not installed here."""


class IsolationError(UsageError):
    """This machine cannot isolate players as requested. The message says what is missing and how to fix it."""


class BotError(RefereeError):
    """A bot cannot be built or started: the user's error. With `play --forfeit`, it is a disqualification instead.

    Attributes:
        seat: the index of the bot among those to build or to play; None if unknown.
    """

    exit_code = 4
    seat: int | None = None


class ProgramError(BotError):
    """A program in a game's own language is not well formed.

    Attributes:
        file: the file as the user named it.
        line, column: where the mistake is, counted from 1; 0 if unknown, or for the whole line.
    """

    def __init__(self, file: str, line: int, column: int, message: str) -> None:
        where = file + (f", line {line}" if line else "") + (f", column {column}" if column else "")
        super().__init__(f"{where}: {message}")
        self.file = file
        self.line = line
        self.column = column


class GameError(RefereeError):
    """The code of a game that another package brings has raised an exception, or what it returned breaks the contract."""

    exit_code = 3


class InternalError(RefereeError):
    """A bug of the referee."""

    exit_code = 3


def out_of(failed: BaseException) -> str | None:
    """Says which resource of the machine or of the user's limits has run out, and what to do; None if something else failed."""
    match failed:
        case OSError(errno=errno.EMFILE):
            return "Too many open files: raise the limit of open files (ulimit -n 4096)"
        case OSError(errno=errno.ENFILE):
            return "Too many open files on this machine: close other programs"
        case MemoryError() | OSError(errno=errno.ENOMEM):
            return "There is not enough memory: close other programs, or raise the limit of memory (ulimit -v)"
        # The error of a full pipe has `characters_written`.
        case OSError(errno=errno.EAGAIN) if not hasattr(failed, "characters_written"):
            pass
        case RuntimeError() if str(failed) == "can't start new thread":
            pass
        case _:
            return None
    return (
        "No process or thread can be started: close other programs, or raise the limits of processes (ulimit -u) and "
        "memory (ulimit -v)"
    )


def disk_is_full(failed: BaseException | None) -> bool:
    """Whether a full disk is the error or its cause."""
    while failed is not None:
        if isinstance(failed, OSError) and failed.errno in FULL:
            return True
        failed = failed.__cause__
    return False


@contextmanager
def ungrouped() -> Iterator[None]:
    """Raise the error to report (`the_error`) without the groups that nurseries put around it."""
    try:
        yield
    except BaseExceptionGroup as group:
        failed = the_error(group)
        if failed is None:
            raise
        raise failed from failed.__cause__


def the_error(group: BaseExceptionGroup[BaseException]) -> BaseException | None:
    """The error to report for a group; None if there are several kinds and one is a bug, which must not be hidden.

    OSErrors come before errors about bots, because they may be the cause; first of all those about missing resources.
    """
    failures = list(leaves_of(group))
    if len({type(failed) for failed in failures}) == 1:
        return failures[0]
    if not all(isinstance(failed, (OSError, RefereeError)) or out_of(failed) for failed in failures):
        return None
    first = next((failed for failed in failures if isinstance(failed, OSError)), failures[0])
    return next(filter(out_of, failures), first)


def leaves_of(failed: BaseException) -> Iterator[BaseException]:
    """The errors in an exception group."""
    if isinstance(failed, BaseExceptionGroup):
        for inner in failed.exceptions:
            yield from leaves_of(inner)
    else:
        yield failed


class InvalidReply(ValueError):
    """These bytes are not an answer. The message says what was expected and what came, shortened and escaped."""
