"""`referee state`: any moment of a saved game, cut out as a setup."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import Whole
from referee.game import Position
from referee.names import harmless_json


def state(
    file: Annotated[Path, Parameter(help="A saved game.")],
    /,
    *,
    step: Annotated[Whole | None, Parameter(help="After which step; 0 is the setup. Default: the last.")] = None,
) -> int:
    """Print the position after a step of a saved game, as a setup to play on from.

    `referee play --setup FILE` starts from it, as it is or edited.
    """
    from referee.cli.saved import open_saved

    replay = open_saved(file)
    print(harmless_json(pretty(replay.state_at(len(replay.steps) if step is None else step).position())))
    return 0


def pretty(position: Position) -> str:
    """A position as JSON that can be edited by hand: a row of a field or an entry of a list a line."""
    lines = []
    for key, value in position.items():
        if isinstance(value, list) and value and not isinstance(value[0], int):
            entries = ",\n    ".join(json.dumps(entry, ensure_ascii=False) for entry in value)
            text = f"[\n    {entries}\n  ]"
        else:
            text = json.dumps(value, ensure_ascii=False)
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"
