"""Python: nothing is built. `python3` is the interpreter that the referee itself runs on; the SDK is on its path."""

from __future__ import annotations

from typing import Final

from referee.languages.language import Command, Language, Sources, Tool, main, nothing

_SUFFIXES: Final = (".py",)


def _runs(sources: Sources) -> Command:
    return ("python3", main(sources, _SUFFIXES, "Python"))


LANGUAGE: Final = Language(
    name="python",
    title="Python",
    suffixes=_SUFFIXES,
    compiler=None,
    runner=Tool(("python3", "pypy3"), "python3"),
    sdk="python",
    builds=nothing,
    runs=_runs,
    finds_sdk="PYTHONPATH",
)
