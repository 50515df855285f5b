"""Measures the cost of the referee and compares it with bare loops, which show the lower limit: `scripts/bench`.

1. Times vary by a fifth from day to day, so ratios say more. A request is compared with two bare loops over the same
   pipes, one in C and one in Python, which only write a request and read an answer. Figures that are compared are measured
   in turn, in one run (`figures.py`). A launch or a command has no loop: it is a plain figure, or a ratio within its own table.
2. The players are C programs that know all requests in advance (`work.py`). They look at each byte once, answer
   immediately, and know no game. So the same player serves all games, and the rest is the referee.
3. *Same core* pins everything to one processor: no idle processor has to wake up, so this is the cost of the code. *Free*
   leaves placement to the kernel, as in ordinary use.
4. Figures with brackets are medians of several rounds, with the quartiles. Warm-up rounds do not count.
5. If a subject cannot be measured on this machine, a line says why, and the others go on. A subject that fails also gets
   such a line, and the exit status is 1. The benchmarks print figures and judge nothing.
6. The garbage collector runs as rarely as in a command of the referee, here and in each process that measures
   (`workers.py`).
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks import machine
from benchmarks.report import Findings, markdown, wrapped
from benchmarks.setting import Setting, UnavailableError, collect_seldom
from benchmarks.subjects import SUBJECTS

NAMES: Final = [subject.name for subject in SUBJECTS]
MARK: Final = "<!-- scripts/bench --markdown writes everything below this line. -->"
QUICK: Final = "**Quick: tiny numbers, which show that everything runs, not how fast.**"


def main(words: Sequence[str]) -> int:
    """Measure and print; returns 0, or 1 if a subject failed. A subject that this machine cannot measure is not a failure."""
    options = parsed(words)
    selection = [subject for subject in SUBJECTS if subject.name in (options.only or NAMES)]
    if options.list:
        width = max(map(len, NAMES))
        print("\n".join(f"{subject.name:{width}}  {subject.title}" for subject in selection))
        return 0
    collect_seldom()
    here = machine.look()
    findings: dict[str, Findings] = {}
    broken = []
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        folder.chmod(0o711)  # the players of a root referee have other uids and must traverse it
        setting = Setting(options.quick, folder)
        for subject in selection:
            began = perf_counter()
            try:
                findings[subject.name] = subject.measure(setting)
            except UnavailableError as why:
                findings[subject.name] = Findings([], [f"Not measured: {why}."])
            except Exception as failure:
                traceback.print_exc()
                broken.append(subject.name)
                findings[subject.name] = Findings([], [f"This subject failed: {failure!r}"])
            print(f"{subject.name}: {perf_counter() - began:.1f} s", file=sys.stderr)
    if options.json:
        subjects = {name: asdict(finding) for name, finding in findings.items()}
        print(json.dumps({"machine": asdict(here), "quick": setting.quick, "subjects": subjects}, ensure_ascii=False))
    else:
        head = [
            "## Results",
            wrapped(here.markdown()),
            *([QUICK] if setting.quick else []),
            f"`{shlex.join(['scripts/bench', *words])}`",
        ]
        chapters = [markdown(subject.title, subject.about, findings[subject.name]) for subject in selection]
        publish("\n\n".join([*head, *chapters]), options.markdown)
    if broken:
        print(f"scripts/bench: these subjects failed: {', '.join(broken)}", file=sys.stderr)
    return 1 if broken else 0


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The options. A wrong command line exits with a message and status 2, before anything is measured."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measures the referee, compares it with bare loops over the same pipes, and prints Markdown tables.",
        epilog="A full run takes a few minutes; run nothing else on the machine.",
    )
    parser.add_argument("--quick", action="store_true", help="a minute: shows that everything runs, not how fast")
    parser.add_argument("--only", nargs="+", metavar="SUBJECT", choices=NAMES, help=f"only these: {', '.join(NAMES)}")
    parser.add_argument("--list", action="store_true", help="list the subjects and measure nothing")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON document")
    form.add_argument(
        "--markdown", type=Path, metavar="FILE", help="replace the results in this file; the text above them stays"
    )
    options = parser.parse_args(words)
    if options.markdown is not None:
        try:
            with_results(options.markdown.read_text(encoding="utf-8"), "")
        except (OSError, ValueError) as why:
            parser.error(f"--markdown {options.markdown}: {why}")
    return options


def with_results(text: str, results: str) -> str:
    """The document with its results replaced.

    Raises:
        ValueError: the document does not have exactly one mark.
    """
    if text.count(MARK) != 1:
        raise ValueError(f"there must be one line {MARK!r}")
    return f"{text.partition(MARK)[0]}{MARK}\n\n{results}\n"


def publish(report: str, path: Path | None) -> None:
    """Put the report into the document; print it if there is none, or if it cannot be written."""
    if path is not None:
        try:
            path.write_text(with_results(path.read_text(encoding="utf-8"), report), encoding="utf-8")
        except (OSError, ValueError) as why:
            print(f"scripts/bench: {path} was not written, so here is the report: {why}", file=sys.stderr)
        else:
            return
    print(report)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
