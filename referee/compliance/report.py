"""What a check reports: its steps. Every text is harmless and capped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from referee.compliance.diagnosis import Diagnosis
from referee.text.words import harmless


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


@dataclass(frozen=True, slots=True)
class Report:
    """The steps of a check so far.

    Attributes:
        tell: a function that gets each step as it ends.
    """

    tell: Callable[[CheckStep], None]
    steps: list[CheckStep] = field(default_factory=list)

    def add(self, title: str, result: StepResult, *, skipped: bool = False) -> None:
        """Report what a step has come to; the note of a skipped one says why."""
        verdict = StepVerdict.SKIP if skipped else StepVerdict.PASS if result.failure is None else StepVerdict.FAIL
        number, warnings = len(self.steps) + 1, tuple(map(harmless, result.warnings))
        self.steps.append(CheckStep(number, title, verdict, harmless(result.note), warnings, result.failure))
        self.tell(self.steps[-1])
