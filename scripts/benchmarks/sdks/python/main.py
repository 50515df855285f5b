"""Reads boards by the SDK and waits; how long the second half of REQUESTS took goes to the log, in nanoseconds."""

import os
import time

from snake import AreaInfo, run

REQUESTS = int(os.environ["REQUESTS"])
turns = 0
began = 0


def choose(area: AreaInfo) -> str:
    """Count, and wait."""
    global turns, began
    turns += 1
    if turns == REQUESTS // 2:
        began = time.perf_counter_ns()
    elif turns == REQUESTS:
        print(time.perf_counter_ns() - began)
    return "N"


run("Reader", choose)
