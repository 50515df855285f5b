"""The index of a transcript: from its untrusted bytes to where each step of a log begins and ends. Pure."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field

from referee.text.documents import Malformed, json_of, text_of
from referee.text.strict import Strict, read
from referee.text.words import shorten

FORMAT: Final = "referee-transcript/1"
INDEX: Final = "index.jsonl"
STREAMS: Final = ("in", "out", "err")
_MOST_SEATS: Final = 1000
_MOST_BYTES: Final = 2**53


class Misfit(ValueError):
    """An index that cannot be used. The message says why, in a few words that follow the name of the file."""


class IndexHeader(Strict):
    """The first line of an index: the match, as the header of its saved game names it, and the number of seats."""

    # Later versions may add keys.
    model_config = ConfigDict(extra="ignore")

    type: Literal["header"]
    format: Literal["referee-transcript/1"]
    game: str
    rng_seed: int
    created: str
    seats: Annotated[int, Field(ge=1, le=_MOST_SEATS)]


class Index:
    """Where the bytes of each step are.

    Attributes:
        header: the first line.
    """

    def __init__(self, data: bytes) -> None:
        """Read an index. A last line that was cut off is ignored, because a match may have been killed.

        Raises:
            Misfit: it is not an index, or its numbers contradict each other.
        """
        lines = data.split(b"\n")[:-1]
        if not lines:
            raise Misfit("it has no header")
        self.header = read(IndexHeader, _value(lines[0], 1), lambda why: Misfit(f"line 1: {why}"))
        self._steps = [array("q") for _ in range(self.header.seats)]
        self._logs = [array("q") for _ in range(self.header.seats)]
        self._written = [[0, 0, 0] for _ in range(self.header.seats)]
        for number, line in enumerate(lines[1:], start=1):
            self._add(number, _value(line, number + 1))

    def log_range(self, step: int, seat: int) -> tuple[int, int]:
        """The bytes of a seat's log that belong to a step, as (start, end); an empty range if the seat was not asked there."""
        if not 0 <= seat < self.header.seats:
            return 0, 0
        steps, logs = self._steps[seat], self._logs[seat]
        index = bisect_left(steps, step)
        if index == len(steps) or steps[index] != step:
            return 0, 0
        return (logs[index - 1] if index else 0), logs[index]

    def _add(self, number: int, line: Any) -> None:
        ends = line.get("ends") if isinstance(line, dict) and line.get("step") == number else None
        if not isinstance(ends, list):
            raise Misfit(f"line {number + 1}: not the line of step {number}")
        for end in ends:
            if not _is_end(end, self.header.seats):
                raise Misfit(f"line {number + 1}: each of `ends` has a seat and the lengths of its three files")
            seat, *written = end
            if any(now < before for now, before in zip(written, self._written[seat], strict=True)):
                raise Misfit(f"line {number + 1}: a file of seat {seat} gets shorter")
            self._steps[seat].append(number)
            self._logs[seat].append(written[2])
            self._written[seat] = written


def seat_file(seat: int, stream: str) -> str:
    """The name of a seat's file."""
    return f"seat{seat}.{stream}"


def _is_end(end: Any, seats: int) -> bool:
    """Whether this is a seat with the lengths of its files."""
    return (
        isinstance(end, list)
        and len(end) == 1 + len(STREAMS)
        and all(type(value) is int and 0 <= value <= _MOST_BYTES for value in end)
        and end[0] < seats
    )


def _value(line: bytes, number: int) -> Any:
    try:
        return json_of(text_of(line))
    except Malformed as wrong:
        raise Misfit(f"line {number}: not JSON: {shorten(str(wrong))}") from None
