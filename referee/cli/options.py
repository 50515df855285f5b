"""What options of several commands have in common: how durations are written, and how output looks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

from cyclopts import Parameter

_UNITS: Final = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0}


def seconds(text: str) -> float:
    """`500ms`, `2s`, `2m` or bare seconds, in seconds.

    Raises:
        ValueError: it is no duration above zero.
    """
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(ms|s|m|min|)", text.strip())
    if match is None or not (value := float(match[1]) * _UNITS[match[2]]) > 0:
        raise ValueError(f"{text!r} is no duration: write 500ms, 2s, 2m or bare seconds, above zero")
    return value


def _convert(_type: Any, tokens: Sequence[Any]) -> float:
    return seconds(tokens[0].value)


Duration: TypeAlias = Annotated[float, Parameter(converter=_convert, n_tokens=1)]
Color: TypeAlias = Annotated[
    Literal["auto", "always", "never"], Parameter(help="Whether to colour; NO_COLOR counts as never.")
]
Ascii: TypeAlias = Annotated[bool, Parameter(negative="", help="Draw with ASCII alone.")]
Json: TypeAlias = Annotated[
    bool, Parameter(negative="", help="Print one JSON document on stdout and nothing else there.")
]
Quiet: TypeAlias = Annotated[bool, Parameter(name=["--quiet", "-q"], negative="", help="No narration on stderr.")]
GameName: TypeAlias = Annotated[str | None, Parameter(help="The game; `referee games` lists them.")]
Seed: TypeAlias = Annotated[
    int | None, Parameter(name=["--seed", "-s"], help="Decides all chance; without it one is drawn, printed and saved.")
]
