"""What a check has to tell: its steps, and at a failure all that its author needs; as values, as text lines, as JSON."""

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
"""Lines of a request that are shown; of a longer one both ends."""
OUT_LINES: Final = 12
"""Lines of the bot's output, and of its log, that are shown."""
WIDTH: Final = 160
"""Characters of a line that are shown."""


_BUILDS: Final = "builds"


class Verdict(StrEnum):
    """How a step went."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Failure:
    """What is told of a step that failed; every text is harmless and capped.

    Attributes:
        fault: the name of what is wrong.
        says: what happened. change: what the author does about it.
        sent: the last request, line by line. came: what came back for it.
        stdout: the last lines that the bot wrote beside its answers and for them.
        stderr: of its log, the last lines and the one that says most.
    """

    fault: str
    says: str
    change: str
    sent: Sequence[str] = ()
    came: str = ""
    stdout: Sequence[str] = ()
    stderr: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of trying something: in a few words, what is to be minded though it is no failure, and the failure."""

    note: str = ""
    warnings: Sequence[str] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One numbered step: `note` is what was seen, or why it was skipped; `warnings` are no failure."""

    number: int
    title: str
    verdict: Verdict
    note: str = ""
    warnings: Sequence[str] = ()
    failure: Failure | None = None


def failure(
    found: Diagnosis, *, sent: bytes = b"", came: bytes = b"", before: bytes = b"", log: Sequence[str] = ()
) -> Failure:
    """A diagnosis with what it rests on.

    Args:
        sent: the last request.
        came: what came back for it; before: what the bot had written until then.
        log: the last lines of its stderr, `advice.LINES` of them.
    """
    out = (before + came).splitlines(keepends=True)[-OUT_LINES:]
    return Failure(
        found.fault,
        harmless(found.says),
        harmless(found.change),
        _ends([harmless(shorten(line.decode(errors="replace"), WIDTH)) for line in sent.splitlines()], SENT_LINES),
        quote(came, WIDTH) if came else "",
        [quote(line, WIDTH) for line in out],
        advice.excerpt(log, lines=OUT_LINES, width=WIDTH),
    )


def built(note: str) -> Step:
    """The first step: there is a program to start."""
    return Step(1, _BUILDS, Verdict.PASS, note)


def unbuilt(failed: BotError, output: Sequence[str]) -> Step:
    """There is none, and nothing else can be tried; `output` are the compiler's lines."""
    change = "Correct the first error that is told: those behind it are often its consequences."
    told = Failure("does-not-build", harmless(str(failed)), change, stderr=tuple(map(harmless, output)))
    return Step(1, _BUILDS, Verdict.FAIL, failure=told)


def unstarted(number: int, failed: BotError) -> Step:
    """The program cannot be started at all."""
    told = Failure("does-not-start", harmless(str(failed)), "Do what the message says: nothing can be tried before.")
    return Step(number, "starts", Verdict.FAIL, failure=told)


def as_json(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The steps as they stand in the document that `--json` prints."""
    return [asdict(step) for step in steps]


def _ends(lines: list[str], most: int) -> list[str]:
    if len(lines) <= most:
        return lines
    left_out = len(lines) - most
    return [*lines[: most // 2], f"… {left_out} lines …", *lines[-most // 2 :]]
