"""`referee verify`: checks that saved games follow from the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from referee.cli.narrator import narrate
from referee.cli.options import Json, Quiet, print_json
from referee.errors import AbsentGameError, SavedGameError, UsageError
from referee.text.words import counted


def verify(
    *files: Annotated[Path, Parameter(required=True, help="Saved games, `.jsonl` or `.jsonl.gz`.")],
    strict: Annotated[
        bool, Parameter(negative="", help="Also require that all random choices follow from the seed.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check that saved games follow from the rules.

    Every match is played again with the recorded answers. Every event, the ranking and the digest must agree, and the times
    must fit the limits and the timeouts. One line is printed for each file. If another program played the match with its own
    random numbers, the draws in the file are followed, and the line says so. The exit code is 1 if a file has a defect, and 2
    if a file's game is not installed.
    """
    from referee.saved.record import load
    from referee.saved.replay import verify as prove

    verdicts: list[dict[str, Any]] = []
    code = 0
    for path in files:
        try:
            record = load(path)
            own_chance = prove(record, strict=strict)
        except SavedGameError as wrong:
            verdicts.append({"file": str(path), "ok": False, "line": wrong.line, "error": str(wrong)})
            code = max(code, UsageError.exit_code if isinstance(wrong, AbsentGameError) else 1)
            if not json:
                narrate(str(wrong))
            continue
        assert record.result is not None
        verdicts.append({"file": str(path), "ok": True, "game": record.header.game, "steps": len(record.steps),
                      "own_chance": own_chance, "reason": record.result.reason, "digest": record.result.digest})  # fmt: skip
        if not json and not quiet:
            note = "" if own_chance else "; its random choices are not those of this referee"
            steps = counted(len(record.steps), "step")
            print(f"{path}: ok, {record.header.game}, {steps}, {record.result.reason}{note}")
    if json:
        print_json(verdicts)
    return code
