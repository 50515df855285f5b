"""The machine on which the figures were measured, and whether it was quiet."""

from __future__ import annotations

import os
import platform
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import trio

from referee import __version__

BUSY: Final = 0.1
"""The share of all processors that other programs may use before the figures become doubtful."""
LOADED: Final = 0.5
"""The load of the last minute per processor that is too high."""
LOOK: Final = 0.5
"""Seconds for which the processors are watched."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts about the machine that readers of the figures need.

    Attributes:
        about: the versions, the processors and the date of the measurement.
        load: the load averages of the last 1, 5 and 15 minutes.
        busy: the share of all processors that was in use while this run did nothing.
    """

    about: str
    processors: int
    load: Sequence[float]
    busy: float

    @property
    def warning(self) -> str | None:
        """Why figures taken now are doubtful; None if they are not."""
        if self.busy <= BUSY and self.load[0] <= self.processors * LOADED:
            return None
        return (
            f"This machine was not quiet: {self.busy:.0%} of its processors were in use before the first measurement, and the "
            f"load of the last minute was {self.load[0]:.2f}. Ratios within a row are roughly right, times are not."
        )

    def markdown(self) -> str:
        """A paragraph, and the warning if there is one."""
        load = ", ".join(f"{part:.2f}" for part in self.load)
        about = f"{self.about}; load at the start {load} (1, 5, 15 minutes), {self.busy:.0%} of the processors in use."
        return about if self.warning is None else f"{about}\n\n**{self.warning}**"


def look() -> Machine:
    """Look at this machine; takes `LOOK` seconds."""
    processors = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    flags = sysconfig.get_config_var("CONFIG_ARGS") or ""  # some distributions optimise without these flags
    build = ", ".join(
        f"{'with' if flag in flags else 'without'} {name}"
        for name, flag in (("PGO", "--enable-optimizations"), ("LTO", "--with-lto"))
    )
    about = (
        f"referee {__version__} on {processors} × {_processor()}, {memory:.1f} GiB of memory, Linux {platform.release()}, "
        f"Python {platform.python_version()} (configured {build}), {datetime.now(UTC).date().isoformat()}"
    )
    return Machine(about, processors, [round(part, 2) for part in os.getloadavg()], trio.run(_busy))


async def _busy() -> float:
    used, whole = _ticks()
    await trio.sleep(LOOK)
    used_then, whole_then = _ticks()
    return (used_then - used) / max(1, whole_then - whole)


def _ticks() -> tuple[int, int]:
    """The processors' busy time and total time since the start."""
    fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    idle = fields[3] + fields[4]
    return sum(fields) - idle, sum(fields)


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return " ".join(line.partition(":")[2].split())
    return platform.machine()
