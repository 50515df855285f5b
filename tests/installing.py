"""Installs the project of a game into a folder on the path, as `pip install -e` would: without a network, and in no time.

`python installing.py SITE PROJECT` does it from a shell.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any


def install(site: Path, project: Path) -> None:
    """Install a project. Its packages are links to their folders."""
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    games = settings["entry-points"]["referee.games"]
    site.mkdir(exist_ok=True)
    for package in games.values():
        [folder] = [home / package for home in (project, project / "src") if (home / package).is_dir()]
        (site / package).symlink_to(folder.resolve())
    describe(site, settings["name"], settings["version"], games)


def describe(site: Path, name: str, version: str, games: dict[str, Any]) -> Path:
    """Write the metadata of a distribution with these games: names of packages by game. Returns their folder."""
    written = site / f"{name}-{version}.dist-info"
    written.mkdir()
    (written / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    entries = "".join(f"{game} = {package}\n" for game, package in games.items())
    (written / "entry_points.txt").write_text(f"[referee.games]\n{entries}")
    return written


if __name__ == "__main__":
    install(Path(sys.argv[1]), Path(sys.argv[2]))
