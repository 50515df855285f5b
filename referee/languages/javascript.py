"""JavaScript by Node: nothing is built. `require("snake")` finds the SDK by NODE_PATH, which modules (`import`) ignore."""

from __future__ import annotations

import re
from typing import Final

from referee.languages.language import Idioms, Language, Tool

_NAMED: Final = re.compile(r"""\b(?:require\s*\(|import\s*\(|from|import)\s*["']\./([^"'/\n]+)["']""")

LANGUAGE: Final = Language(
    name="javascript",
    title="JavaScript",
    suffixes=(".js", ".mjs", ".cjs"),
    runner=Tool(("node", "nodejs"), "nodejs"),
    sdk="javascript",
    runs=lambda sources: ("node", sources.main(_NAMED)),
    finds_sdk="NODE_PATH",
    idioms=Idioms(
        flush="process.stdout.write(answer + '\\n') as soon as a request is complete",
        log="console.error(...)",
        read="collect the input of 'data' events and act on whole lines; do not wait for 'end'",
    ),
)
