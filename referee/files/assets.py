"""Where the SDKs and starter kits, sample bots, maps and rules are.

Those of the referee's own games are next to the package in a checkout, and inside it when it is installed from a wheel. Those of
another game are in the folder of its package (`plugins`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from referee.files import plugins
from referee.files.plugins import Plugin

_PACKAGE: Final = Path(__file__).parents[1]


def folder(name: str) -> Path:
    """The folder `sdk`, `bots` or `maps` of the referee. Raises: FileNotFoundError: the installation is not whole."""
    for home in (_PACKAGE.parent / name, _PACKAGE / "_carried" / name):
        # A checkout is known by its pyproject.toml: site-packages may hold a stranger's `bots`.
        if home.is_dir() and (home.parent == _PACKAGE / "_carried" or (_PACKAGE.parent / "pyproject.toml").is_file()):
            return home
    raise FileNotFoundError(f"the folder {name!r} came neither with the package nor beside it: install referee again")


def rules(game: str) -> Path:
    """The folder with the README files of a game."""
    plugin = _plugin(game)
    return _PACKAGE / "games" / game if plugin is None else plugin.folder


def translations(game: str) -> Mapping[str, str]:
    """The languages of a game's rules, English first, and the name of the file with each text."""
    names = sorted(page.name for page in rules(game).iterdir())
    translated = {match[1]: name for name in names if (match := re.fullmatch(r"README\.(\w+)\.md", name))}
    return {"en": "README.md", **translated} if "README.md" in names else translated


def manual() -> Mapping[str, Path]:
    """The pages of the manual, by their topics."""
    return {page.stem: page for page in sorted((_PACKAGE / "docs").glob("*.md"))}


def title(page: Path) -> str:
    """The title of a page of the manual."""
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def maps(game: str) -> Path:
    """The folder of a game's maps. It may be missing."""
    plugin = _plugin(game)
    return folder("maps") / game if plugin is None else plugin.folder / "maps"


def kits(game: str) -> Mapping[str, Path]:
    """The folders of a game's starter kits, by language."""
    plugin = _plugin(game)
    if plugin is None:
        kits = {home.name: home / "starter" / game for home in folder("sdk").iterdir()}
    else:
        kits = {home.name: home for home in (plugin.folder / "starter").glob("*")}
    return {language: kits[language] for language in sorted(kits) if (kits[language] / "bot.toml").is_file()}


def sdk(game: str, language: str) -> Path | None:
    """The folder of files that bots of a language can import, of a game that another package brings; None without one."""
    plugin = _plugin(game)
    files = None if plugin is None else plugin.folder / "sdk" / language
    return files if files is not None and files.is_dir() else None


def samples(game: str | None = None) -> Iterator[Path]:
    """The folders that hold sample bots for a game, its own first. If it is None, those of all games, the referee's own first."""
    plugin = None if game is None else _plugin(game)
    if plugin is not None:
        yield plugin.folder / "bots"
    yield folder("bots")
    if game is None:
        yield from (home / "bots" for home in plugins.folders())


def hidden_paths(game: str | None = None) -> Sequence[Path]:
    """What no player may see: the referee's sample bots and, if another package brings the game, that package."""
    plugin = None if game is None else _plugin(game)
    return [folder("bots")] if plugin is None else [folder("bots"), plugin.folder]


def _plugin(game: str) -> Plugin | None:
    """The plug-in that brings a game; None for the referee's own games, whose names nobody else can take."""
    if (_PACKAGE / "games" / game).is_dir() or game not in plugins.installed_games():
        return None
    return plugins.find(game)
