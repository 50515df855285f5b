"""Python: nothing is built. `python3` is the interpreter that the referee itself runs on; the SDK is on its path.

If a bot is a module for a host of the SDK, the host starts it: `python3 -m HOST` finds the module in the bot's folder.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from referee.languages.language import Command, Idioms, Language, Sources, Tool

_NAMED: Final = re.compile(
    r"^[ \t]*(?:import[ \t]+([^\n#;]+)|from[ \t]+\.*(\w++)[\w.]*[ \t]+import\b|from[ \t]+\.+[ \t]*import[ \t]+\(?([^\n#;)]+))",
    re.MULTILINE,
)


def _runs(sources: Sources) -> Command:
    for host in sources.hosts:
        if host.program is not None and host.serves in sources.texts and "main.py" not in sources.texts:
            return ("python3", "-m", PurePath(host.program).stem)
    return ("python3", sources.main(_NAMED))


LANGUAGE: Final = Language(
    name="python",
    title="Python",
    suffixes=(".py",),
    runner=Tool(("python3", "pypy3"), "python3"),
    sdk="python",
    runs=_runs,
    finds_sdk="PYTHONPATH",
    idioms=Idioms(
        flush="print(answer, flush=True)",
        log="print(..., file=sys.stderr)",
        read="sys.stdin.readline() or input() for each line, not sys.stdin.read()",
    ),
)
