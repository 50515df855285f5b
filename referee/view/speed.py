"""The speeds at which a match is shown, in steps a second. 0 stands for as fast as possible."""

from __future__ import annotations

from typing import Final

UNLIMITED: Final = 0.0
LADDER: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)
USUAL: Final = 16.0
PATIENCE: Final = 180.0
"""Seconds for which people watch one match: a replay that would take longer starts faster."""


def possible(speed: float) -> float:
    """A speed that can be shown: what is no finite number above 0 is as fast as possible."""
    return speed if 0 < speed < float("inf") else UNLIMITED


def faster(speed: float) -> float:
    """The next speed up: the double, and beyond the last rung no limit at all."""
    if speed == UNLIMITED:
        return UNLIMITED
    return next((rung for rung in LADDER if rung > speed), UNLIMITED)


def slower(speed: float) -> float:
    """The next speed down: the half, at the lowest rung itself."""
    if speed == UNLIMITED:
        return LADDER[-1]
    return next((rung for rung in reversed(LADDER) if rung < speed), LADDER[0])


def of_digit(digit: str) -> float:
    """The speed of the keys `1` … `9`: 1, 2, 4 … 256 steps a second; `0` is as fast as possible."""
    return float(2 ** (int(digit) - 1)) if digit != "0" else UNLIMITED


def sensible(steps: int) -> float:
    """The speed to start a replay of so many steps with: the usual one, faster where that would try people's patience."""
    return next((rung for rung in LADDER if rung >= USUAL and steps <= rung * PATIENCE), LADDER[-1])


def words(speed: float) -> str:
    """A speed for people: `8 steps/s`, `0.5 steps/s`, `full speed`."""
    return f"{speed:g} step{'' if speed == 1 else 's'}/s" if speed else "full speed"
