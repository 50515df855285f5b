"""Catalogues of programs with one defect each, whose rows are tests. In their messages, `…` stands for any text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

LATE: Final = re.compile(r"(no\\ answer\\ within\\ \S+\\ s)")
"""This part of a message, as a pattern."""
BUSY: Final = (
    r"(; for [\d.]+ s it did not run but waited in the kernel, as for a disk)?"
    r"(; another [\d.]+ s do not count: the machine was too busy to run it, so the other players were stopped)?"
)
"""What follows it on a busy machine."""


class Row(NamedTuple):
    """A row of `referee check`'s tests: a program, the step that fails, the name of the fault, and the two messages."""

    program: str
    step: str
    fault: str
    says: str
    change: str


class Entry(NamedTuple):
    """An entry of a catalogue of the players' room; `words` is the detail of the fault, or the answer if there is no fault."""

    rule: str
    program: str
    verdict: str
    words: str
    test: str = ""


def entries(path: Path) -> list[Entry]:
    """The entries of a catalogue, which is a table in Markdown."""
    lines = [line for line in path.read_text().splitlines() if re.match(r"\| .*`\w+`", line)]
    return [Entry(*(cell.strip().strip("`") for cell in line.strip("|").split("|"))) for line in lines]


def says(words: str) -> re.Pattern[str]:
    """A message as a pattern."""
    pattern = ".*".join(re.escape(part) for part in words.split("…"))
    return re.compile(LATE.sub(lambda late: late[1] + BUSY, pattern), re.DOTALL)
