"""`referee state`: a position of a saved game, as a setup for `referee play`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import Whole
from referee.contract.positions import Position
from referee.errors import UsageError


def state(
    file: Annotated[Path, Parameter(help="A saved game.")],
    /,
    *,
    step: Annotated[
        Whole | None, Parameter(help="The position after this step; 0 is the setup. Default: the last.")
    ] = None,
    forget: Annotated[
        Sequence[Whole],
        Parameter(negative="", help="A seat, from 1, whose memory to leave out, in games that have memories."),
    ] = (),
) -> None:
    """Print a position of a saved game, to play on from.

    `referee play --setup FILE` starts from it, as it is or edited. In games with memories, the position has them too. A bot
    that plays on for another bot should not get its memory: use `--forget SEAT`.
    """
    from referee.cli.saved import open_saved

    replay = open_saved(file)
    last, seats = len(replay.steps), len(replay.entrants)
    position = replay.state_at(last if step is None else step).position()
    for seat in forget:
        if not 1 <= seat <= seats:
            raise UsageError(f"there is no seat {seat}: {file} has seats 1 to {seats}")
        position = replay.game.forgotten(position, seat - 1)
    print(pretty(position))


def pretty(position: Position) -> str:
    """A position as JSON that can be edited by hand: one line for each row of a field or entry of a list."""
    lines = []
    for key, value in position.items():
        if isinstance(value, list) and value and not isinstance(value[0], int):
            entries = ",\n    ".join(json.dumps(entry, ensure_ascii=False) for entry in value)
            text = f"[\n    {entries}\n  ]"
        else:
            text = json.dumps(value, ensure_ascii=False)
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"
