"""The command line: what happens before and after every command. `commands` is the table of commands.

1. A start is mostly imports, which leave no garbage. The garbage collector would take a tenth of the time until the first
   request. So it waits for `COLLECT_AFTER` objects, and does not run at exit.
2. Each command imports what it needs when it is called: `referee --help` imports no game, no sandbox, no model of a file and
   no parser of command lines.
3. stdout and stderr escape control characters (`words.Escaping`), so that no command can print those of others.
4. Output is as large as COLUMNS and LINES or the terminal. cyclopts hangs if COLUMNS is 2 or less, so very small values are
   ignored.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Final

INTERRUPTED: Final = 130
COLLECT_AFTER: Final = 100_000
"""The number of objects after which the garbage collector runs; a start makes fewer."""
NARROWEST: Final = 10
"""The smallest value of COLUMNS and LINES that is not ignored."""


def main() -> None:
    """The console script."""
    gc.set_threshold(COLLECT_AFTER)
    for name in ("COLUMNS", "LINES"):
        if (size := os.environ.get(name, "")).isdecimal() and int(size) < NARROWEST:
            del os.environ[name]
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # the caller closed it
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        else:
            stream.reconfigure(errors="backslashreplace" if name == "stderr" else "replace")
    try:
        from referee.text.words import Escaping

        for name in ("stdout", "stderr"):
            setattr(sys, name, Escaping(getattr(sys, name)))
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
