"""Finds the bot that a user names."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from referee import languages
from referee.bots import sources as looking
from referee.bots.bot import Bot, Unbuilt
from referee.bots.lineup import asks_for_the_house, of_the_house, refuse_person, told_apart
from referee.bots.manifest import MANIFEST, Manifest, manifest_of
from referee.bots.plain import SCRIPT, innermost, plain, shell_of, why_none
from referee.bots.programs import is_own_program, own_program, suffixes
from referee.bots.starting import environment, missing, program, sdk_for
from referee.contract.game import Game
from referee.errors import BotError
from referee.files import assets
from referee.languages import Command, Language, NoRecipeError, Recipe, Sdk
from referee.sandbox.runtimes import base_python
from referee.text.words import did_you_mean, harmless, shorten

_RENAMED: Final = re.compile(r"([^=/\\:]{1,60})=(.+)", re.DOTALL)
_SDK: Final = "{sdk}"
"""Stands for the SDK's folder in a manifest's build commands."""


def named(word: str, game: Game[Any, Any], seat: int, rng_seed: int) -> Bot:
    """The bot, or the player of the house, that a user's word means.

    Raises:
        BotError: there is no such bot, or it cannot play. UsageError: a file that the word names cannot be used.
    """
    is_house, name = asks_for_the_house(word, game)
    return of_the_house(game, seat, rng_seed, name) if is_house else find(word)


def find_all(given: Sequence[str]) -> list[Bot]:
    """The bots of a command line. A bot that is named twice becomes `name`, `name#2`, …

    Raises:
        BotError: one of them is not a bot, or has no program to start.
    """
    return told_apart(map(find, given))


def find(given: str) -> Bot:
    """One bot as a user names it. `Bot.unbuilt` says whether it must be built first.

    Raises:
        BotError: it is not a bot, or has no program to start. UsageError: it is a person.
    """
    try:
        return _find(given)
    except OSError as failed:  # a name that is too long, a folder that may not be entered
        raise BotError(f"the bot {shorten(repr(given))} cannot be examined: {failed.strerror or failed}") from None
    except RuntimeError:
        raise BotError(
            f"the bot {shorten(repr(given))}: there is no such user; to name a file, write ./~NAME"
        ) from None


def samples(game: str | None = None, *, own_runtime: bool = False) -> list[str]:
    """The names of the sample bots for a game (None: for any), the strongest first.

    Args:
        own_runtime: only bots that need no compiler and no interpreter but the referee's own.
    """
    found = []
    for path in assets.folder("bots").glob(f"*/{MANIFEST}"):
        manifest = manifest_of(path)
        if (game is None or game in manifest.games) and (not own_runtime or _is_own_runtime(manifest)):
            found.append((-manifest.strength, path.parent.name))
    return [name for _, name in sorted(found)]


def samples_by_name(game: str) -> dict[str, str]:
    """The sample bots for a game whose languages are installed: by their names in saved games, the words that find them."""
    found = {}
    for sample in samples(game):
        with suppress(BotError):  # its language is not installed
            found[find(sample).name] = sample
    return found


def _is_own_runtime(manifest: Manifest) -> bool:
    if manifest.program is not None:
        return True
    by_table = manifest.language == "python" if manifest.run is None else manifest.run[0] in {"python", "python3"}
    return by_table and not manifest.build


def name_in(given: str) -> tuple[str | None, str]:
    """The name in `NAME=BOT`, or None, and the rest."""
    renamed = None if given.startswith("cmd:") or Path(given).exists() else _RENAMED.fullmatch(given)
    return (renamed[1], renamed[2]) if renamed else (None, given)


def _find(given: str) -> Bot:
    name, text = name_in(given)
    if text.startswith("cmd:"):
        bot = _command(text)
    elif text and (path := _place(text)).is_dir():
        bot = _folder(path, text)
    elif text and path.is_file():
        bot = _zip(path, text) if is_zip(path) else _file(path, text)
    elif text and path.is_symlink():
        raise BotError(f"the bot {shorten(repr(text))} is a link that leads nowhere: name the file itself")
    else:
        refuse_person(text)
        raise BotError(
            f"there is no bot {shorten(repr(text))}{did_you_mean(text, samples())}: name a folder with {MANIFEST}, a ZIP file "
            f"of one, a source file ({_suffixes()}), cmd:'PROGRAM ARGS' or a sample bot ({', '.join(samples())})"
        )
    return replace(bot, name=harmless(name or bot.name), given=name is not None)


def _suffixes() -> str:
    return " ".join([*languages.suffixes(), *suffixes(), SCRIPT])


def _place(text: str) -> Path:
    path = Path(text).expanduser()
    if not path.exists() and re.fullmatch(r"[a-z0-9_-]+", text):
        return assets.folder("bots") / text
    return path


def _command(text: str) -> Bot:
    try:
        argv = shlex.split(text.removeprefix("cmd:"))
    except ValueError as wrong:
        raise BotError(f"{text!r} cannot be split into words ({wrong}): check its quotes") from None
    if not argv:
        raise BotError("cmd: does not name a program: write cmd:'PROGRAM ARGS'")
    return _started(argv, text)


def _started(argv: Sequence[str], text: str) -> Bot:
    """A program as the command line names it."""
    here = Path.cwd()
    start = _on_path(argv[0], text) if "/" not in argv[0] else program(argv[0], here, text)
    own = "/" in argv[0] and shutil.which(Path(start).name) != start
    files = dict(_named_files([start] if own else [], here)) | dict(_named_files(argv[1:], here))
    return Bot(_called(argv, here), [start, *argv[1:]], here, environment(), files, trusted=True)


def _called(argv: Sequence[str], here: Path) -> str:
    """The name of a bot that is a command: the script's if a known interpreter runs one, otherwise the program's."""
    own = Path(argv[0]).name
    scripts = (word for word in argv[1:] if (here / word).is_file()) if languages.is_interpreter(own) else iter(())
    return next((Path(word).stem for word in scripts), own)


def _on_path(name: str, text: str) -> str:
    # On the command line, `python3` means the one on PATH.
    if (found := shutil.which(name)) is None:
        raise missing(f"bot {shorten(text)}", name)
    return found


def _named_files(words: Sequence[str], here: Path) -> Iterator[tuple[str, Path]]:
    """The files that these words name, also as `a:b`: they belong to the bot. A folder includes everything in it.

    The names are relative to `here`; a file elsewhere has its last name only.
    """
    for word in (part for whole in words for part in dict.fromkeys([whole, *whole.split(":")])):
        path = here / word
        if path.is_file():
            inside = path.is_relative_to(here) and ".." not in path.parts
            yield str(path.relative_to(here)) if inside else path.name, path.resolve()
        elif word and path != here and path.is_relative_to(here) and ".." not in path.parts and path.is_dir():
            found = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
            for inner in islice(found, looking.FILES):
                yield str(inner.relative_to(here)), inner


def _folder(path: Path, given: str, *, unpacked: Path | None = None) -> Bot:
    """A bot in a folder; `unpacked`: see `why_none`."""
    place = path / MANIFEST
    bare = not os.path.lexists(place)
    manifest = plain(path) if bare else manifest_of(place)
    if manifest is None:
        raise BotError(why_none(path, unpacked=unpacked))
    if manifest.program is not None:
        return replace(
            own_program(path / manifest.program, str(path / manifest.program)), name=manifest.name, cwd=path.resolve()
        )
    language = languages.find(manifest.language) if manifest.language is not None else None
    # The folder keeps its given name: the sandbox refuses a link, which may lead into somebody else's folder.
    named, folder = Path(os.path.abspath(path)), path.resolve()
    files = looking.chosen(named, manifest.files) if manifest.files is not None else None
    if manifest.files is not None and not files:
        raise BotError(f"{place}: files: no file in the folder matches {shorten(', '.join(manifest.files), 80)}")
    sdk = sdk_for(language) if language is not None else None
    taken = files or looking.top(folder)
    try:
        build, run, env = _commands(manifest, language, taken, sdk)
    except NoRecipeError as wrong:
        hint = looking.misnamed(taken, language) if language is not None else None
        where = f"the folder {path} has no {MANIFEST}" if bare else str(place)
        raise BotError(f"{where}: {hint or wrong}") from None
    bot = Bot(
        manifest.name,
        list(run),
        named,
        environment(),
        files,
        language=language,
        games=manifest.games,
        lifetime=manifest.lifetime,
    )
    if build:
        return replace(bot, unbuilt=Unbuilt(build, run, env, _place_of(sdk)))
    start = program(run[0], folder, given)
    if start == str(base_python()) and len(run) > 1 and run[1].endswith(".py") and not (folder / run[1]).is_file():
        raise BotError(f"{place}: run names {shorten(run[1])}, which is not in the folder")
    return replace(bot, argv=[start, *run[1:]])


def is_zip(path: Path) -> bool:
    """Whether a file is a bot in a ZIP file, by its suffix."""
    return path.suffix.lower() == ".zip"


def _zip(path: Path, given: str) -> Bot:
    """A bot in a ZIP file, without the folders around it. Unless its manifest names it, it has the name of the ZIP file."""
    from referee.bots.zips import unpacked  # most command lines name none

    place = unpacked(path, given)
    folder = innermost(place)
    try:
        bot = _folder(folder, given, unpacked=place)
    except BotError as wrong:
        wrong.args = (str(wrong).replace(str(place), shorten(given)),)  # the user does not know the place
        raise
    return bot if (folder / MANIFEST).exists() else replace(bot, name=shorten(path.stem, 60))


def _place_of(sdk: Sdk | None) -> Path | None:
    return Path(sdk.folder) if sdk is not None else None


def _commands(
    manifest: Manifest, language: Language | None, files: Mapping[str, Path], sdk: Sdk | None
) -> tuple[tuple[Command, ...], Command, Mapping[str, str]]:
    """Build commands, run command and variables for the build, from the manifest or its language."""
    build = manifest.build if manifest.build is not None or language is not None else []
    run, env = manifest.run, dict(language.env or {}) if language is not None else {}
    recipe = _parts(language, files, sdk, build is None, run is None) if language is not None else None
    if build is not None:
        place = sdk.folder if sdk is not None else None
        if place is None and any(_SDK in word for words in build for word in words):
            fits = ", ".join(one.name for one in languages.every() if one.sdk)
            raise NoRecipeError(f"build: `{_SDK}` needs a language with an SDK: add `language`, one of {fits}")
        made = tuple(tuple(word.replace(_SDK, place) if place else word for word in words) for words in build)
    else:
        assert recipe is not None
        made = recipe.build
    if run is not None:
        return made, tuple(run), env
    assert recipe is not None
    return made, recipe.run, env


def _parts(language: Language, files: Mapping[str, Path], sdk: Sdk | None, build: bool, run: bool) -> Recipe:
    """The requested parts of a language's recipe. The others may need sources that do not exist."""
    found = looking.sources(language, files, sdk) if build or run else {}
    return Recipe(language.builds(found, sdk) if build else (), language.runs(found, sdk) if run else (), {})


