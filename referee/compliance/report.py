"""What a check reports: its steps. Every text is harmless and capped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from referee.compliance.diagnosis import Diagnosis


class StepVerdict(StrEnum):
    """How a step went."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step's work: a short note, warnings, which are not failures, and the failure."""

    note: str = ""
    warnings: Sequence[str] = ()
    failure: Diagnosis | None = None


@dataclass(frozen=True, slots=True)
class CheckStep:
    """A numbered step. `note` is what was seen, or why the step was skipped; `warnings` are not failures."""

    number: int
    title: str
    verdict: StepVerdict
    note: str = ""
    warnings: Sequence[str] = ()
    failure: Diagnosis | None = None
