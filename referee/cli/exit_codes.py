"""The exit codes of commands.

0: done. 1: a check failed, or a match could not be finished. 2: usage or configuration, limits of the machine included. 3: a bug
of the referee. 4: a bot cannot be built or started. 128 + n: ended by signal n.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, TextIO

from referee.cli import INTERRUPTED
from referee.errors import RefereeError, UsageError, out_of
from referee.text.words import harmless

FAILED: Final = 1
INTERNAL: Final = 3
UNREAD: Final = 141
"""The exit code that shells use for SIGPIPE."""
OVERVIEW: Final = frozenset({(), ("--help",), ("-h",)})
"""Command lines that ask for the list of commands."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line. Returns the exit code, after printing errors on stderr."""
    try:
        code = _carry_out(arguments)
        sys.stdout.flush()
    except RefereeError as failed:
        for line in getattr(failed, "excerpt", ()):  # the output of a compiler
            _tell(line)
        for mistake in (str(failed), *getattr(failed, "others", ())):
            _refuse(mistake, failed.exit_code)
        return failed.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except (BrokenPipeError, SystemExit) as gone:
        # rich turns a BrokenPipeError into a SystemExit
        if isinstance(gone, BrokenPipeError) or isinstance(gone.__context__, BrokenPipeError):
            give_up(sys.stdout)
            return UNREAD
        if (code := _mistaken(gone)) is None:
            raise
        return code
    except Exception as failed:
        return _unexpected(failed)
    return code if isinstance(code, int) else 0


def _unexpected(failed: Exception) -> int:
    """Say whose mistake an error is: the machine's, an installed game's, or else the referee's own. Returns the exit code."""
    if lacking := out_of(failed):
        return _refuse(lacking, UsageError.exit_code)
    if isinstance(failed, OSError):
        give_up(sys.stdout)
        if (failed.errno, failed.filename) == (errno.ENOENT, None):  # from os.getcwd
            return _refuse("the working folder does not exist any more: change to another one", UsageError.exit_code)
        return _refuse(f"{failed.filename or 'output'}: {failed.strerror or failed}", FAILED)
    if (code := _mistaken(failed)) is not None:
        return code
    import traceback

    from referee.games.mistakes import in_use

    traceback.print_exception(failed)
    for name in in_use():
        check = f"see `referee game check {name}`; otherwise"
        _tell(f"referee: the game {name} may have returned something wrong: {check}")
    _tell("referee: this is a bug of the referee's own: please report it with the lines above")
    return INTERNAL


def _carry_out(arguments: Sequence[str]) -> object:
    if tuple(arguments) in OVERVIEW:
        from referee.cli.overview import show

        show()
        return 0
    from referee.cli.parser import dispatch

    return dispatch(arguments)


def _mistaken(failed: BaseException) -> int | None:
    """If code of an installed game raised this, say so and return the exit code; otherwise None."""
    from referee.games.mistakes import mistake

    mistaken = mistake(failed)
    return None if mistaken is None else _refuse(str(mistaken), mistaken.exit_code)


def _refuse(text: str, code: int) -> int:
    _tell(f"referee: {text}")
    return code


def _tell(text: str) -> None:
    # One line, escaped: the text may quote files, manifests and the command line itself.
    with suppress(OSError):
        print(harmless(text), file=sys.stderr)


def give_up(stream: TextIO) -> None:
    """Do not write the rest of a stream's buffer at exit, because its pipe is closed or its disk is full."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
