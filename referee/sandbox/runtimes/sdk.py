"""The SDK of a language that reads it while a bot plays: it is shown in the cell, and the language's variable names its folder.

The referee sets the variable (`Program.env`). In a cell of level full its folders are at `/sdk/…`; at other levels they stay
where they are.
"""

from __future__ import annotations

import os
from pathlib import Path

from referee.sandbox.program import FOLDER
from referee.sandbox.runtimes.bot_files import BotFiles


def sdk_binds(bot: BotFiles, variable: str, path: str) -> tuple[list[tuple[Path, str]], dict[str, str]]:
    """The folders in a variable of the program, as binds, and the variable's value in the cell.

    Args:
        variable: the name of a variable, such as PYTHONPATH. path: the path of the first folder in a cell of level full; the
            others are numbered from 2.
    """
    binds: list[tuple[Path, str]] = []
    for text in filter(None, bot.program.env.get(variable, "").split(os.pathsep)):
        inside = text if bot.folder != FOLDER else path if not binds else f"{path}{len(binds) + 1}"
        if (folder := Path(text)).is_absolute() and os.path.exists(folder):
            binds.append((folder.resolve(), inside))
    return binds, {variable: os.pathsep.join(inside for _, inside in binds)} if binds else {}
