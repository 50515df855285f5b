"""`referee arena backup`, `export` and `verify`: copies of an arena, and whether its saved games prove its ledgers."""

from __future__ import annotations

import os
import sqlite3
import tarfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from referee.arena.commands.opening import Folder, files_of, show
from referee.cli.options import Json, Whole
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.arena.settings import ArenaFiles
    from referee.tournament.match_tables import Key
    from referee.tournament.verifying import Task

OMITTED: Final = (".", "running", "ledger.sqlite")
"""Names of partial files, locks and ledgers begin with these. Ledgers are copied first. Files of bots may have any name."""
COMPRESSED: Final = (".tar.gz", ".tgz")


def backup(
    folder: Folder,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="The new file, .tar, .tar.gz or .tgz.")],
    json: Json = False,
) -> int:
    """Copy a whole arena to a file, also while it runs. Unpacked, it is an arena that goes on from there.

    The file has the digests of keys and all uploads: keep it as safe as the arena.
    """
    files = files_of(folder)
    if not output.name.endswith((".tar", *COMPRESSED)):
        raise UsageError(f"-o {output}: a backup is a .tar, .tar.gz or .tgz file")
    part = output.with_name(f".{output.name}.part")
    try:
        if output.exists():
            raise UsageError(f"{output} is there already: choose another name")
        with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as raw:
            with tarfile.open(fileobj=raw, mode="w:gz" if output.name.endswith(COMPRESSED) else "w") as archive:
                root = tarfile.TarInfo(files.root.resolve().name)
                root.type, root.mode, root.mtime = tarfile.DIRTYPE, 0o700, int(files.root.stat().st_mtime)
                archive.addfile(root)
                count = sum(
                    _add(archive, f"{root.name}/{path.relative_to(files.root)}", path) for path in _in_order(files)
                )
            raw.flush()
            os.fsync(raw.fileno())
        os.link(part, output)
    except OSError as failed:
        why = f"{output} cannot be written ({failed.strerror}): free space there, or choose another name"
        raise UsageError(why) from None
    finally:
        part.unlink(missing_ok=True)
    show({"file": str(output), "files": count}, [f"{output}: {count} files"], json=json)
    return 0


def _in_order(files: ArenaFiles) -> Iterator[Path]:
    """All files. A row comes before its upload and a ledger before its games, so the backup has whatever they refer to."""
    first = [files.toml, files.state, files.versions, files.accounts, files.drafts]
    yield from (path for path in first if path.exists())
    yield from sorted(files.seasons.glob("*/ledger.sqlite"))
    yield from _maps(files)
    for top in (files.inbox, files.sources, files.debugged, files.seasons, files.bots):
        for path in sorted(top.rglob("*")):
            ours = path.relative_to(files.root).parts[:4]  # the rest of `seasons/N/entrants/CONTENT/…` is a bot's
            omitted = any(part.startswith(OMITTED) for part in ours)
            if not omitted and path.is_file() and not path.is_symlink():
                yield path


def _maps(files: ArenaFiles) -> list[Path]:
    """All maps that the organiser keeps in the arena's folder."""
    ours = (files.seasons, files.versions.parent, files.pages)
    maps = {path for path in files.root.rglob("*.toml") if not any(map(path.is_relative_to, ours))}
    return sorted(path for path in maps - {files.toml} if path.is_file() and not path.is_symlink())


def _add(archive: tarfile.TarFile, name: str, path: Path) -> bool:
    """Add a file as it is at this moment. Returns whether it still exists.

    Raises:
        UsageError: a database cannot be copied.
    """
    if path.suffix == ".sqlite":
        with TemporaryDirectory(prefix="referee-backup-") as folder:
            copy = Path(folder) / path.name
            try:
                with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(copy)) as new:
                    old.backup(new)
            except sqlite3.Error as failed:
                advice = f"if {copy.parent.parent} is full, free space there, or set TMPDIR"
                raise UsageError(f"{path} cannot be copied ({failed}): {advice}") from None
            archive.add(copy, name)
        return True
    try:
        archive.add(path, name)
    except FileNotFoundError:  # a saved game that the arena has just removed
        return False
    return True


def export(
    folder: Folder,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="The folder of the pages.")],
    json: Json = False,
) -> int:
    """Write an arena as web pages that need no server: its front page, and each season and final.

    The pages have no sources, no stderr and no compiler output. An older export in the folder is overwritten.
    """
    from referee.arena.exporting import write_site

    index = write_site(files_of(folder), output)
    show({"index": str(index)}, [str(index)], json=json)
    return 0


def verify(
    folder: Folder,
    *,
    sample: Annotated[Whole, Parameter(help="How many matches, drawn by lot; 0 for all.")] = 20,
    json: Json = False,
) -> int:
    """Play saved matches again with the recorded answers, and compare their digests with the ledgers.

    The exit code is 1 if one differs, or cannot be read, or a season cannot be verified because a map was edited.
    """
    from referee.tournament.verifying import summary, verify_all

    seasons, unproved = sorted(files_of(folder).seasons.glob("*/ledger.sqlite")), dict[str, str]()
    drawn = _drawn(seasons, sample, unproved) if sample else dict.fromkeys(seasons)
    # An arena that runs removes old games meanwhile.
    verdicts = list(verify_all(_to_verify(drawn, unproved), lambda: _to_verify(drawn, {})))
    rows = [{"season": saved.path.parents[1].name, "match": saved.match, "error": error} for saved, error in verdicts]
    wrong = [f"season {season}: {error}" for season, error in unproved.items()]
    wrong += ["season {season}, {match}: {error}".format_map(row) for row in rows if row["error"] is not None]
    said = summary(len(verdicts), [saved.path for saved, error in verdicts if error is not None])
    show({"seasons": unproved, "matches": rows}, [*wrong, said], json=json)
    return 1 if wrong else 0


def _drawn(seasons: Sequence[Path], sample: int, unproved: dict[str, str]) -> Mapping[Path, Collection[Key]]:
    """So many matches of all seasons, drawn by lot, by the ledgers of the seasons; `unproved` as in `_to_verify`."""
    from referee.tournament.ledger import Ledger
    from referee.tournament.verifying import by_lot

    lots = []
    drawn: dict[Path, list[Key]] = {season: [] for season in seasons}
    for season in seasons:
        with _noted(season, unproved), Ledger(season.parent, writes=False) as ledger:
            lots += [(lot, season, key) for lot, key in by_lot(ledger, sample)]
    for _, season, key in sorted(lots)[:sample]:
        drawn[season].append(key)
    return drawn


def _to_verify(drawn: Mapping[Path, Collection[Key] | None], unproved: dict[str, str]) -> Iterator[Task]:
    """The saved games in ledgers at this moment.

    Args:
        drawn: the matches, by ledgers; None for all. unproved: gets why a season cannot be verified, as when the file of a map
            was edited.
    """
    from referee.tournament.tournament import Tournament
    from referee.tournament.verifying import to_verify

    for ledger, keys in drawn.items():
        with _noted(ledger, unproved), Tournament(ledger.parent) as tournament:
            if tournament.ledger.begun:
                yield from to_verify(tournament, keys)


@contextmanager
def _noted(ledger: Path, unproved: dict[str, str]) -> Iterator[None]:
    """Note in `unproved` why a season cannot be verified, unless it has not begun."""
    from referee.tournament.database import NotBegun

    try:
        yield
    except NotBegun:
        pass
    except UsageError as wrong:
        unproved[ledger.parent.name] = str(wrong)
