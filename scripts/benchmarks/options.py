"""The command line of `scripts/bench`: words in, options out. The only file that it reads is that of `--markdown`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import document


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a run.

    Attributes:
        only: the names of the subjects to measure, in the report's order.
        markdown: a file whose results are to be replaced.
    """

    only: Sequence[str]
    quick: bool = False
    json: bool = False
    listing: bool = False
    markdown: Path | None = None


def parsed(words: Sequence[str], known: Sequence[str]) -> Options:
    """Parse the command line. A wrong one exits with a message and status 2.

    Args:
        known: the names of all subjects.
    """
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measures the referee, compares it with bare loops over the same pipes, and prints Markdown tables.",
        epilog="A full run takes a few minutes; run nothing else on the machine.",
    )
    parser.add_argument("--quick", action="store_true", help="under a minute: shows that everything runs, not how fast")
    parser.add_argument(
        "--only", nargs="+", metavar="SUBJECT", default=[], help="measure only these; --list names all subjects"
    )
    parser.add_argument("--list", action="store_true", dest="listing", help="list the subjects and measure nothing")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON document")
    form.add_argument(
        "--markdown", type=Path, metavar="FILE", help="replace the results in this file; the text above them stays"
    )
    found = parser.parse_args(words)
    strange = [name for name in found.only if name not in known]
    if strange:
        parser.error(f"there is no subject {strange[0]!r}; there are: {', '.join(known)}")
    if found.markdown is not None:
        try:
            document.check(found.markdown)  # now, not after everything has been measured
        except (OSError, ValueError) as why:
            parser.error(f"--markdown {found.markdown}: {why}")
    wanted = [name for name in known if name in (found.only or known)]
    return Options(wanted, found.quick, found.json, found.listing, found.markdown)


def command(options: Options, known: Sequence[str]) -> str:
    """The command that repeats this report."""
    words = ["scripts/bench"]
    words += ["--quick"] if options.quick else []
    words += ["--only", *options.only] if list(options.only) != list(known) else []
    words += [f"--markdown {options.markdown.name}"] if options.markdown is not None else []
    return " ".join(words)
