"""The lines of a saved game, as they are read (replay.md, rules 1 to 3): shapes, not yet sense."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class _Line(BaseModel):
    # Keys that are unknown here are passed over: the format is public and other programs may add their own.
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, hide_input_in_errors=True)


class SeatEntry(_Line):
    """A player in the header: its seat and the name of its bot."""

    seat: Annotated[int, Field(ge=0)]
    bot: str


class Limits(_Line):
    """The time limits in seconds, as they were in force."""

    first: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    answer: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    total: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None


class Header(_Line):
    """The first line: what was played by whom, and all that is needed to play it again."""

    type: Literal["header"]
    format: Literal["referee/1"]
    game: str
    rules: int
    rng_seed: int
    setup: dict[str, Any]
    players: Annotated[list[SeatEntry], Field(min_length=1)]
    limits: Limits
    clock: Literal["wall", "cpu"]
    created: str
    referee: str


class AnswerEntry(_Line):
    """One answer of a step; `ms` is the time charged."""

    seat: Annotated[int, Field(ge=0)]
    answer: str | None
    ms: Annotated[float, Field(ge=0, allow_inf_nan=False)]
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
    step: Annotated[int, Field(ge=1)]
    round: Annotated[int, Field(ge=0)]
    ask: str
    answers: Annotated[list[AnswerEntry], Field(min_length=1)]
    events: list[dict[str, Any]]


class RankEntry(_Line):
    """One seat of the ranking."""

    seat: int
    name: str
    rank: float
    score: int | float
    disqualified: str | None


class ResultEntry(_Line):
    """The last line: why the match ended, the ranking, and the digest of the final position."""

    type: Literal["result"]
    reason: str
    rounds: int
    ranking: list[RankEntry]
    digest: str
