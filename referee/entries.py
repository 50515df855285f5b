"""The lines of a saved game, as they are read (SAVED_GAMES.md): shapes, not yet sense."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from referee.clock import Kind
from referee.game import Lifetime

# A stranger's numbers and words are capped, so that none can fill a message or outgrow what JSON readers hold exactly.
_Count = Annotated[int, Field(ge=0, le=2**53)]
_Seat = Annotated[int, Field(ge=0, le=10**6)]
_Words = Annotated[str, Field(max_length=1000)]


class _Line(BaseModel):
    # Keys that are unknown here are passed over: the format is public and other programs may add their own.
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, hide_input_in_errors=True)


class SeatEntry(_Line):
    """A player in the header: its seat and the name of its bot; where games know such things, how long its processes live
    and whether it only fills up the seats."""

    seat: _Seat
    bot: _Words
    lifetime: Lifetime = "game"
    house: bool = False


class Limits(_Line):
    """The time limits in seconds, as they were in force."""

    first: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    answer: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    total: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None


class Header(_Line):
    """The first line: what was played by whom, and all that is needed to play it again."""

    type: Literal["header"]
    format: Literal["referee/1"]
    game: _Words
    rules: _Count
    rng_seed: Annotated[int, Field(ge=-(2**128), le=2**128)]
    setup: dict[str, Any]
    players: Annotated[list[SeatEntry], Field(min_length=1, max_length=1000)]
    limits: Limits
    clock: Kind
    isolation: dict[_Words, Any] | None = None
    created: _Words
    referee: _Words


class AnswerEntry(_Line):
    """One answer of a step; `ms` is the time charged, `cpu` and `late` what was measured beside it."""

    seat: _Seat
    answer: str | None
    ms: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    cpu: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    late: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    fault: Literal["timeout", "exit", "overflow", "invalid", "sandbox"] | None = None
    detail: str | None = None

    @model_validator(mode="after")
    def _one_or_the_other(self) -> AnswerEntry:
        if (self.answer is None) != (self.fault is not None):
            raise ValueError("an answer is null exactly when there is a fault")
        return self


class StepEntry(_Line):
    """One step: who was asked, what came, what happened."""

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
    rank: float
    score: int | float
    disqualified: _Words | None


class ResultEntry(_Line):
    """The last line: why the match ended, the ranking, and the digest of the final position."""

    type: Literal["result"]
    reason: _Words
    rounds: _Count
    ranking: list[RankEntry]
    digest: _Words
