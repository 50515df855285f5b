"""The bot in a folder: what its manifest, or otherwise its language, says of how it is built and started."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from referee import languages
from referee.bots.bot import Bot, Unbuilt
from referee.bots.manifest import MANIFEST, Manifest, manifest_of
from referee.bots.plain import plain, why_none
from referee.bots.programs import own_program
from referee.bots.sources import chosen, misnamed, sources, top
from referee.bots.starting import command, environment, sdk_for
from referee.errors import BotError
from referee.languages import Command, Language, NoRecipeError, Recipe, Sdk
from referee.sandbox.runtimes import base_python
from referee.text.words import shorten

_SDK: Final = "{sdk}"
"""Stands for the SDK's folder in a manifest's build commands."""


def bot_in(path: Path, word: str, *, unpacked: Path | None = None) -> Bot:
    """The bot in a folder; `unpacked`: see `why_none`."""
    file = path / MANIFEST
    bare = not os.path.lexists(file)
    manifest = plain(path) if bare else manifest_of(file)
    if manifest is None:
        raise BotError(why_none(path, unpacked=unpacked))
    if manifest.program is not None:
        if not os.path.isfile(path / manifest.program):
            raise BotError(f"{file}: program names {shorten(manifest.program)}, which is not in the folder")
        return replace(
            own_program(path / manifest.program, str(path / manifest.program)), name=manifest.name, cwd=path.resolve()
        )
    language = languages.find(manifest.language) if manifest.language is not None else None
    # The folder keeps its given name: the sandbox refuses a link, which may lead into somebody else's folder.
    named, folder = Path(os.path.abspath(path)), path.resolve()
    files = chosen(named, manifest.files) if manifest.files is not None else None
    if manifest.files is not None and not files:
        raise BotError(f"{file}: files: no file in the folder matches {shorten(', '.join(manifest.files), 80)}")
    sdk = sdk_for(language) if language is not None else None
    own_files = files or top(folder)
    try:
        recipe = _recipe(manifest, language, own_files, sdk)
    except NoRecipeError as wrong:
        hint = misnamed(own_files, language) if language is not None else None
        where = f"the folder {path} has no {MANIFEST}" if bare else str(file)
        raise BotError(f"{where}: {hint or wrong}") from None
    bot = Bot(
        manifest.name,
        list(recipe.run),
        named,
        environment(),
        files,
        language=language,
        games=manifest.games,
        lifetime=manifest.lifetime,
    )
    bot = startable(bot, recipe, sdk, folder, word)
    start, *args = bot.argv
    is_script = start == str(base_python()) and bool(args) and args[0].endswith(".py")
    if bot.unbuilt is None and is_script and not (folder / args[0]).is_file():
        raise BotError(f"{file}: run names {shorten(args[0])}, which is not in the folder")
    return bot


def startable(bot: Bot, recipe: Recipe, sdk: Sdk | None, folder: Path, word: str) -> Bot:
    """The bot with the steps of its build, or with its whole command line if nothing is built."""
    if recipe.build:
        return replace(bot, unbuilt=Unbuilt(recipe.build, recipe.run, recipe.env, Path(sdk.folder) if sdk else None))
    return replace(bot, argv=command(recipe.run, folder, word))


def _recipe(manifest: Manifest, language: Language | None, files: Mapping[str, Path], sdk: Sdk | None) -> Recipe:
    """How a bot is built and started: as its manifest says, and otherwise as its language does.

    Only the parts that are needed are asked of the language: the others may need sources that do not exist.
    """
    build = None if manifest.build is None else _with_sdk(manifest.build, sdk)
    run = None if manifest.run is None else tuple(manifest.run)
    if language is None:
        assert run is not None  # by `Manifest`
        return Recipe(build or (), run)
    texts = sources(language, files, sdk) if build is None or run is None else {}
    return language.recipe(texts, sdk, build=build, run=run)


def _with_sdk(build: Sequence[Sequence[str]], sdk: Sdk | None) -> tuple[Command, ...]:
    """Build commands with the SDK's folder in them."""
    if sdk is None and any(_SDK in word for words in build for word in words):
        fits = ", ".join(language.name for language in languages.every() if language.sdk)
        raise NoRecipeError(f"build: `{_SDK}` needs a language with an SDK: add `language`, one of {fits}")
    return tuple(tuple(word.replace(_SDK, sdk.folder) if sdk else word for word in words) for words in build)
