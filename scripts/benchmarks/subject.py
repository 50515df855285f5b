"""The type of the subjects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.report import Findings
from benchmarks.setting import Setting


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject of the benchmarks, which can be measured by itself.

    Attributes:
        name: on the command line.
        about: what its figures mean, for the report.
        measure: raises UnavailableError if this machine lacks something that it needs.
    """

    name: str
    title: str
    about: str
    measure: Callable[[Setting], Findings]
