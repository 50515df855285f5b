"""The command line: what is done before and after a command, whichever it is; `commands` is the table of them.

1. Starting is importing, which leaves no garbage. The garbage collector would look through all of it over a hundred times,
   a tenth of the time until the first player is asked. So it waits until there may be garbage, and does not run at exit.
2. Each command imports what it needs when it is called: `referee --help` imports no game, no sandbox, no model of a file and
   no parser of command lines.
3. Help is as wide as COLUMNS says, or the terminal. cyclopts never returns if that is 2 or less, so unreadably small widths
   are ignored.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from typing import Final

INTERRUPTED: Final = 130
COLLECT_AFTER: Final = 100_000
"""New objects, less those that are gone, after which the collector looks for garbage: a start makes fewer."""
NARROWEST: Final = 10
"""Columns that are believed."""


def main() -> None:
    """The console script."""
    gc.set_threshold(COLLECT_AFTER)
    _widen()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # the caller closed it
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        else:
            stream.reconfigure(errors="backslashreplace" if name == "stderr" else "replace")
    try:
        from referee.cli.exit_codes import give_up, run
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)

    code = run(sys.argv[1:])
    try:
        sys.stderr.flush()
    except OSError:
        give_up(sys.stderr)
    gc.freeze()
    sys.exit(code)


def _widen() -> None:
    """Hide widths below `NARROWEST` from the libraries that print."""
    if (columns := os.environ.get("COLUMNS", "")).isdecimal():
        if int(columns) >= NARROWEST:
            return
        del os.environ["COLUMNS"]
    for stream in range(3):
        with suppress(OSError):  # it is no terminal
            if 0 < os.get_terminal_size(stream).columns < NARROWEST:
                os.environ["COLUMNS"] = str(NARROWEST)
