"""The smallest bot on the Python SDK. Tests talk to it through pipes."""

import os

from snake import AreaInfo, run


def choose(area: AreaInfo) -> str:
    print("thinking")
    if area.size == 3:
        raise RuntimeError("a board of size 3")
    if area.size == 4:
        return "X"
    return area.step_towards(area.free_blocks)


NAMES = ["Tell Tale"]

run(NAMES[int(os.environ.get("NAME", 0))], choose)
