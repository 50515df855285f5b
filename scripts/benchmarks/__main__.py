"""What the referee costs, measured beside what nothing can be cheaper than: `scripts/bench`.

1. A referee adds to what the players use. So a request is measured beside two bare loops over the same pipes, one in C and
   one in Python, which write a request and read an answer and do nothing else: ratios to them say more than times, which
   wander by a fifth from one day to the next. What is compared is measured in turn, in one run (`figures.py`). What is no
   request (a launch, a record, memory) has no loop: it is a plain figure, or a ratio within its own table.
2. The players are programs in C that know beforehand what they will be asked (`work.py`). They look at each byte once and
   answer at once, and they know no game: so the same player serves all games, and what is left is the referee.
3. *Same core* pins everything to one processor: no idle processor has to wake up, so this is what the code itself costs.
   *Free* leaves placement to the kernel, as users have it.
4. Figures with brackets are medians of several rounds, with the quartiles. Where a round warms up, it does not count.
5. A subject that cannot be measured here says why in a line, and the rest goes on. One that breaks does so too, and the
   status is 1. Nobody is told what is fast enough: the bench prints, people judge.
6. Garbage is collected as seldom as in a command of the referee's, which says so to the collector when it starts. So it is
   in each process that measures by itself (`workers.py`).
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
    """Measure and print; 0 when every subject was measured or cannot be here, 1 when one broke."""
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
        folder.chmod(0o711)  # a root referee's players have other uids, and get through it
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
                found[subject.name] = Findings([], [f"This broke: {failed!r}"])
            narrate(f"{subject.name}: {perf_counter() - began:.1f} s")
    if options.json:
        print(json.dumps(as_json(setting, here, found), ensure_ascii=False))
        told = True
    else:
        chapters = [markdown(subject.title, subject.about, found[subject.name]) for subject in wanted]
        head = ["## Results", here.markdown(), *warnings(setting), f"`{command(options, NAMES)}`"]
        told = tell("\n\n".join([*head, *chapters]), options.markdown)
    if broken:
        narrate(f"scripts/bench: what broke: {', '.join(broken)}")
    return 0 if told and not broken else 1


def warnings(setting: Setting) -> list[str]:
    """What readers of the figures have to know first."""
    told = []
    if setting.quick:
        told.append("**Quick: tiny numbers, which show that all of it runs, and not how fast.**")
    if setting.compiler is None:
        told.append(
            "**Without a C compiler (sudo apt install gcc): the players are in Python, and there is no C loop.**"
        )
    return told


def tell(report: str, path: Path | None) -> bool:
    """Put the report into the document, or print it; also where it cannot be put there, which makes False."""
    if path is not None:
        try:
            document.put(path, report)
        except (OSError, ValueError) as why:
            narrate(f"scripts/bench: not written, so here it is: {path}: {why}")
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
    """What is no result goes to stderr."""
    print(line, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
