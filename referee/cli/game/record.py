"""`referee game record`: writes the golden record of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from referee.cli.game.check import GameName
from referee.cli.options import Output


def record(
    name: GameName,
    *,
    output: Annotated[
        Output | None, Parameter(metavar="FILE", help="The file; default: `tests/records/NAME.jsonl`.")
    ] = None,
) -> None:
    """Write a golden record: a saved match that shows as many kinds of events as one match can, and a fault.

    Random matches are played with the answers of sample bots, the actions of the game's training, or those of a golden record
    that exists. The same game gives the same file. An existing file is moved aside. Events that other matches had, or that the
    README names in its chapter `Saved games`, and that this record lacks, are listed.
    """
    from referee.cli.narrator import narrate, narrate_renamed
    from referee.errors import UsageError
    from referee.files.claims import write_new
    from referee.testing.recording import make_recording
    from referee.testing.saved_games import SIZE
    from referee.testing.subject import Subject
    from referee.text.words import counted

    path = Path("tests", "records", f"{name}.jsonl") if output is None else output
    golden = make_recording(Subject(name))
    if golden is None:
        limit = f"1,000 steps and {SIZE:,} bytes"
        raise UsageError(f"no match of {name} ends within {limit}: make a shorter one by a script")
    if output is None:
        path.parent.mkdir(parents=True, exist_ok=True)
    narrate_renamed(write_new(path, golden.content))
    print(f"{path}: {counted(golden.steps, 'step')}, with {', '.join(golden.kinds)}")
    if golden.missing:
        advice = "play matches that have these events, or make the record by a script"
        narrate(f"not in it: {', '.join(golden.missing)}; {advice}")
