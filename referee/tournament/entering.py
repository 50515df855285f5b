"""The bots that `tournament.toml` names. Nothing is built or written.

`entry_list.py` builds them and copies them (`copies.py`) when it is necessary.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee import bots
from referee.bots import Bot
from referee.contract.game import Game
from referee.errors import BotError, UsageError
from referee.files.reading import at_home
from referee.sandbox.runtimes import is_python
from referee.text.words import did_you_mean, harmless, numbered, shorten
from referee.tournament.copies import FILES, has_copy, load
from referee.tournament.field import Unready
from referee.tournament.hits import Hit, hits, holds_bots, without_surroundings
from referee.tournament.mistakes import Mistakes
from referee.tournament.model import ENTRANTS
from referee.tournament.roster import FILE as ROSTER
from referee.tournament.roster import roster, student_of
from referee.tournament.settings import FILE, BotEntry, Settings

_GLOB: Final = frozenset("*?[")


class Listed(NamedTuple):
    """A bot of the file, not built yet.

    Attributes:
        source: how the file names it. path: where its files are. content: of the copy that the file names instead of a path.
    """

    source: str
    bot: Bot
    seeding: int | None
    path: Path
    content: str | None = None


def list_bots(
    folder: Path,
    settings: Settings,
    game: Game[Any, Any],
    find: Callable[[str], Bot] = bots.find,
    load: Callable[[Path, str, str], Bot] = load,
) -> tuple[list[Listed], list[Unready]]:
    """The bots that the file names, in its order; equal names get a number. Nothing is built or written.

    Args:
        find, load: `bots.find` and `copies.load`, which may remember their results.

    Raises:
        UsageError: bots do not exist, or none has the name of the anchor; a line for each mistake names the file and the key.
    """
    names, sources = set[str](), set[str]()
    entries, unready = list[Listed](), list[Unready]()
    for word, (path, why, meant), name, seeding, content in _mentions(folder, settings, find):
        source = numbered(_source(folder, word, path), sources)
        sources.add(source)
        if why is not None:
            why = why.replace(str(path), path.name)
            unready.append(Unready(harmless(name or path.name), source, why, stray=not meant))
            continue
        try:
            bot = find(str(path)) if content is None else load(folder, content, name or content)
            if bot.games and game.name not in bot.games and _is_pattern(word):
                why = f"it plays {shorten(', '.join(bot.games), 80)}, not {game.name}"
                unready.append(Unready(harmless(name or bot.name), source, why, stray=True))
                continue
            bot = bots.enter(bot, game)
        except BotError as wrong:
            why = str(wrong).replace(str(path), path.name)  # students read it
            unready.append(Unready(harmless(name or path.stem), source, why))
            continue
        entry_name = numbered(name or bot.name, names)
        names.add(entry_name)
        entries.append(Listed(source, replace(bot, name=entry_name), seeding, path, content))
    all_names = sorted({*names, *(bot.name for bot in unready if not bot.stray)})
    if settings.anchor is not None and settings.anchor not in all_names:
        nobody = f"no bot is called {shorten(repr(settings.anchor))}{did_you_mean(settings.anchor, all_names)}"
        raise UsageError(f"{folder / FILE}: anchor: {nobody}")
    return entries, unready


def interpreter(folder: Path, settings: Settings) -> str | None:
    """The interpreter that runs the bots in Python, if the file names one (`match.python`).

    Raises:
        UsageError: there is no such program, or it is no Python 3 by its name.
    """
    if settings.match.python is None:
        return None
    key = f"{folder / FILE}: match.python"
    # Links stay: a venv is found by the link.
    program = os.path.abspath(folder / at_home(settings.match.python))
    if not os.path.isfile(program) or not os.access(program, os.X_OK):
        raise UsageError(f"{key}: there is no program {program}: make the virtual environment first")
    if not is_python(os.path.basename(program)):  # all bots would be at fault
        raise UsageError(f"{key}: {program} is no Python 3: name one, as venv/bin/python")
    return program


class _Mention(NamedTuple):
    """A bot of the file, or what else its patterns hit; `name` is None for the bot's own."""

    word: str
    hit: Hit
    name: str | None
    seeding: int | None = None
    content: str | None = None


