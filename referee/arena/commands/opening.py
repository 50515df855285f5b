"""What commands share: an arena's folder, its accounts, terms such as `7d`."""

from __future__ import annotations

import ipaddress
import json as json_text
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from referee.errors import UsageError
from referee.text.words import harmless, shorten

if TYPE_CHECKING:
    from referee.arena.accounts import Accounts
    from referee.arena.finals import Progress
    from referee.arena.settings import ArenaFiles
    from referee.arena.state import ArenaState

Folder = Annotated[Path, Parameter(help="The folder of the arena.")]
WHO: Final = "the command line"
"""Who did something, in the audit log."""
_UNITS: Final = {"m": 60, "h": 3600, "d": 86_400}
LONGEST: Final = 366 * 86_400


def term(text: str) -> float:
    """`30m`, `12h` or `7d` in seconds.

    Raises:
        UsageError: it is no term.
    """
    match = re.fullmatch(r"(\d{1,6})([mhd])", text.strip())
    if match is None or not 0 < (seconds := int(match[1]) * _UNITS[match[2]]) <= LONGEST:
        raise UsageError(f"{shorten(repr(text))} is not a term: write 30m, 12h or 7d, at most a year")
    return seconds


def moment(at: float) -> str:
    """A moment for people, in UTC."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def is_own(host: str) -> bool:
    """Whether a host is this machine, as it calls itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def files_of(folder: Path) -> ArenaFiles:
    """The files of an arena.

    Raises:
        UsageError: the folder is none, or its settings cannot be used.
    """
    from referee.arena.settings import ArenaFiles, settings_in

    settings_in(folder)
    return ArenaFiles(folder)


@contextmanager
def accounts_of(folder: Path) -> Iterator[Accounts]:
    """The accounts of an arena. What they refuse is a `UsageError`."""
    from referee.arena.accounts import Accounts
    from referee.arena.state import now
    from referee.web.refusals import Refusal

    accounts = Accounts(files_of(folder).accounts, now=now)
    try:
        yield accounts
    except Refusal as refusal:
        raise UsageError(str(refusal)) from None
    finally:
        accounts.close()


def show(document: Any, lines: list[str], *, json: bool) -> None:
    """Print a document, or lines for people."""
    if json:
        print(json_text.dumps(document))
    else:
        for line in lines:
            print(harmless(line))


def overview(folder: Path) -> Mapping[str, Any]:
    """An arena at this moment, as `referee arena status --json` has it."""
    from referee.arena import finals
    from referee.arena.season import plan_of
    from referee.arena.settings import settings_in
    from referee.arena.state import document, read_state
    from referee.arena.versions import Versions
    from referee.tournament.ledger import FILE, Ledger

    files, settings = files_of(folder), settings_in(folder)
    state = read_state(files)
    season, played, active, through = files.season(state.season), 0, list[str](), 0
    if (season / FILE).exists():
        with Ledger(season, writes=False) as ledger:
            played = ledger.schedule.matches()[1]
    if files.versions.exists():
        versions = Versions(files.versions, writes=False)
        active = [version.name for version in versions.all("state = 'active'")]
        through = versions.count("state NOT IN ('waiting', 'building', 'checking')")
        versions.close()
    with accounts_of(folder) as accounts:
        uploaded = accounts.uploaded()
    waiting = max(0, uploaded - through)
    final = None
    if state.state == "final" or state.final is not None:
        final = _begun(files, state) or finals.coming(files, settings, active, waiting)
    return {
        "name": settings.name,
        "game": settings.game,
        **document(state),
        "seats": plan_of(folder, settings).rules.seats,
        "matches": played,
        "entrants": len(active),
        "waiting": waiting,
        "final_progress": None if final is None else final.document(),
    }


def _begun(files: ArenaFiles, state: ArenaState) -> Progress | None:
    """How far the final is; None if it has not begun."""
    from referee.arena import finals
    from referee.tournament.tournament import Tournament

    if (name := finals.current(state)) not in finals.names(files):
        return None
    with Tournament(files.seasons / str(name)) as final:
        return finals.progress(final, goes_on=state.state == "final") if final.ledger.begun else None
