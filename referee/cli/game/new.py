"""`referee game new`: a project with a small game of one's own, which plays at once."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from referee.errors import UsageError
from referee.text.words import shorten

_MODEL: Final = "trails"
"""The name of the game that is copied: the folder `game` of the SDKs is its project."""
_TOGETHER: Final = (
    ("TOGETHER: Final = True", "TOGETHER: Final = False"),
    ("2. Players move at the same time.", "2. Players move one after the other, in the order of seats."),
)
"""What is different if players move one after the other."""


def new(
    name: Annotated[str, Parameter(help="The game's name: a lower-case word, also for the package.")],
    folder: Annotated[Path | None, Parameter(help="A new or empty folder; by default, one of that name.")] = None,
    /,
    *,
    turns: Annotated[
        Literal["together", "sequential"], Parameter(help="Whether all players move at once, or one after the other.")
    ] = "together",
) -> None:
    """Write the project of a new game, with rules, maps, a view, bots and tests.

    It is a small game for two to four players on a board. Change it into your own. `referee help games` says how.
    """
    from referee.bots import starter
    from referee.cli.again import command
    from referee.files import assets
    from referee.files.reading import at_home

    _check(name)
    folder = Path(name) if folder is None else at_home(folder)

    def rename(inside: Path, data: bytes) -> tuple[Path, bytes]:
        text = data.decode()
        for before, after in _TOGETHER if turns == "sequential" else ():
            text = text.replace(before, after)
        text = text.replace('dependencies = ["referee"]', f'dependencies = ["referee{_versions()}"]')
        text = text.replace(_MODEL, name).replace(_MODEL.capitalize(), _title(name))
        return Path(*(part.replace(_MODEL, name) for part in inside.parts)), text.encode()

    files = starter.copy_folder(assets.folder("sdk") / "game", folder, rename)
    print(f"{shorten(str(folder))}: the game {_title(name)}, {len(files)} files; its README.md says what they are")
    print("next:")
    python = shlex.quote(sys.executable)
    print(f"  {python} -m pip install -e {shlex.quote(f'{folder}[dev]')}")
    print(f"  {command('play', f'--game={name}')}")
    print(f"  {python} -m pytest {shlex.quote(str(folder))}")
    print(f"  {command('game', 'check', name)}")


def _check(name: str) -> None:
    """Check that a game, and its package, can have this name.

    Raises:
        UsageError: it cannot.
    """
    from referee import games
    from referee.files.plugins import NAME

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        advice = "use a lower-case word of at most 32 letters, digits and _ that is no word of Python's own"
        raise UsageError(f"{shorten(repr(name))} cannot be the name of a game: {advice}")
    if name in games.names():
        raise UsageError(f"there is a game {name} already: choose another name")
    if find_spec(name) is not None:
        raise UsageError(f"there is a Python module {name} already: choose another name")


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _versions() -> str:
    """The versions of the referee that the game works with: this one, and later ones that break nothing."""
    from referee import __version__

    major, minor, *_ = map(int, re.findall(r"\d+", __version__))
    return f">={__version__},<{f'0.{minor + 1}' if major == 0 else major + 1}"
