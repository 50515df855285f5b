"""`referee new`: a first bot in a new folder, from the starter kit of its language."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from referee.cli.options import GameName
from referee.errors import UsageError
from referee.names import shorten

if TYPE_CHECKING:
    from referee.game import Game
    from referee.languages import Language

RIVALS: Final = 2
"""Sample bots that a first match is played against, the weakest."""


def new(
    language: Annotated[
        str | None, Parameter(help="The language; without one, all are listed, with what this machine has of them.")
    ] = None,
    folder: Annotated[Path | None, Parameter(help="A new folder, which the bot is written into.")] = None,
    /,
    *,
    game: GameName = None,
    name: Annotated[
        str | None,
        Parameter(
            help="The bot's name, at most 32 letters A-Z and a-z, digits, blanks and marks such as - _ . + #; default: the "
            "folder's, as far as it fits."
        ),
    ] = None,
) -> int:
    """Write a first bot: a folder with a manifest, one commented source file that plays sensibly, and what to do next.

    Nothing is overwritten: the folder must be new, or empty. Without a language the languages are listed.
    """
    from referee import games, starter

    found = games.find(game)
    if language is None:
        if name is not None:
            raise UsageError("--name is the name of a new bot: write referee new LANGUAGE FOLDER")
        _list(found.name)
        return 0
    kit = starter.kit(language, found.name)
    if folder is None:
        raise UsageError(f"the bot needs a folder: write referee new {shlex.quote(language)} FOLDER")
    folder = folder.expanduser()
    named = starter.name_for(folder) if name is None else starter.check_name(name)
    written = starter.write(kit, folder, named)
    if name is None and named != (own := Path(os.path.abspath(folder)).name):
        print(f"the bot's name is {named}: its folder's, {shorten(own, 80)!r}, cannot be one; --name gives it another")
    _tell(found, language, folder, named, written)
    return 0


def _list(game: str) -> None:
    """The languages that have a kit, each with the programs that it needs and what is not here."""
    from referee import languages, starter
    from referee.cli.closing import program

    rows = [(language, languages.find(language)) for language in starter.languages_for(game)]
    if not rows:
        print(f"no language has a starter kit for {game}; referee rules {game} tells its protocol")
        return
    widths = [max(len(name) for name, _ in rows), max(len(language.title) for _, language in rows)]
    for name, language in rows:
        state = needs(language) or " and ".join(tool.program for tool in language.tools)
        print(f"{name:<{widths[0]}}  {language.title:<{widths[1]}}  {state}")
    print(f"\nwrite a first bot: {program()} new LANGUAGE FOLDER")


def _tell(game: Game[Any, Any], language: str, folder: Path, name: str, written: list[Path]) -> None:
    """What was written, what this machine lacks for it, and how to go on."""
    from referee import bots, languages
    from referee.cli.closing import program

    title = languages.find(language).title
    print(f"{shorten(str(folder))}: {name}, a bot in {title}")
    for path in written:
        print(f"  {path.relative_to(folder)}")
    if lacks := needs(languages.find(language)):
        print(f"{title} {lacks}")
    called = f"./{folder}" if str(folder).startswith(("cmd:", "~", "-")) else str(folder)  # else it would mean another
    which = [] if game.main else [f"--game={game.name}"]
    rivals = bots.samples(game.name, own_runtime=True)[-RIVALS:]
    print("next:")
    print(f"  {shlex.join([program(), 'play', called, *rivals, *which])}")
    print(f"  {shlex.join([program(), 'check', called, *which])}")


def needs(language: Language) -> str:
    """What to install before a bot in this language can be built and played; empty when all is here."""
    missing = [tool for tool in language.tools if not any(map(shutil.which, tool.programs))]
    if not missing:
        return ""
    programs = " and ".join(tool.program for tool in missing)
    packages = " ".join(dict.fromkeys(tool.package for tool in missing))
    return f"needs {programs}: sudo apt install {packages}"
