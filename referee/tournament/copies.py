"""Copies of bots, from which all matches of a tournament are played: `entrants/CONTENT/` in its folder.

1. A copy is the bot's files as players see them, and `entrant.json`, which says how they are started. So a tournament goes on
   when its folder was moved, when a build was forgotten, and while an author edits the bot.
2. `CONTENT` is a digest of how the bot is started and of the key of its build, or of its files if nothing is built. The
   products of a compiler are not in it: the same sources can give other bytes.
3. The copy is made elsewhere first and renamed when it is complete, so it is never seen half made.
4. The coordinator of a cluster sends copies to its workers (`pack`, `unpack`), so all machines run the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee import bots, languages
from referee.bots import Bot
from referee.bots.starting import environment, program
from referee.contract.game import Lifetime
from referee.errors import UsageError
from referee.files.reading import head
from referee.sandbox.limits import MIB, Limits
from referee.sandbox.runtimes import base_python
from referee.sandbox.staging import stage
from referee.sandbox.tempdir import remove
from referee.text.strict import Strict
from referee.text.words import shorten
from referee.tournament.model import ENTRANTS

_STARTED: Final = "entrant.json"
FILES: Final = "files"
_PYTHON: Final = "python3"
"""Stands for the referee's own Python."""


class _Started(Strict):
    """An `entrant.json`."""

    argv: list[str]
    program: str | None
    trusted: bool
    language: str | None
    lifetime: Lifetime


def load(folder: Path, content: str, name: str) -> Bot:
    """An entrant's bot, ready to start from its copy.

    Raises:
        BotError: a program that it needs is not on this machine. UsageError: the copy is damaged.
    """
    copy = folder / ENTRANTS / content
    try:
        started = _Started.model_validate_json(head(copy / _STARTED, MIB) or b"")
    except (OSError, ValueError) as wrong:
        why = f"the copy of {shorten(name)} cannot be read ({shorten(str(wrong))})"
        raise UsageError(f"{copy}: {why}: remove this folder, and run again") from None
    files = copy / FILES
    if started.program is not None:
        return replace(bots.find(str(files / started.program)), name=name, lifetime=started.lifetime)
    argv = [program(started.argv[0], files, name), *started.argv[1:]]
    language = None if started.language is None else languages.find(started.language)
    return Bot(name, argv, files, environment(), trusted=started.trusted, language=language, lifetime=started.lifetime)


def has_copy(folder: Path, content: str) -> bool:
    """Whether the copy of an entrant is there."""
    return os.path.isdir(f"{folder}/{ENTRANTS}/{content}/{FILES}")


def run_by(bot: Bot, python: str | None) -> Bot:
    """The bot, run by the contest's own interpreter if `python3` runs it.

    The organiser chose that program. So it is trusted, although the bot's folder, which holds its arguments, is not.
    """
    if python is None or not bot.argv or bot.argv[0] != str(base_python()):
        return bot
    return replace(bot, argv=[python, *bot.argv[1:]], trusted=True)


def copy_bot(folder: Path, bot: Bot, key: str) -> str:
    """Copy a bot that is ready to start. Returns the digest of its content.

    Raises:
        BotError: its folder holds what may not be in one. UsageError: the copy cannot be written.
    """
    home = folder / ENTRANTS
    try:
        with _scratch(home) as scratch:
            names = stage(bot, scratch / FILES, Limits(), instead="move the folder of the tournament")
            started = _Started(
                argv=[_copied_word(word, number, names) for number, word in enumerate(bot.argv)],
                program=None if bot.policy is None else next(iter(bot.files or ())),
                trusted=bot.trusted,
                language=bot.language.name if bot.language is not None else None,
                lifetime=bot.lifetime or "game",
            )
            from referee.building.key import contents  # and trio's tools, only if a bot is copied

            parts: list[Any] = [started.model_dump(), key or list(contents(scratch / FILES))]
            content = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
            (scratch / _STARTED).write_text(started.model_dump_json(), encoding="utf-8")
            for subfolder, _, _ in os.walk(scratch):
                os.chmod(subfolder, 0o755)  # the user may want to remove the tournament
            _publish(scratch, home / content)
    except OSError as failed:
        why = f"cannot be written ({failed.strerror})"
        raise UsageError(f"{home} {why}: free space there, or move the tournament") from failed
    return content


def _copied_word(word: str, number: int, names: Mapping[Path, str]) -> str:
    """A word of the command line, as the copy of the bot needs it."""
    if number == 0 and word == str(base_python()):
        return _PYTHON
    name = names.get(Path(word).resolve()) if os.path.isabs(word) else None
    if name is None:
        return word
    return f"./{name}" if number == 0 else name


class Packed(NamedTuple):
    """A file of a bot; a folder if `data` is None. `path` is relative to the copy."""

    path: str
    mode: int
    data: bytes | None


def pack(folder: Path, content: str) -> list[Packed]:
    """The copy of a bot in a tournament's folder, folders before what is in them."""
    home = folder / ENTRANTS / content
    return [
        Packed(str(path.relative_to(home)), path.stat().st_mode & 0o777, None if path.is_dir() else path.read_bytes())
        for path in sorted(home.rglob("*"))
    ]


def unpack(folder: Path, content: str, files: Iterable[Packed]) -> None:
    """Write the copy of a bot. It stays as it is if it is there already."""
    home = folder / ENTRANTS
    if (home / content).exists():
        return
    with _scratch(home) as scratch:
        for path, mode, data in files:
            target = scratch / path
            if data is None:
                target.mkdir()
            else:
                target.write_bytes(data)
            target.chmod(mode)
        scratch.chmod(0o755)
        _publish(scratch, home / content)


@contextmanager
def _scratch(home: Path) -> Iterator[Path]:
    """A temporary folder beside the copies, in which a copy is made."""
    scratch = home / f".{secrets.token_hex(8)}"
    scratch.mkdir(mode=0o711, parents=True)
    try:
        yield scratch
    finally:
        remove(scratch)


def _publish(scratch: Path, copy: Path) -> None:
    """Give a complete copy its name. If another process was faster, its copy is the same."""
    try:
        os.rename(scratch, copy)
    except OSError:
        if not copy.exists():
            raise
