"""What the commands of an arena share: its folder, its accounts, terms such as `7d`, and their output."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from referee.cli.options import print_json
from referee.errors import UsageError
from referee.text.words import harmless, shorten

if TYPE_CHECKING:
    from referee.arena.accounts import Accounts
    from referee.arena.settings import ArenaFiles

Folder = Annotated[Path, Parameter(help="The folder of the arena.")]
WHO: Final = "the command line"
"""The user of commands, in the audit log."""
UNITS: Final = {"m": 60, "h": 3600, "d": 86_400}


def term(text: str) -> float:
    """`30m`, `12h` or `7d` in seconds.

    Raises:
        UsageError: it is no term, or longer than a year.
    """
    match = re.fullmatch(r"(\d{1,6})([mhd])", text.strip())
    if match is None or not 0 < (seconds := int(match[1]) * UNITS[match[2]]) <= 366 * UNITS["d"]:
        raise UsageError(f"{shorten(repr(text))} is not a term: write 30m, 12h or 7d, at most a year")
    return seconds


def moment(at: float) -> str:
    """A moment for people, in UTC."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def is_own(host: str) -> bool:
    """Whether a host is this machine: a loopback address or `localhost`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def files_of(folder: Path) -> ArenaFiles:
    """The files of an arena.

    Raises:
        UsageError: the folder is no arena, or its settings cannot be used.
    """
    from referee.arena.settings import ArenaFiles

    return ArenaFiles(folder)


@contextmanager
def accounts_of(folder: Path) -> Iterator[Accounts]:
    """The accounts of an arena. A `Refusal` becomes a `UsageError`."""
    from referee.arena.accounts import Accounts
    from referee.arena.state import now
    from referee.web.refusals import Refusal

    try:
        with Accounts(files_of(folder).accounts, now=now) as accounts:
            yield accounts
    except Refusal as refusal:
        raise UsageError(str(refusal)) from None


def show(document: Any, lines: list[str], *, json: bool) -> None:
    """Print a document, or lines for people."""
    if json:
        print_json(document)
    else:
        for line in lines:
            print(harmless(line))
