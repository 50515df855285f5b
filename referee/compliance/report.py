"""What a check reports: its steps, and for each failure all that the author needs. Every text is harmless and capped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from referee.compliance.diagnosis import Diagnosis
from referee.errors import BotError
from referee.names import harmless, quote, shorten
from referee.sandbox import advice

SENT_LINES: Final = 24
"""Lines of a request that are shown; of a longer one the first and the last."""
LOG_LINES: Final = 12
"""Lines of the bot's stderr that are shown."""
WIDTH: Final = 160
"""Characters of a line that are shown."""
BUILDS: Final = "builds"


class Verdict(StrEnum):
    """How a step went."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed step.

    Attributes:
        fault: the name of what is wrong.
        says: what happened. change: what the author should change.
        sent: the last request, line by line. came: the output after it.
        stderr: of the bot's log, the last lines and the one that says most.
    """

    fault: str
    says: str
    change: str
    sent: Sequence[str] = ()
    came: str = ""
    stderr: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """The result of a step's work: a short note, warnings, which are no failure, and the failure."""

    note: str = ""
    warnings: Sequence[str] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A numbered step. `note` is what was seen, or why the step was skipped; `warnings` are no failure."""

    number: int
    title: str
    verdict: Verdict
    note: str = ""
    warnings: Sequence[str] = ()
    failure: Failure | None = None


def failure(found: Diagnosis, *, sent: bytes = b"", output: bytes = b"", log: Sequence[str] = ()) -> Failure:
    """A diagnosis with what it rests on: the last request, the output after it, the last lines of stderr."""
    return Failure(
        found.fault,
        harmless(found.says),
        harmless(found.change),
        _ends([harmless(shorten(line.decode(errors="replace"), WIDTH)) for line in sent.splitlines()]),
        quote(output, WIDTH) if output else "",
        advice.excerpt(log, lines=LOG_LINES, width=WIDTH),
    )


def unbuilt(failed: BotError, output: Sequence[str]) -> Step:
    """The bot could not be built; `output` are the compiler's lines."""
    change = "Correct the first error: later ones often follow from it."
    told = Failure("does-not-build", harmless(str(failed)), change, stderr=tuple(map(harmless, output)))
    return Step(1, BUILDS, Verdict.FAIL, failure=told)


def unstarted(number: int, failed: BotError) -> Step:
    """The bot could not be started."""
    told = Failure("does-not-start", harmless(str(failed)), "Do what the message says, then check again.")
    return Step(number, "starts", Verdict.FAIL, failure=told)


def as_json(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The steps for `--json`."""
    return [asdict(step) for step in steps]


def _ends(lines: list[str]) -> list[str]:
    if len(lines) <= SENT_LINES:
        return lines
    half = SENT_LINES // 2
    return [*lines[:half], f"… {len(lines) - SENT_LINES} lines …", *lines[-half:]]
