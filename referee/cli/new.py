"""`referee new`: writes a first bot into a new folder, from the starter kit of its language, or packs the kit of a contest."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from referee.cli.options import GameName, Output
from referee.errors import UsageError
from referee.text.words import shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.contract.game import Game
    from referee.languages import Tool

RIVALS: Final = 2
"""The number of sample bots, the weakest ones, in the first match; more if the game needs more players."""


def new(
    language: Annotated[
        str | None, Parameter(help="The language; by default, all are listed with what this machine lacks.")
    ] = None,
    folder: Annotated[Path | None, Parameter(help="A new folder for the bot.")] = None,
    /,
    *,
    game: GameName = None,
    name: Annotated[
        str | None,
        Parameter(
            help="The bot's name: at most 32 letters A-Z and a-z, digits, blanks and marks such as - _ . + #; default: the "
            "folder's name, without other characters."
        ),
    ] = None,
    kit: Annotated[
        str | None,
        Parameter(
            help="A game: pack what the people of a contest need for it into the ZIP file of -o: its rules, the SDKs, all "
            "starter kits, sample bots, and how to run them."
        ),
    ] = None,
    output: Annotated[Output | None, Parameter(help="The ZIP file to write, with --kit.")] = None,
) -> None:
    """Write a first bot: a folder with a manifest, a commented source file that plays sensibly, and a page on how to go on.

    Nothing is overwritten: the folder must be new or empty.
    """
    from referee import games
    from referee.bots import starter
    from referee.files.reading import at_home

    if kit is not None or output is not None:
        if kit is None or output is None or any(other is not None for other in (language, folder, game, name)):
            raise UsageError("a contest's kit is for all languages: write referee new --kit GAME -o FILE.zip")
        from referee.cli import contest_kit
        from referee.cli.narrator import narrate_renamed
        from referee.files.claims import write_new

        contest, path = games.find(kit), at_home(output)
        narrate_renamed(write_new(path, contest_kit.pack(contest)))
        print(f"{shorten(str(path))}: a kit for {contest.title}; begin with its README.md")
        return
    rules = games.find(game)
    if language is None:
        if name is not None:
            raise UsageError("--name names a new bot: write referee new LANGUAGE FOLDER")
        _list(rules)
        return
    template = starter.kit(language, rules.name)
    if folder is None:
        raise UsageError(f"the bot needs a folder: write referee new {shlex.quote(language)} FOLDER")
    folder = at_home(folder)
    bot_name = starter.name_for(folder) if name is None else starter.check_name(name)
    files = starter.write(template, folder, bot_name)
    if name is None and bot_name != (own := Path(os.path.abspath(folder)).name):
        why = f"because {shorten(repr(own), 80)} is not a valid name; --name gives it another"
        print(f"the bot's name is {bot_name}, {why}")
    _tell(rules, language, folder, bot_name, files)


def _list(game: Game[Any, Any]) -> None:
    """List the languages with a starter kit, each with the programs that it needs or lacks."""
    from referee.bots import starter
    from referee.cli.again import game_words, program

    rows = [(name, starter.title(name), starter.tools(name, game.name)) for name in starter.languages_for(game.name)]
    if not rows:
        print(f"no language has a starter kit for {game.name}; referee rules {game.name} prints its protocol")
        return
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, title, tools in rows:
        state = needs(tools) or " and ".join(tool.program for tool in tools) or "nothing: the referee runs it itself"
        print(f"{name:<{widths[0]}}  {title:<{widths[1]}}  {state}")
    print(f"\nwrite a first bot: {' '.join([program(), 'new LANGUAGE FOLDER', *game_words(game)])}")


def _tell(game: Game[Any, Any], language: str, folder: Path, name: str, files: list[Path]) -> None:
    """Print what was written, what this machine lacks for it, and what to do next."""
    from referee import bots
    from referee.bots import starter
    from referee.cli.again import command, game_words

    title = starter.title(language)
    print(f"{shorten(str(folder))}: {name}, a bot in {title}")
    for path in files:
        print(f"  {path.relative_to(folder)}")
    if lacks := needs(starter.tools(language, game.name)):
        print(f"{title} {lacks}")
    rivals = bots.samples(game.name, own_runtime=True)[-max(RIVALS, game.seats.start - 1) :]
    print("next:")
    print(f"  {command('play', str(folder), *rivals, *game_words(game))}")
    print(f"  {command('check', str(folder), *game_words(game))}")


def needs(tools: Sequence[Tool]) -> str:
    """What to install for a bot that needs these tools; empty if nothing."""
    missing = [tool for tool in tools if not any(map(shutil.which, tool.programs))]
    if not missing:
        return ""
    programs = " and ".join(tool.program for tool in missing)
    packages = " ".join(dict.fromkeys(tool.package for tool in missing))
    return f"needs {programs}: sudo apt install {packages}"
