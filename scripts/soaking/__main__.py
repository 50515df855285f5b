"""Plays many short matches in one process and a tournament by several, and looks for leaks and for lost matches.

1. What exists is compared before and afterwards (`looking.py`). The first matches only warm up, since one-time costs (a
   thread, a list of system calls) are not leaks. After that, the numbers of processes, zombies, descriptors, temporary
   folders, mounts, namespaces and pooled user ids must not grow. Memory may grow by `BREATH` and by `GROWTH` bytes per match,
   because allocators keep freed memory.
2. `matches.py` plays the matches, some of which are cancelled. `tournament.py` plays the tournament, and kills its processes.
3. The command lines of all players contain a word that is unique to this run, which also identifies hidden processes.
4. With `--arena`, it runs an arena for so many minutes instead (`arena.py`).
"""

from __future__ import annotations

import argparse
import os
import platform
import secrets
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import trio

from referee.errors import RefereeError
from referee.sandbox.limits import MIB, Level
from referee.sandbox.opening import opened
from soaking.arena import soak_arena
from soaking.looking import look, verdict
from soaking.matches import WARM, Soak, compiled
from soaking.tournament import soaked


def main(words: Sequence[str]) -> int:
    """Play, compare, print."""
    parser = argparse.ArgumentParser(prog="scripts/soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("number", nargs="?", type=int, default=200, metavar="N", help="matches (default 200)")
    parser.add_argument("--isolation", choices=list(Level), default=Level.FULL, type=Level, help="level (default full)")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="matches at a time (default 4)")
    parser.add_argument(
        "--kills", type=int, default=4, metavar="N", help="kills in the tournament (default 4); 0 plays none"
    )
    parser.add_argument("--seed", type=int, default=7, metavar="N", help="decides when and whom it kills (default 7)")
    parser.add_argument("--arena", type=float, metavar="MINUTES", help="run an arena instead, for so long")
    parser.add_argument("--bots", type=int, default=20, metavar="N", help="bots of the arena (default 20)")
    parser.add_argument(
        "--pace", type=float, default=1.0, metavar="N", help="uploads a minute and kills in two (default 1)"
    )
    options = parser.parse_args(words)
    if options.number < 1 or options.jobs < 1:
        parser.error("N must be 1 or more")
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        os.chmod(name, 0o711)  # the players of a root referee have other uids and must traverse it
        players, temporary, tournaments = (Path(name) / part for part in ("players", "temporary", "tournaments"))
        for folder in (players, temporary, tournaments):
            folder.mkdir(0o711)
        tempfile.tempdir = str(temporary)
        try:
            if options.arena is not None:
                return soak_arena(tournaments, options.arena, options.bots, options.seed, options.pace, options.jobs)
            with opened(options.isolation):  # fails early if this machine cannot enforce the level
                compiled(players)
            return soak(Soak(players, options.isolation, f"soak-{secrets.token_hex(8)}"), tournaments, options)
        except RefereeError as failed:
            print(f"scripts/soak: {failed}", file=sys.stderr)
            return failed.exit_code
        finally:
            tempfile.tempdir = None


def soak(run: Soak, tournaments: Path, options: argparse.Namespace) -> int:
    """Play everything and print the comparison; 0 if nothing leaked and no match was lost."""
    trio.run(lambda: run.play(min(WARM, options.number), jobs=options.jobs))
    run.counted.clear()
    before = look(run.word)
    started = perf_counter()
    trio.run(lambda: run.play(options.number, jobs=options.jobs))
    wall = perf_counter() - started
    summary, wrong = "no tournament", list[str]()
    if options.kills:
        summary, wrong = soaked(tournaments, run.folder, options.isolation, options.kills, options.seed)
    after = look(run.word)
    rows, left = verdict(before, after, options.number)
    print(
        f"{options.number} matches under isolation {options.isolation}, {options.jobs} at a time, in {wall:.0f} s "
        f"({options.number / wall:.0f} a second), Python {platform.python_version()}, Linux {platform.release()}"
    )
    print(", ".join(f"{count} {what}" for what, count in sorted(run.counted.items())))
    print(summary, end="\n\n")
    print("|  | before | after |\n|---|---|---|")
    for row in rows:
        print("| {} | {} | {} |".format(*row))
    grown = (after.memory - before.memory) / options.number
    print(f"\nmemory grew by {grown * 1000 / MIB:+.2f} MiB per thousand matches")
    print("".join(f"WRONG: {words}\n" for words in wrong), end="")
    print("\n".join(f"LEAK: {words}" for words in left) if left else "no leaks")
    return 1 if left or wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
