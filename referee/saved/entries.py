"""The lines of a saved game, as they are read (saved-games.md): their form and order. `replay` checks their content."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from typing_extensions import override

from referee.contract.clock import Kind
from referee.contract.game import FaultName, Lifetime
from referee.errors import SavedGameError
from referee.text.documents import BYTE_ORDER_MARK, Malformed, json_of
from referee.text.strict import MayBeMissing, explain
from referee.text.words import shorten

FORMAT: Final = "referee/1"

# Untrusted numbers and words are capped, so that they fit into a message and into the numbers of every JSON reader.
_Count = Annotated[int, Field(ge=0, le=2**53)]
_Seat = Annotated[int, Field(ge=0, le=10**6)]
_Words = Annotated[str, Field(max_length=1000)]
_Milliseconds = Annotated[float, Field(ge=0, le=2**53, allow_inf_nan=False)]
_Limit = Annotated[float, Field(ge=1e-9, le=2**53, allow_inf_nan=False)]
_UTC: Final = re.compile(
    r"(\d{4}-\d\d-\d\d|\d{8}|\d{4}-?W\d\d(-?\d)?)T\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-]00(:?00)?)", re.ASCII
)
"""A time in ISO 8601. `datetime.fromisoformat` checks its numbers, but ignores some characters that do not belong there."""
_NO_KEYS: Final[set[str]] = set()


class _Line(BaseModel):
    # Unknown keys are ignored: the format is public, and other programs may add their own.
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, hide_input_in_errors=True, defer_build=True)


class _OfStep(_Line):
    @override
    def model_post_init(self, context: Any, /) -> None:
        # pydantic gives each model a set of the keys that it was made with: half the memory of a long match, used by nothing.
        object.__setattr__(self, "__pydantic_fields_set__", _NO_KEYS)


class SeatEntry(_Line):
    """A player in the header.

    `lifetime` says how long its processes live, `house` whether it only fills a seat, `given` whether the user chose the name.
    """

    seat: _Seat
    bot: _Words
    lifetime: Lifetime = "game"
    house: bool = False
    given: bool = False


class Limits(_Line):
    """The time limits of the match, in seconds."""

    first: _Limit
    answer: _Limit
    total: _Limit | None


class Header(_Line):
    """The first line: the game, its players, and everything that is needed to play it again."""

    type: Literal["header"]
    format: Literal["referee/1"]
    game: _Words
    rules: _Count
    package: MayBeMissing[_Words] = None
    rng_seed: Annotated[int, Field(ge=-(2**128), le=2**128)]
    setup: dict[str, Any]
    players: Annotated[list[SeatEntry], Field(min_length=1, max_length=1000)]
    limits: Limits
    clock: Kind
    isolation: MayBeMissing[dict[_Words, Any]] = None
    created: _Words
    referee: _Words

    @field_validator("created")
    @classmethod
    def _in_utc(cls, created: str) -> str:
        try:
            offset = datetime.fromisoformat(created).utcoffset() if _UTC.fullmatch(created) else None
        except ValueError:
            offset = None
        if offset != timedelta(0):
            raise ValueError("must be a UTC time in ISO 8601, such as 2026-01-31T12:00:00Z")
        return created


class AnswerEntry(_OfStep):
    """One answer of a step; `ms` is the charged time, `cpu` and `late` are further measurements."""

    seat: _Seat
    answer: str | None
    ms: _Milliseconds
    cpu: MayBeMissing[_Milliseconds] = None
    late: _Milliseconds = 0.0
    fault: MayBeMissing[FaultName] = None
    detail: MayBeMissing[str] = None

    @model_validator(mode="after")
    def _one_or_the_other(self) -> AnswerEntry:
        if (self.answer is None) != (self.fault is not None):
            raise ValueError("an answer is null exactly when there is a fault")
        if self.fault is not None and not self.detail:
            raise ValueError("a fault needs a `detail` that is not empty")
        return self


class StepEntry(_OfStep):
    """One step: the seats that were asked, their answers, and the events."""

    type: Literal["step"]
    step: _Count
    round: _Count
    ask: _Words
    answers: Annotated[list[AnswerEntry], Field(min_length=1)]
    events: list[dict[str, Any]]


class RankEntry(_Line):
    """One seat of the ranking."""

    seat: _Seat
    name: _Words
    rank: int | float
    score: int | float
    disqualified: _Words | None


class ResultEntry(_Line):
    """The last line: why the match ended, the ranking, and the digest of the final position."""

    type: Literal["result"]
    reason: _Words
    rounds: _Count
    ranking: list[RankEntry]
    digest: _Words


_MODELS: Final[Mapping[str, type[Header | StepEntry | ResultEntry]]] = {
    "header": Header, "step": StepEntry, "result": ResultEntry,
}  # fmt: skip


def entry_of(name: str, number: int, line: bytes, *, over: bool = False) -> Header | StepEntry | ResultEntry | None:
    """A line as an entry, with its form and its place checked; None if the line is cut off and is not the first.

    Args:
        name: the name of the file. number: the number of the line, from 1.
        over: whether the result stands in a line before it.

    Raises:
        SavedGameError: with the file, the line and what is wrong.
    """
    try:
        data = _parse(name, number, line)
    except SavedGameError:
        if number == 1 or line.endswith(b"\n"):
            raise
        return None
    kind = data.get("type") if isinstance(data, dict) else None
    model = _MODELS.get(kind) if isinstance(kind, str) else None
    if model is None:
        raise SavedGameError(name, number, "not an object with a `type` of header, step or result")
    if (number == 1) != (model is Header):
        raise SavedGameError(name, number, "the header is missing" if number == 1 else "a second header")
    if over:
        raise SavedGameError(name, number, "there is a line after the result")
    if model is Header and data.get("format") != FORMAT:
        unknown = shorten(repr(data.get("format")), 40)
        raise SavedGameError(name, number, f"format {unknown} is unknown, only {FORMAT!r} is known")
    try:
        entry = model.model_validate(data)
    except ValidationError as failed:
        raise SavedGameError(name, number, explain(failed)) from None
    if isinstance(entry, StepEntry) and entry.step != number - 1:
        raise SavedGameError(name, number, f"step {entry.step} where step {number - 1} should be")
    return entry


def _parse(name: str, number: int, line: bytes) -> Any:
    """The JSON of one line in UTF-8; a byte order mark may precede the first line."""
    if number == 1:
        line = line.removeprefix(BYTE_ORDER_MARK)
    try:
        text = line.decode()
    except UnicodeDecodeError as failed:
        raise SavedGameError(name, number, f"not UTF-8: byte {failed.start + 1} of the line") from None
    try:
        return json_of(text)
    except Malformed as wrong:
        why = f"not JSON: {wrong}" + (f" at character {wrong.column}" if wrong.column else "")
        raise SavedGameError(name, number, why if text.strip() else "an empty line") from None


@contextmanager
def without_collection() -> Iterator[None]:
    """No garbage collection meanwhile. It takes half the time of reading a long match, and what is read has no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
