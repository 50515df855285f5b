"""Games that other distributions bring, by their entry points in the group `referee.games`.

1. An entry point has the name of a game, and leads to the package that has `GAME`. Only what is installed counts: never the
   working folder, and nothing that a file says.
2. The metadata of installed distributions are read once, when somebody asks for a game that is not one of the referee's own. No
   package is imported here.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from referee.errors import UsageError
from referee.text.words import shorten

GROUP: Final = "referee.games"
NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
"""The names of games."""


class PluginError(UsageError):
    """A game that is installed cannot be used. The message names the distribution, and what to do."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A game of an installed distribution.

    Attributes:
        name: the game's. module: the package that has it. distribution, version: those of what brought it.
    """

    name: str
    module: str
    distribution: str
    version: str

    @property
    def package(self) -> str:
        """Distribution and version, such as `tron-game 0.1.0`."""
        return f"{self.distribution} {self.version}"

    @property
    def folder(self) -> Path:
        """The folder of its package, with the README, maps and bots. Raises: PluginError: there is none."""
        return _folder(self)

    def unusable(self, why: str) -> PluginError:
        """The error for a game that cannot be used."""
        return PluginError(
            f"the game {shorten(self.name)} of {shorten(self.package)} cannot be used ({shorten(why, 200)}): correct it, "
            f"install another version of it, or remove it with `pip uninstall {shorten(self.distribution)}`"
        )


@cache
def installed_games() -> Mapping[str, tuple[Plugin, ...]]:
    """The games by name; several if several distributions bring a game of one name."""
    from importlib.metadata import distributions  # and modules for mail, only for games that are not the referee's

    elsewhere = [path for path in sys.path if os.path.exists(path) and not os.path.samefile(path, os.curdir)]
    games: dict[str, dict[str, Plugin]] = {}
    for distribution in distributions(path=elsewhere):
        name = distribution.metadata["Name"] or "?"
        for entry in distribution.entry_points.select(group=GROUP):
            plugin = Plugin(entry.name, entry.value.partition(":")[0].strip(), name, distribution.version or "?")
            games.setdefault(entry.name, {}).setdefault(name, plugin)  # of two copies, the first is imported
    return {name: tuple(games[name].values()) for name in sorted(games)}


def find(name: str) -> Plugin:
    """The game of this name.

    Raises:
        KeyError: no distribution brings one. PluginError: several do, or it cannot have that name.
    """
    first, *others = installed_games()[name]
    if others:
        packages = " and ".join(sorted(shorten(plugin.package) for plugin in (first, *others)))
        raise PluginError(f"{packages} both bring a game {shorten(name)}: uninstall one of them")
    if not NAME.fullmatch(name):
        raise first.unusable("its name must be a lower-case word of at most 32 letters, digits and _")
    return first


def folders() -> Iterator[Path]:
    """The folders of all installed games that have one."""
    for same in installed_games().values():
        for plugin in same:
            with suppress(PluginError):
                yield plugin.folder


@cache
def _folder(plugin: Plugin) -> Path:
    try:
        spec = find_spec(plugin.module)
    except (ImportError, ValueError) as failed:
        raise plugin.unusable(f"{type(failed).__name__}: {failed}") from None
    if spec is None or not spec.submodule_search_locations:
        raise plugin.unusable(f"there is no package {plugin.module}")
    folder = Path(next(iter(spec.submodule_search_locations)))
    if folder.is_dir():
        return folder
    from importlib.resources import files

    copy = Path(tempfile.mkdtemp(prefix="referee-"))  # of a package in a ZIP file
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    _copy(files(plugin.module), copy)
    return copy


def _copy(source: Traversable, folder: Path) -> None:
    for entry in source.iterdir():
        target = folder / entry.name
        if entry.is_dir():
            target.mkdir()
            _copy(entry, target)
        else:
            target.write_bytes(entry.read_bytes())
