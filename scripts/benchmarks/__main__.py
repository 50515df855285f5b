"""Measures the cost of the referee and compares it with bare loops, which show the lower limit: `scripts/bench`.

1. Times vary by a fifth from day to day, so ratios say more. A request is compared with two bare loops over the same
   pipes, one in C and one in Python, which only write a request and read an answer. Figures that are compared are measured
   in turn, in one run (`figures.py`). A launch, a record or memory has no loop: it is a plain figure, or a ratio within its
   own table.
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

import json
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks import document, machine
from benchmarks.options import command, parsed
from benchmarks.report import Findings, markdown
from benchmarks.setting import Setting, UnavailableError, collect_seldom
from benchmarks.subjects import ALL

NAMES = [subject.name for subject in ALL]


def main(words: Sequence[str]) -> int:
    """Measure and print; returns 0, or 1 if a subject failed. A subject that this machine cannot measure is not a failure."""
    options = parsed(words, NAMES)
    wanted = [subject for subject in ALL if subject.name in options.only]
    if options.listing:
        width = max(map(len, NAMES))
        print("\n".join(f"{subject.name:{width}}  {subject.title}" for subject in wanted))
        return 0
    collect_seldom()
    here = machine.look()
    found: dict[str, Findings] = {}
    broken = []
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        folder.chmod(0o711)  # the players of a root referee have other uids and must traverse it
        setting = Setting(options.quick, folder)
        for subject in wanted:
            began = perf_counter()
            try:
                found[subject.name] = subject.measure(setting)
            except UnavailableError as why:
                found[subject.name] = Findings([], [f"Not measured: {why}."])
            except Exception as failed:
                traceback.print_exc()
                broken.append(subject.name)
                found[subject.name] = Findings([], [f"This subject failed: {failed!r}"])
            narrate(f"{subject.name}: {perf_counter() - began:.1f} s")
    if options.json:
        print(json.dumps(as_json(setting, here, found), ensure_ascii=False))
        told = True
    else:
        chapters = [markdown(subject.title, subject.about, found[subject.name]) for subject in wanted]
        head = ["## Results", here.markdown(), *warnings(setting), f"`{command(options, NAMES)}`"]
        told = tell("\n\n".join([*head, *chapters]), options.markdown)
    if broken:
        narrate(f"scripts/bench: these subjects failed: {', '.join(broken)}")
    return 0 if told and not broken else 1


def warnings(setting: Setting) -> list[str]:
    """Warnings for readers of the figures."""
    told = []
    if setting.quick:
        told.append("**Quick: tiny numbers, which show that everything runs, not how fast.**")
    if setting.compiler is None:
        told.append(
            "**There is no C compiler (sudo apt install gcc): the players are in Python, and there is no C loop.**"
        )
    return told


def tell(report: str, path: Path | None) -> bool:
    """Put the report into the document, or print it. False if it could not be written and was printed instead."""
    if path is not None:
        try:
            document.put(path, report)
        except (OSError, ValueError) as why:
            narrate(f"scripts/bench: {path} was not written, so here is the report: {why}")
        else:
            narrate(f"written: {path}")
            return True
    print(report)
    return path is None


def as_json(setting: Setting, here: machine.Machine, found: Mapping[str, Findings]) -> dict[str, object]:
    """The document of `--json`."""
    subjects = {name: findings.as_json() for name, findings in found.items()}
    return {"machine": here.as_json(), "quick": setting.quick, "players": setting.players, "subjects": subjects}


def narrate(line: str) -> None:
    """Print a message on stderr."""
    print(line, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
