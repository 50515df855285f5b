"""JavaScript by Node: nothing is built. `require("snake")` finds the SDK by NODE_PATH, which modules (`import`) do not heed."""

from __future__ import annotations

from typing import Final

from referee.languages.language import Command, Language, Sources, Tool, main, nothing

_SUFFIXES: Final = (".js", ".mjs", ".cjs")


def _runs(sources: Sources) -> Command:
    return ("node", main(sources, _SUFFIXES, "JavaScript"))


LANGUAGE: Final = Language(
    name="javascript",
    title="JavaScript",
    suffixes=_SUFFIXES,
    compiler=None,
    runner=Tool(("node", "nodejs"), "nodejs"),
    sdk="javascript",
    builds=nothing,
    runs=_runs,
    finds_sdk="NODE_PATH",
)