def _mentions(folder: Path, settings: Settings, find: Callable[[str], Bot]) -> Iterator[_Mention]:
    students, bot_of = roster(folder), dict[str, Path]()

    def named(hit: Hit) -> str | None:
        path = hit.path
        if (student := student_of(students, path.name)) is not None:
            if (other := bot_of.setdefault(student.id, path)) != path:  # a student has one grade
                raise UsageError(f"{ROSTER}: {student.file} is the name of {other} and of {path}: rename one of them")
            return student.name
        if settings.names == "bot" or hit.why is not None:
            return None
        return path.name if path.is_dir() else path.stem

    mistakes = Mistakes(folder / FILE)
    all_hits, own_hits = list[tuple[str, Hit]](), list[tuple[BotEntry, Hit]]()
    for number, word in enumerate(settings.bots):
        with mistakes.at(f"bots.{number}"):
            all_hits += [(word, hit) for hit in _hits_of(folder, word, find, settings.game)]
    for number, entry in enumerate(settings.bot):
        with mistakes.at(f"bot.{number}.{'content' if entry.path is None else 'path'}"):
            own_hits.append((entry, _hit_of(folder, entry, find, settings.game)))
    mistakes.report()
    meant_hits = set(without_surroundings(hit for _, hit in all_hits))
    for word, hit in all_hits:
        if hit in meant_hits:
            yield _Mention(word, hit, named(hit))
    for entry, hit in own_hits:
        if entry.path is None:
            yield _Mention(f"{ENTRANTS}/{entry.content}", hit, entry.name, entry.seeding, entry.content)
        else:
            yield _Mention(entry.path, hit, entry.name or named(hit), entry.seeding)


def _source(folder: Path, word: str, path: Path) -> str:
    """How the file names a bot: the path from the tournament's folder in UTF-8, or the name of a sample bot."""
    if not _is_pattern(word):
        return word
    name = path if at_home(word).is_absolute() else os.path.relpath(path, folder)
    return os.fsencode(name).decode(errors="replace")


def _hits_of(folder: Path, word: str, find: Callable[[str], Bot], game: str | None) -> list[Hit]:
    """What a word names: the hits of a pattern, a path from the tournament's folder, or a sample bot of the game.

    At least one of them is a bot. Raises a `UsageError` if there are none.
    """
    if _is_pattern(word):
        # In the tournament's folder, other things are the tournament's.
        all_hits = [hit for hit in hits(folder, word, find) if hit.meant or hit.path.parent != folder]
        if any(hit.why is None for hit in all_hits):
            return all_hits
        first = f": {shorten(all_hits[0].path.name)}: {all_hits[0].why}" if all_hits else ""
        raise UsageError(f"nothing that {shorten(repr(word))} fits is a bot{first}")
    path = folder / at_home(word)
    if not path.exists():
        if (sample := bots.sample(word, game)) is not None:
            return [Hit(sample)]
        bots.refuse_person(word)
        near = did_you_mean(word, bots.samples(game))
        raise UsageError(f"there is no {path}, and no sample bot of that name{near}")
    if holds_bots(path):
        raise UsageError(f'{path} holds bots and is not one: write "{word.rstrip("/")}/*"')
    return [Hit(path)]


def _hit_of(folder: Path, entry: BotEntry, find: Callable[[str], Bot], game: str | None) -> Hit:
    """The bot of a `[[bot]]`. Raises a `UsageError` if there is none, or if there are several."""
    if entry.path is None:
        assert entry.content is not None
        copy = folder / ENTRANTS / entry.content
        if not has_copy(folder, entry.content):
            raise UsageError(f"there is no bot in {copy}: put its copy there")
        return Hit(copy / FILES)
    hit, *others = (hit for hit in _hits_of(folder, entry.path, find, game) if hit.why is None)
    if others:
        raise UsageError(f"{entry.path} names several bots: give each its own [[bot]]")
    return hit


def _is_pattern(word: str) -> bool:
    return bool(_GLOB & set(word))
