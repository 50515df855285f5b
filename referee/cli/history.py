"""`referee history`, and the folder that it lists: the newest `KEPT` matches that were played without `-o`."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter
from platformdirs import user_data_path

from referee.cli.options import Json, Positive, print_json
from referee.errors import SavedGameError, UsageError
from referee.text.words import harmless, shorten

if TYPE_CHECKING:
    from referee.saved.entries import Header, ResultEntry

KEPT: Final = 100
_OWN = re.compile(r"\d{8}-\d{6}-\d{6}-[a-z0-9_]+-\d+\.jsonl\.gz")


def history(
    *,
    limit: Annotated[Positive, Parameter(alias="-n", help="How many matches to list, the newest first.")] = 20,
    json: Json = False,
) -> None:
    """List the matches that were played without `-o`, the newest first.

    Each line shows when the match was played, the game, the players in the order of their ranks, and the file. A match that was
    broken off says so.
    """
    from referee.analysis.text import BROKEN_OFF
    from referee.moments.formatting import numeral, places

    entries = [entry for path in reversed(matches()[-limit:]) if (entry := entry_of(path)) is not None]
    if json:
        print_json(entries)
        return
    if not entries:
        print(f"no matches yet: {_folder()} is empty")
    for entry in entries:
        ranked = zip(places([line["rank"] for line in entry["players"]]), entry["players"], strict=True)
        players = ", ".join(f"{numeral(place)} {harmless(line['bot'])}" for place, line in ranked)
        reason = entry["reason"] or "unfinished"
        note = f"  ({reason})" if reason in (*BROKEN_OFF, "unfinished") else ""
        print(f"{entry['created']:<20}  {entry['game']:<9}  {shorten(players, 80)}{note}\n    {entry['saved']}")


def new_file(game: str, rng_seed: int) -> Path:
    """A new file in the history. The oldest files are deleted so that `KEPT` remain.

    Raises:
        UsageError: the folder cannot be created.
    """
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in matches()[: -KEPT + 1]:
            old.unlink(missing_ok=True)
    except OSError as failed:
        raise UsageError(f"the match cannot be kept in {folder} ({failed.strerror}): name a file with -o") from None
    return folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{game}-{rng_seed}.jsonl.gz"


def latest() -> Path:
    """The newest match in the history.

    Raises:
        UsageError: there is none.
    """
    if paths := matches():
        return paths[-1]
    raise UsageError("no match has been played yet: name a saved game, or play one with: referee play")


def _folder() -> Path:
    return user_data_path("referee") / "matches"


def matches() -> list[Path]:
    """The saved games in the history, the oldest first."""
    return sorted(path for path in _folder().glob("*.jsonl.gz") if _OWN.fullmatch(path.name))


def entry_of(path: Path) -> dict[str, Any] | None:
    """An entry of the list; None for a file that was removed or damaged."""
    from referee.saved.record import VOID, ends

    try:
        header, result = ends(path)
    except SavedGameError:
        return None
    ranked = None if result is None or result.reason == VOID else result
    reason, rounds = (None, None) if result is None else (result.reason, result.rounds)
    return {
        "created": header.created, "game": header.game, "seed": header.rng_seed, "reason": reason, "rounds": rounds,
        "players": _players(header, ranked), "saved": str(path),
    }  # fmt: skip


def _players(header: Header, result: ResultEntry | None) -> list[dict[str, Any]]:
    ranks = {} if result is None else {line.seat: line.rank for line in result.ranking}
    players = [player for player in header.players if not player.house]
    seats = [{"seat": player.seat, "bot": player.bot, "rank": ranks.get(player.seat)} for player in players]
    return sorted(seats, key=lambda line: (line["rank"] is None, line["rank"], line["seat"]))
