"""`referee verify`: whether saved games follow from the rules."""

from __future__ import annotations

import json as json_text
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from referee.cli.options import Json, Quiet
from referee.errors import SavedGameError, UsageError


def verify(
    *files: Annotated[Path, Parameter(help="Saved games, `.jsonl` or `.jsonl.gz`.")],
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check that saved games follow from the rules.

    Every match is played again with the recorded answers; every event, the ranking and the digest must agree. A line a
    file is printed; the exit code is 1 when one of them does not hold.
    """
    from referee.record import load
    from referee.replay import Replay

    if not files:
        raise UsageError("verify needs the files to verify: referee verify GAME.jsonl …")
    found: list[dict[str, Any]] = []
    for path in files:
        try:
            record = load(path)
            replay = Replay(record)
            replay.verify()
        except SavedGameError as wrong:
            found.append({"file": str(path), "ok": False, "line": wrong.line, "error": str(wrong)})
            if not json:
                print(wrong, file=sys.stderr)
            continue
        assert record.result is not None
        found.append({"file": str(path), "ok": True, "game": replay.game.name, "steps": len(replay.steps),
                      "reason": record.result.reason, "digest": record.result.digest})  # fmt: skip
        if not json and not quiet:
            print(f"{path}: ok, {replay.game.name}, {len(replay.steps)} steps, {record.result.reason}")
    if json:
        print(json_text.dumps(found))
    return 0 if all(line["ok"] for line in found) else 1
