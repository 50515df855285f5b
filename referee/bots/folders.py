"""The bot in a folder: what its manifest, or otherwise its language or its files, say of how it is built and started.

1. The files at the top of a folder without a manifest decide. If all sources are in one language, they are the bot. Without any
   source, the only program in a game's own language, or else the only shell script, is the bot. Beside sources, scripts are tools
   of their author.
2. Nothing is guessed. If several files could be the bot, or the sources are deeper, the message says what to do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final

from referee import languages
from referee.bots.bot import Bot, Unbuilt
from referee.bots.manifest import EXAMPLES, MANIFEST, Manifest, manifest_of
from referee.bots.programs import is_own_program, own_program
from referee.bots.sources import languages_of, matching_files, sources, suffix_hint, top, walk
from referee.bots.starting import command, environment, sdk_for
from referee.errors import BotError
from referee.files.reading import head
from referee.languages import Command, Language, NoRecipeError, Recipe, Sdk, by_suffix
from referee.sandbox.runtimes import base_python
from referee.text.strict import read
from referee.text.words import shorten

SCRIPT: Final = ".sh"
"""The suffix of shell scripts."""
_LINE: Final = 100
"""Bytes of a script in which its first line may name bash."""
_SDK: Final = "{sdk}"
"""Stands for the SDK's folder in a manifest's build commands."""


def bot_in(path: Path, word: str) -> Bot:
    """The bot in a folder."""
    file = path / MANIFEST
    bare = not os.path.lexists(file)
    manifest = plain(path) if bare else manifest_of(file)
    if manifest is None:
        raise BotError(why_none(path))
    if manifest.program is not None:
        program = path / manifest.program
        return replace(own_program(program, str(program)), name=manifest.name, cwd=path.resolve())
    language = languages.find(manifest.language) if manifest.language is not None else None
    # The folder keeps its given name: the sandbox refuses a link, which may lead into somebody else's folder.
    named, folder = Path(os.path.abspath(path)), path.resolve()
    files = matching_files(named, manifest.files) if manifest.files is not None else None
    if manifest.files is not None and not files:
        raise BotError(f"{file}: files: no file in the folder matches {shorten(', '.join(manifest.files), 80)}")
    sdk = sdk_for(language) if language is not None else None
    own_files = files or top(folder)
    try:
        recipe = _recipe(manifest, language, own_files, sdk)
    except NoRecipeError as wrong:
        where = f"the folder {path} has no {MANIFEST}" if bare else str(file)
        raise BotError(f"{where}: {wrong}") from None
    bot = Bot(
        manifest.name, list(recipe.run), named, environment(), files,
        language=language, games=manifest.games, lifetime=manifest.lifetime,
    )  # fmt: skip
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


def shell_of(script: Path) -> str:
    """The program that runs a shell script: `bash` if its first line names it, otherwise `sh`."""
    first = b""
    with suppress(OSError):  # reported when it is started
        first = (head(script, _LINE) or b"").partition(b"\n")[0]
    return "bash" if first.startswith(b"#!") and b"bash" in first else "sh"


def plain(folder: Path) -> Manifest | None:
    """The manifest of a folder that has none: a bot with the folder's name (theory, point 1); None if it is no bot.

    Raises:
        BotError: the name of its program cannot be used.
    """
    files = top(folder)
    spoken, lone = languages_of(files), _lone(files)
    start: dict[str, object]
    if len(spoken) == 1:
        start = {"language": spoken[0].name}
    elif spoken or len(lone) != 1:
        return None
    elif is_own_program(files[lone[0]]):
        start = {"program": lone[0]}
    else:
        start = {"run": [shell_of(files[lone[0]]), lone[0]]}
    return read(Manifest, {"name": shorten(folder.resolve().name, 60), **start}, BotError)


def _lone(files: Iterable[str]) -> list[str]:
    """The programs in a game's own language at the top of a folder; without any, the shell scripts."""
    names = sorted(files)
    own = [name for name in names if is_own_program(PurePath(name))]
    return own or [name for name in names if PurePath(name).suffix == SCRIPT]


def why_none(folder: Path) -> str:
    """Why a folder without a manifest is no bot, and what to do."""
    names: list[str] = []
    with suppress(OSError):  # reported when it is started
        names = sorted(top(folder))
    spoken, lone = languages_of(names), _lone(names)
    none = f"the folder {folder} has no {MANIFEST}"
    if len(spoken) > 1:
        titles = " and ".join(language.title for language in spoken[:3])
        return f"{none}, and its sources are in {titles}: write one with a {_example(spoken[0].name)}"
    if not spoken and len(lone) > 1:
        files = ", ".join(shorten(name, 60) for name in lone[:4])
        return f"{none}, and {files} could each be the bot: leave only one there"
    if not spoken and (hint := suffix_hint(names)) is not None:
        return f"{none}: {hint}"
    if not spoken and (inner := nested_bot(folder)) is not None:
        return f"{none}, and {shorten(inner.name, 60)} lies in {shorten(str(folder / inner.parent))}: name or zip that folder"
    if not names:
        return f"{none} and no other file: put the source of the bot there"
    if not spoken and (archive := next((name for name in names if name.lower().endswith(".zip")), None)) is not None:
        return f"{none}, and {shorten(archive, 60)} in it is a ZIP file: use that file"
    return f"{none}: write one with a {_example(spoken[0].name if spoken else 'python')}"


def _example(language: str) -> str:
    return f'`{EXAMPLES["name"]}` and `language = "{language}"`'


def nested_bot(folder: Path) -> PurePath | None:
    """The path of the manifest or source below a folder that is the least deep; without any, a script."""
    paths = (PurePath(name) for name, _ in walk(folder) if "/" in name)
    shown = (path for path in paths if not any(part.startswith((".", "__")) for part in path.parts))
    return min(filter(is_meant, shown), key=lambda path: (path.suffix == SCRIPT, len(path.parts), path), default=None)


def is_meant(path: PurePath) -> bool:
    """Whether a file is a manifest, or a source, a program or a script by its suffix."""
    return path.name == MANIFEST or by_suffix(path) is not None or path.suffix == SCRIPT or is_own_program(path)


def innermost(folder: Path) -> Path:
    """A folder, without the folders around it that hold nothing else."""
    while True:
        with os.scandir(folder) as entries:
            inside = [entry for _, entry in zip(range(2), entries, strict=False)]
        if len(inside) != 1 or not inside[0].is_dir(follow_symlinks=False):
            return folder
        folder = Path(inside[0].path)
