"""Finds the bot that a user names."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from referee import languages
from referee.bots.bot import Bot
from referee.bots.folders import SCRIPT, bot_in, innermost, shell_of, startable
from referee.bots.manifest import MANIFEST, Manifest, manifest_of
from referee.bots.match_bots import HUMAN, name_in, names_the_house, of_the_house, refuse_person, with_distinct_names
from referee.bots.programs import is_own_program, own_program, suffixes
from referee.bots.sources import FILES, sources, suffix_hint
from referee.bots.starting import environment, missing_program, program, sdk_for
from referee.contract.game import Game
from referee.errors import BotError
from referee.files import assets
from referee.languages import Language, NoRecipeError
from referee.sandbox.runtimes import is_of_machine
from referee.text.words import did_you_mean, harmless, shorten

_SAMPLE: Final = re.compile(r"[a-z0-9_-]+")


def bot_of_word(word: str, game: Game[Any, Any], seat: int, rng_seed: int) -> Bot:
    """The bot, or the player of the house, that a user's word means.

    Raises:
        BotError: there is no such bot, or it cannot play. UsageError: a file that the word names cannot be used.
    """
    if names_the_house(word, game):
        return of_the_house(game, seat, rng_seed, name_in(word)[0])
    return find(word, game.name)


def find_all(words: Sequence[str]) -> list[Bot]:
    """The bots of a command line. A bot that is named twice becomes `name`, `name#2`, …

    Raises:
        BotError: one of them is not a bot, or has no program to start.
    """
    return with_distinct_names(map(find, words))


def find(word: str, game: str | None = None) -> Bot:
    """One bot as a user names it. `Bot.unbuilt` says whether it must be built first.

    Args:
        game: the name of the game that is played, if it is known. Its sample bots come before others of the same name.

    Raises:
        BotError: it is not a bot, or has no program to start. UsageError: it is a person.
    """
    try:
        name, text = name_in(word)
        bot = _bot_of(text, game)
        return replace(bot, name=harmless(name or bot.name), given=name is not None)
    except OSError as failed:  # a name that is too long, a folder that may not be entered
        raise BotError(f"the bot {shorten(repr(word))} cannot be examined: {failed.strerror or failed}") from None


def names_a_bot(word: str) -> bool:
    """Whether a word names a bot, even one that cannot play."""
    _, rest = name_in(word)
    return rest != HUMAN and (os.path.exists(os.path.expanduser(rest)) or sample(rest) is not None)


def sample(word: str, game: str | None = None) -> Path | None:
    """The folder of the sample bot that a word names; None if it names none.

    Args:
        game: as `find` has it. The referee's own bots come next, then those of other games.
    """
    if not _SAMPLE.fullmatch(word):
        return None
    homes = chain(assets.samples(game) if game is not None else (), assets.samples())
    # pathlib's own would fail if the word is too long for a name.
    return next((home / word for home in homes if os.path.isfile(home / word / MANIFEST)), None)


def samples(game: str | None = None, *, own_runtime: bool = False) -> list[str]:
    """The names of the sample bots for a game (None: for any), the strongest first.

    Args:
        own_runtime: only bots that need no compiler and no interpreter but the referee's own.
    """
    by_strength = dict[str, float]()
    for home in assets.samples(game):
        for path in home.glob(f"*/{MANIFEST}"):
            manifest = manifest_of(path)
            if (game is None or game in manifest.games) and (not own_runtime or _is_own_runtime(manifest)):
                by_strength.setdefault(path.parent.name, manifest.strength)
    return sorted(by_strength, key=lambda name: (-by_strength[name], name))


def samples_by_name(game: str) -> dict[str, str]:
    """The sample bots for a game whose languages are installed: by their names in saved games, the words that find them."""
    words = {}
    for sample in samples(game):
        with suppress(BotError):  # its language is not installed
            words[find(sample, game).name] = sample
    return words


def _is_own_runtime(manifest: Manifest) -> bool:
    if manifest.program is not None:
        return True
    by_table = manifest.language == "python" if manifest.run is None else manifest.run[0] in {"python", "python3"}
    return by_table and not manifest.build


def is_zip(path: Path) -> bool:
    """Whether a file is a bot in a ZIP file, by its suffix."""
    return path.suffix.lower() == ".zip"


def _bot_of(text: str, game: str | None) -> Bot:
    """The bot of a word without a name."""
    if text.startswith("cmd:"):  # first, because a command may be longer than any path
        return _command(text)
    path = Path(os.path.expanduser(text))  # pathlib's own would fail for a user that does not exist
    if not path.exists() and (folder := sample(text, game)) is not None:
        return bot_in(folder, text)
    if text and path.is_dir():
        return bot_in(path, text)
    if not path.is_file():
        raise _no_bot(text, game)
    if is_zip(path):
        return _zip(path, text)
    if path.suffix == SCRIPT:
        return _script(path, text)
    if (language := languages.by_suffix(path)) is not None:
        return _source(path, language, text)
    return own_program(path, text, follow=True) if is_own_program(path) else _program(path, text)


def _command(text: str) -> Bot:
    """`cmd:PROGRAM ARGS`."""
    try:
        argv = shlex.split(text.removeprefix("cmd:"))
    except ValueError as wrong:
        raise BotError(f"{text!r} cannot be split into words ({wrong}): check its quotes") from None
    if not argv:
        raise BotError("cmd: does not name a program: write cmd:'PROGRAM ARGS'")
    return _program_bot(argv, text)


def _zip(path: Path, text: str) -> Bot:
    """A ZIP file of a folder, without the folders around it. Unless its manifest names it, it has the name of the ZIP file."""
    from referee.bots.zips import unzip  # most command lines name none

    root = unzip(path, text)
    folder = innermost(root)
    try:
        bot = bot_in(folder, text)
    except BotError as wrong:
        wrong.args = (str(wrong).replace(str(root), shorten(text)),)  # the user does not know where it is unpacked
        raise
    return bot if (folder / MANIFEST).exists() else replace(bot, name=shorten(path.stem, 60))


def _script(path: Path, text: str) -> Bot:
    """A shell script."""
    name, path = path.stem, path.resolve()
    start = program(shell_of(path), path.parent, text)
    return Bot(name, [start, path.name], path.parent, environment(), {path.name: path}, trusted=True)


def _source(path: Path, language: Language, text: str) -> Bot:
    """A source file in a known language."""
    name, path, sdk = path.stem, path.resolve(), sdk_for(language)
    files = {path.name: path}
    try:
        recipe = language.recipe(sources(language, files, sdk), sdk)
    except NoRecipeError as wrong:
        raise BotError(f"{shorten(text)}: {wrong}") from None
    games = _games_beside(path, language)
    bot = Bot(name, list(recipe.run), path.parent, environment(), files, trusted=True, language=language, games=games)
    return startable(bot, recipe, sdk, path.parent, text)


def _games_beside(path: Path, language: Language) -> Sequence[str]:
    """The games that a source file plays by the manifest beside it; empty if there is none in its language."""
    with suppress(BotError):
        manifest = manifest_of(path.parent / MANIFEST)
        return manifest.games if manifest.language == language.name else ()
    return ()


def _program(path: Path, text: str) -> Bot:
    """Any other file: a program of this machine."""
    if os.access(path, os.X_OK):
        return _program_bot([str(path) if "/" in str(path) else f"./{path}"], text)
    if hint := suffix_hint([path.name]):
        raise BotError(f"{shorten(text)}: {hint}")
    raise BotError(
        f"{shorten(text)} is neither a source file ({_suffixes()}) nor a program: run chmod +x on "
        f"it, or write cmd:'INTERPRETER {shlex.quote(text)}'"
    )


def _no_bot(text: str, game: str | None) -> BotError:
    """What is wrong with a word that names no bot. Raises: UsageError: it means a person."""
    refuse_person(text)
    names = samples(game)
    return BotError(
        f"there is no bot {shorten(repr(text))}{did_you_mean(text, names)}: name a folder with {MANIFEST}, a ZIP file "
        f"of one, a source file ({_suffixes()}), cmd:'PROGRAM ARGS' or a sample bot ({', '.join(names)})"
    )


def _suffixes() -> str:
    return " ".join([*languages.suffixes(), *suffixes(), SCRIPT])


def _program_bot(argv: Sequence[str], text: str) -> Bot:
    """A program as the command line names it."""
    cwd = Path.cwd()
    # On the command line, `python3` means the one on PATH.
    start = program(argv[0], cwd, text) if "/" in argv[0] else shutil.which(argv[0])
    if start is None:
        raise missing_program(f"bot {shorten(text)}", argv[0])
    own = [start] if "/" in argv[0] and not is_of_machine(Path(start), cwd) else []
    files = dict(_named_files([*own, *argv[1:]], cwd))
    return Bot(_command_name(argv, cwd), [start, *argv[1:]], cwd, environment(), files, trusted=True)


def _command_name(argv: Sequence[str], cwd: Path) -> str:
    """The name of a bot that is a command: the script's if a known interpreter runs one, otherwise the program's."""
    own = Path(argv[0]).name
    scripts = (word for word in argv[1:] if os.path.isfile(cwd / word)) if languages.is_interpreter(own) else iter(())
    return next((Path(word).stem for word in scripts), own)


def _named_files(words: Sequence[str], cwd: Path) -> Iterator[tuple[str, Path]]:
    """The files that these words name, also as `a:b`: they belong to the bot. A folder includes everything in it.

    The names are relative to `cwd`; a file elsewhere has its last name only. pathlib's tests would fail if a word is too long
    for a path.
    """
    for word in (part for whole in words for part in dict.fromkeys([whole, *whole.split(":")])):
        path = cwd / word
        inside = path.is_relative_to(cwd) and ".." not in path.parts
        if os.path.isfile(path):
            yield str(path.relative_to(cwd)) if inside else path.name, path.resolve()
        elif inside and path != cwd and os.path.isdir(path):
            inside_it = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
            for inner in islice(inside_it, FILES):
                yield str(inner.relative_to(cwd)), inner
