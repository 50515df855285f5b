"""The speeds of views, in steps per second; 0 is full speed."""

from __future__ import annotations

from typing import Final

UNLIMITED: Final = 0.0
LADDER: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)
USUAL: Final = 16.0
AMONG_PEOPLE: Final = 8.0
"""The first speed of a match in which a person plays: slow enough to see what each rival does."""
PATIENCE: Final = 180.0
"""Seconds of a whole match; a longer one starts faster."""


def faster(speed: float) -> float:
    """The next higher speed; full speed after the last one."""
    if speed == UNLIMITED:
        return UNLIMITED
    return next((rung for rung in LADDER if rung > speed), UNLIMITED)


def slower(speed: float) -> float:
    """The next lower speed; the lowest one stays."""
    if speed == UNLIMITED:
        return LADDER[-1]
    return next((rung for rung in reversed(LADDER) if rung < speed), LADDER[0])


def of_digit(digit: str) -> float:
    """The speed of the keys `1` … `9`: 1, 2, 4 … 256 steps per second; `0` is full speed."""
    return float(2 ** (int(digit) - 1)) if digit != "0" else UNLIMITED


def sensible(steps: int) -> float:
    """The speed at which a match of this length starts: the usual one, or faster to take at most `PATIENCE`."""
    return next((rung for rung in LADDER if rung >= USUAL and steps <= rung * PATIENCE), LADDER[-1])


def words(speed: float) -> str:
    """A speed for people: `8 steps/s`, `0.5 steps/s`, `full speed`."""
    return f"{speed:g} step{'' if speed == 1 else 's'}/s" if speed else "full speed"
