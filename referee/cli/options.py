"""Options of several commands: durations, memory, files, and the look of the output."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from cyclopts import Parameter, validators

from referee.text import amounts
from referee.text.words import shorten

FASTEST: Final = 1000.0
"""The highest speed in steps per second; 0 is full speed."""


def _check_speed(_type: Any, value: float | None) -> None:
    if value is not None and not 0 <= value <= FASTEST:
        raise ValueError(f"speed is in steps per second, from 0 (full speed) to {FASTEST:g}")


def _parameter(convert: Callable[[str], Any]) -> Parameter:
    """A parameter whose word is read by `convert`, which may raise ValueError."""

    def converter(_type: Any, tokens: Sequence[Any]) -> Any:
        return convert(tokens[0].value)

    return Parameter(converter=converter, n_tokens=1)


def _by_commas(_type: Any, tokens: Sequence[Any]) -> list[str]:
    if not (words := [word for token in tokens for word in token.value.split(",") if word]):
        raise ValueError("name bots, as in --against collector,hunter")
    return words


def _whole(text: str) -> int:
    if re.fullmatch(r"[+-]?\d{1,40}", text) is None:
        raise ValueError(f"{shorten(repr(text))} is not a whole number")
    return int(text)


Speed: TypeAlias = Annotated[
    float | None, Parameter(validator=_check_speed, help="Steps per second in the view; 0 is full speed.")
]
Memory: TypeAlias = Annotated[
    int, _parameter(amounts.mebibytes), Parameter(metavar="SIZE", help="The most memory of one player; default: 1G.")
]
Isolation: TypeAlias = Annotated[
    Literal["full", "reduced", "none"],
    Parameter(
        help="How programs are isolated. If this level cannot be enforced, nothing is started. none: only for programs you trust."
    ),
]
ClockKind: TypeAlias = Annotated[
    Literal["wall", "cpu"],
    Parameter(help="What --total limits: elapsed time, or the CPU time of the player."),
]
Whole: TypeAlias = Annotated[int, _parameter(_whole)]
Positive: TypeAlias = Annotated[Whole, Parameter(validator=validators.Number(gte=1))]
Duration: TypeAlias = Annotated[float, _parameter(amounts.seconds), Parameter(metavar="TIME")]
Total: TypeAlias = Annotated[amounts.Total, _parameter(amounts.total), Parameter(metavar="TIME", show_choices=False)]
Output: TypeAlias = Annotated[Path, Parameter(name=["--output", "-o"])]
SavedGame: TypeAlias = Annotated[Path | None, Parameter(help="A saved game; default: the last match in the history.")]
Folder: TypeAlias = Annotated[
    Path, Parameter(help="The folder of the tournament, or the folder of bots that it is in.")
]
Against: TypeAlias = Annotated[list[str], Parameter(converter=_by_commas, consume_multiple=1, negative="")]
Jobs: TypeAlias = Annotated[Positive | None, Parameter(help="Matches at a time.")]
NoTimeouts: TypeAlias = Annotated[
    bool, Parameter(negative="", help="Allow 10 minutes for each answer, for a debugger.")
]
Color: TypeAlias = Annotated[
    Literal["auto", "always", "never"], Parameter(help="When to use colour; NO_COLOR in the environment means never.")
]
Ascii: TypeAlias = Annotated[bool, Parameter(negative="", help="Draw with ASCII characters only.")]
Json: TypeAlias = Annotated[
    bool, Parameter(negative="", help="Print one JSON document; `referee help json` describes it.")
]
Quiet: TypeAlias = Annotated[bool, Parameter(name=["--quiet", "-q"], negative="", help="Print no progress on stderr.")]
GameName: TypeAlias = Annotated[str | None, Parameter(help="The game; `referee games` lists them.")]
Seed: TypeAlias = Annotated[
    Whole | None,
    Parameter(
        name=["--seed", "-s"], help="The seed of all random choices; default: a new one, which is printed and saved."
    ),
]
Programs: TypeAlias = Annotated[
    list[str] | None,
    Parameter(
        help="K=FILE: the program of seat K, from 1, in the game's own language: the viewer shows what decided its moves. "
        "Sample bots are found by their names. Repeat it for several seats.",
        negative="",
    ),
]


def print_json(document: object) -> None:
    """Print what `--json` asks for, in one line."""
    print(json.dumps(document))