def _file(path: Path, given: str) -> Bot:
    """A bot that is a source file, a shell script, or a program."""
    name, text = path.stem, str(path)
    language = languages.by_suffix(path)
    if path.suffix == SCRIPT:
        path = path.resolve()
        start = program(shell_of(path), path.parent, given)
        return Bot(name, [start, path.name], path.parent, environment(), {path.name: path}, trusted=True)
    if language is None:
        if is_own_program(path):
            return own_program(path, given, follow=True)
        if not os.access(path, os.X_OK):
            if hint := looking.misnamed([path.name]):
                raise BotError(f"{shorten(given)}: {hint}")
            raise BotError(
                f"{shorten(given)} is neither a source file ({_suffixes()}) nor a program: run chmod +x on "
                f"it, or write cmd:'INTERPRETER {shlex.quote(given)}'"
            )
        return _started([text if "/" in text else f"./{text}"], given)
    path = path.resolve()
    sdk = sdk_for(language)
    files = {path.name: path}
    try:
        recipe = language.recipe(looking.sources(language, files, sdk), sdk)
    except NoRecipeError as wrong:
        raise BotError(f"{shorten(given)}: {wrong}") from None
    bot = Bot(
        name,
        list(recipe.run),
        path.parent,
        environment(),
        files,
        trusted=True,
        language=language,
    )
    if recipe.build:
        return replace(bot, unbuilt=Unbuilt(recipe.build, recipe.run, recipe.env, _place_of(sdk)))
    return replace(bot, argv=[program(recipe.run[0], path.parent, given), *recipe.run[1:]])
