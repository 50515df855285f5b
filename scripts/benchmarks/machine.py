"""The machine on which the figures were measured, and whether it was quiet."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from referee import __version__

LOADED: Final = 0.5
"""The load of the last minute per processor that is too high."""


def about() -> list[str]:
    """The facts about this machine that readers of the figures need; then a warning if it is busy."""
    processors, load = len(os.sched_getaffinity(0)), os.getloadavg()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    facts = (
        f"referee {__version__} on {processors} × {_processor()}, {memory:.1f} GiB of memory, Linux {platform.release()}, "
        f"Python {platform.python_version()}, {datetime.now(UTC).date().isoformat()}; "
        f"load at the start {load[0]:.2f}, {load[1]:.2f}, {load[2]:.2f} (1, 5, 15 minutes)."
    )
    if load[0] <= processors * LOADED:
        return [facts]
    return [facts, "**This machine was not quiet. Ratios within a row are roughly right, times are not.**"]


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return " ".join(line.partition(":")[2].split())
    return platform.machine()
