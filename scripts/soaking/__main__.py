"""Plays a tournament whose processes it kills, or runs an arena, and looks for leaks and losses.

1. `tournament.py` plays the tournament. What exists is compared before and afterwards (`looking.py`): the processes, zombies,
   temporary folders and mounts must not grow.
2. With `--arena`, it runs an arena for so many minutes instead (`arena.py`).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from math import ceil
from pathlib import Path

from referee.errors import RefereeError
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox
from soaking.arena import soak_arena
from soaking.looking import leaks, look
from soaking.tournament import MATCHES, compiled, soaked


def main(words: Sequence[str]) -> int:
    """Play, compare, print."""
    parser = argparse.ArgumentParser(prog="scripts/soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("number", nargs="?", type=int, default=200, metavar="N", help="matches (default 200)")
    parser.add_argument("--isolation", choices=list(Level), default=Level.FULL, type=Level, help="level (default full)")
    parser.add_argument("--arena", type=float, metavar="MINUTES", help="run an arena instead, for so long")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        os.chmod(name, 0o711)  # the players of a root referee have other uids and must traverse it
        players, temporary, runs = (Path(name) / part for part in ("players", "temporary", "runs"))
        for folder in (players, temporary, runs):
            folder.mkdir(0o711)
        tempfile.tempdir = str(temporary)
        try:
            if options.arena is not None:
                return soak_arena(runs, options.arena)
            with open_sandbox(options.isolation):  # fails early if this machine cannot enforce the level
                compiled(players)
            before = look(name)
            repeat = ceil(options.number / MATCHES)
            summary, wrong = soaked(runs, players, options.isolation, repeat)
            wrong += leaks(before, look(name))
        except RefereeError as failed:
            print(f"scripts/soak: {failed}", file=sys.stderr)
            return failed.exit_code
        finally:
            tempfile.tempdir = None
    print(summary)
    print("\n".join(f"WRONG: {words}" for words in wrong) or "nothing is lost, twice, or left")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
