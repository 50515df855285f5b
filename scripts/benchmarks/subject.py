"""What a subject of the benchmarks is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.report import Findings
from benchmarks.setting import Setting


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that is measured by itself.

    Attributes:
        name: on the command line.
        about: a sentence or two on what its figures mean, for the report.
        measure: raises UnavailableError where this machine has not what it takes.
    """

    name: str
    title: str
    about: str
    measure: Callable[[Setting], Findings]
