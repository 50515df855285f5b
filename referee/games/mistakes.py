"""Mistakes of games that other packages bring: an exception of theirs is no bug of the referee's own."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from traceback import extract_tb

from referee.errors import MISTAKE, GameError, leaves_of
from referee.files import plugins
from referee.files.plugins import PluginError
from referee.text.words import shorten


def mistake(failed: BaseException, where: str = "", consequence: str = "") -> GameError | None:
    """The error to report if code of an installed game raised this, or an object of it lacks an attribute; otherwise None.

    Args:
        where: in which step, if that is known. consequence: what became of the match.
    """
    for raised in leaves_of(failed):
        if isinstance(raised, KeyboardInterrupt):  # of the user, while code of the game ran
            continue
        for plugin in (plugin for same in plugins.installed_games().values() for plugin in same):
            with suppress(PluginError):
                if there := location(raised, plugin.folder):
                    what = f"{type(raised).__name__}: {shorten(str(raised))}".removesuffix(": ")
                    return GameError(f"{MISTAKE} {plugin.name} {plugin.version}{where}: {what} ({there}){consequence}")
    return None


def location(raised: BaseException, folder: Path) -> str:
    """Where in the code of the game in this folder it was raised: `tron/rules.py, line 12`; empty if elsewhere."""
    lacking = sys.modules.get(type(getattr(raised, "obj", None)).__module__)
    lines = [(line.filename, f", line {line.lineno}") for line in extract_tb(raised.__traceback__)]
    lines.insert(0, (getattr(lacking, "__file__", None) or "", ""))
    inside = [f"{file}{number}" for file, number in lines if file.startswith(f"{folder}/")]
    return inside[-1].removeprefix(f"{folder.parent}/") if inside else ""


def in_use() -> list[str]:
    """The installed games whose code was imported: what they returned can make the referee's own code raise."""
    return [
        name for name, same in plugins.installed_games().items() if any(plugin.module in sys.modules for plugin in same)
    ]
