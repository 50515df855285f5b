"""What the referee costs, measured beside what nothing can be cheaper than: `scripts/bench`.

1. A referee adds to what the players use. So everything is measured beside two bare loops over the same pipes, one in C and
   one in Python, which write a request and read an answer and do nothing else: ratios to them say more than times, which
   wander by a fifth from one day to the next. What is compared is measured in turn, in one run (`figures.py`).
2. The players are programs in C that know beforehand what they will be asked (`work.py`). They look at each byte once and
   answer at once, and they know no game: so the same player serves all games, and what is left is the referee.
3. *Same core* pins everything to one processor: no idle processor has to wake up, so this is what the code itself costs.
   *Free* leaves placement to the kernel, as users have it.
4. Times are medians of several rounds, with the quartiles in brackets. The first round warms up and does not count.
5. A subject that cannot be measured here says why in a line, and the rest goes on. One that breaks does so too, and the
   status is 1. Nobody is told what is fast enough: the bench prints, people judge.
"""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks import machine
from benchmarks.document import with_results
from benchmarks.options import Options, command, parsed
from benchmarks.report import Findings, markdown
from benchmarks.setting import Setting, UnavailableError
from benchmarks.subject import Subject
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
        print(json.dumps(as_json(options, here, found), ensure_ascii=False))
    else:
        tell(options, here, wanted, found)
    if broken:
        narrate(f"scripts/bench: what broke: {', '.join(broken)}")
    return 1 if broken else 0


def tell(options: Options, here: machine.Machine, wanted: Sequence[Subject], found: Mapping[str, Findings]) -> None:
    """Print the report, or put it into the document."""
    warning = ["**Quick: tiny numbers, which show that all of it runs, and not how fast.**"] if options.quick else []
    chapters = [markdown(subject.title, subject.about, found[subject.name]) for subject in wanted]
    report = "\n\n".join(["## Results", here.markdown(), *warning, f"`{command(options, NAMES)}`", *chapters])
    if options.markdown is None:
        print(report)
        return
    text = options.markdown.read_text(encoding="utf-8") if options.markdown.exists() else ""
    options.markdown.write_text(with_results(text, report), encoding="utf-8")
    narrate(f"written: {options.markdown}")


def as_json(options: Options, here: machine.Machine, found: Mapping[str, Findings]) -> dict[str, object]:
    """The document of `--json`."""
    subjects = {name: findings.as_json() for name, findings in found.items()}
    return {"machine": here.as_json(), "quick": options.quick, "subjects": subjects}


def narrate(line: str) -> None:
    """What is no result goes to stderr."""
    print(line, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
