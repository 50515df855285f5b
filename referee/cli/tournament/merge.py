"""`referee tournament merge`: unites the parts that shards have played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import Folder, Json, Quiet, print_json
from referee.text.words import counted


def merge(
    folder: Folder,
    *parts: Annotated[Path, Parameter(required=True, help="Files that `run --shard` has written, in any order.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Unite parts in the ledger of the tournament, and say which matches are missing.

    Saved games are copied from the folder beside each part. Parts may be unfinished, and may be merged again: a match
    that is there already stays as it is. A part with other settings or bots is refused.
    """
    from referee.cli.again import command
    from referee.cli.narrator import narrate, silent
    from referee.tournament.drafting import tournament_folder
    from referee.tournament.locking import only_writer
    from referee.tournament.parts import unplayed_by_shard
    from referee.tournament.running import RunningTournament

    say = silent if quiet or json else narrate
    root = tournament_folder(folder)
    with only_writer(root), RunningTournament(root) as tournament:
        shards = tournament.merge(parts)
        status = tournament.status()
        missing = sorted(unplayed_by_shard(tournament.ledger, shards[-1].shard.total).items())
    for path, part in zip(parts, shards, strict=True):
        say(f"{path}: shard {part.shard}, {counted(part.new, 'new match', 'new matches')}")
    matches = status["matches"]
    if json:
        merged = [
            {"part": str(path), "shard": str(part.shard), "new": part.new}
            for path, part in zip(parts, shards, strict=True)
        ]
        counts = {str(shard): count for shard, count in missing}
        print_json({"parts": merged, "matches": matches, "missing": counts, "over": status["over"]})
        return
    print(f"{matches['played']} of {counted(matches['scheduled'], 'match', 'matches')} played")
    for shard, count in missing:
        print(f"missing: {counted(count, 'match', 'matches')} of shard {shard}")
    say(f"more: {command('tournament', 'table', str(root))}")
