"""Amounts as users write them: durations such as `500ms`, memory such as `512M`, and whole numbers."""

from __future__ import annotations

import re
from operator import index
from typing import Final, Literal, SupportsIndex, TypeAlias

from referee.errors import UsageError
from referee.text.words import shorten

Total: TypeAlias = float | Literal["none"]
"""A limit for all answers as people set it: seconds, or the word for no limit."""

LONGEST: Final = 86_400.0
"""Seconds of the longest duration: a day."""
SMALLEST: Final = 16
LARGEST: Final = 1 << 20
"""The least and the most MiB of a memory limit."""
_MIB: Final = 1 << 20
_UNITS: Final = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0}


def whole(name: str, value: object) -> int:
    """An argument that is a whole number, numpy's integers too. Raises: UsageError: it is none."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise UsageError(f"{name} must be a whole number, not {value!r:.80}")
    return index(value)


def seconds(text: str) -> float:
    """`500ms`, `2s`, `2m` or a number of seconds, in seconds. Raises: ValueError: it is not a duration above zero."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(ms|s|m|min|)", text.strip())
    if match is None or not 0 < (value := float(match[1]) * _UNITS[match[2]]) <= LONGEST:
        raise ValueError(
            f"{shorten(repr(text))} is not a duration: write 500ms, 2s, 2m or a number of seconds, above zero and at most a day"
        )
    return value


def total(text: str) -> Total:
    """The limit for all answers: `none`, or what `seconds` reads. Raises: ValueError: it is neither."""
    try:
        return "none" if text.strip() == "none" else seconds(text)
    except ValueError as wrong:
        raise ValueError(f"{wrong}; none for no limit") from None


def mebibytes(text: str) -> int:
    """`512M`, `2G` or a number of mebibytes, in bytes. Raises: ValueError: it is not an amount of memory."""
    match = re.fullmatch(r"(\d{1,7})\s*(?:([mMgG])(?:i?[bB])?)?", text.strip())
    factor = 1024 if match is not None and match[2] in {"g", "G"} else 1
    if match is None or not SMALLEST <= int(match[1]) * factor <= LARGEST:
        raise ValueError(
            f"{shorten(repr(text))} is not an amount of memory: write 512M, 2G or a number of MiB, from {SMALLEST} MiB to "
            f"{LARGEST >> 20} TiB"
        )
    return int(match[1]) * factor * _MIB
