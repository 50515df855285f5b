"""Measures the cost of the referee and compares it with a bare loop, which shows the lower limit: `scripts/bench`.

1. Times vary by a fifth from day to day, so ratios say more. A request is compared with a bare loop over the same pipes,
   which only writes a request and reads an answer (`loops.py`). Figures that are compared are measured in turn, in one run
   (`figures.py`). A launch or a command has no loop: it is a plain figure, or a ratio within its own table.
2. The players are C programs that know all requests in advance (`work.py`). They look at each byte once, answer
   immediately, and know no game. So the same player serves all games, and the rest is the referee.
3. *Same core* pins everything to one processor: no idle processor has to wake up, so this is the cost of the code. *Free*
   leaves placement to the kernel, as in ordinary use.
4. Figures with brackets are medians of several rounds, with the quartiles. Warm-up rounds do not count.
5. If a subject cannot be measured on this machine, a line says why, and the others go on. The benchmarks print figures and
   judge nothing.
6. The garbage collector runs as rarely as in a command of the referee, here and in each process that measures
   (`workers.py`).
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks import machine
from benchmarks.report import Findings, markdown, wrapped
from benchmarks.setting import Setting, UnavailableError, collect_seldom
from benchmarks.subjects import SUBJECTS

NAMES: Final = [subject.name for subject in SUBJECTS]
QUICK: Final = "**Quick: tiny numbers, which show that everything runs, not how fast.**"


def main(words: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measures the referee, compares it with a bare loop over the same pipes, and prints Markdown tables.",
        epilog="A full run takes a quarter of an hour; run nothing else on the machine.",
    )
    parser.add_argument("--quick", action="store_true", help="a minute: shows that everything runs, not how fast")
    parser.add_argument("--only", nargs="+", metavar="SUBJECT", choices=NAMES, help=f"only these: {', '.join(NAMES)}")
    options = parser.parse_args(words)
    collect_seldom()
    for part in ("## Results", *map(wrapped, machine.about()), *([QUICK] if options.quick else [])):
        print(part, end="\n\n")
    print(f"`{shlex.join(['scripts/bench', *words])}`")
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        folder.chmod(0o711)  # the players of a root referee have other uids and must traverse it
        setting = Setting(options.quick, folder)
        for subject in SUBJECTS:
            if subject.name not in (options.only or NAMES):
                continue
            began = perf_counter()
            try:
                findings = subject.measure(setting)
            except UnavailableError as why:
                findings = Findings([], [f"Not measured: {why}."])
            print(f"\n{markdown(subject.title, subject.about, findings)}", flush=True)
            print(f"{subject.name}: {perf_counter() - began:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
