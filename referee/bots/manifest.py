"""A bot's `bot.toml`: what it may say, and what is said when it says something else.

A stranger wrote it, so it is read with a cap, no link is followed, and every message names the file, the key and what is allowed.
"""

from __future__ import annotations

import difflib
import os
import stat
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, model_validator

from referee import languages
from referee.bots import patterns
from referee.errors import BotError, UsageError
from referee.names import shorten
from referee.strict import Strict, read

MANIFEST: Final = "bot.toml"
_CAP: Final = 64 * 1024
_EXAMPLE: Final = 'name = "My bot"` and `language = "python"'


def _word(text: str) -> str:
    # A NUL could not even be passed on, the others would disturb whoever reads a message.
    if any(ord(character) < 0x20 or ord(character) == 0x7F for character in text):
        raise ValueError("control characters may not be in a command")
    return text


def _language(name: str) -> str:
    try:
        return languages.find(name).name
    except UsageError as wrong:
        raise ValueError(f"{wrong}; for any other write `run`, and `build` where it needs one") from None


def _pattern(text: str) -> str:
    patterns.check(text)
    return text


Word = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_word)]
RunCommand = Annotated[list[Word], Field(min_length=1, max_length=100)]
BuildCommand = Annotated[list[Word], Field(min_length=1, max_length=1000)]


class Manifest(Strict):
    """What a `bot.toml` says.

    Attributes:
        name: how the bot is called in tables and files.
        language: one of `languages.names()`; then `build` and `run` come from its table, each unless it is given.
        build: commands that make the program, in a copy of the folder; `{sdk}` in a word stands for the SDK's folder.
        run: the command that starts the bot, in its folder.
        files: patterns of what in the folder belongs to the bot; None for all of it.
        lifetime: whether one process plays a whole match, or each turn gets a fresh one.
        games: what it plays; none named: it does not say.
        strength: among the sample bots of a game, the higher the stronger.
        usr: whether it asks a sandbox to show all of /usr, for runtimes that cannot do without.
    """

    name: Annotated[str, Field(min_length=1, max_length=60)]
    language: Annotated[str, AfterValidator(_language)] | None = None
    build: Annotated[list[BuildCommand], Field(max_length=20)] | None = None
    run: RunCommand | None = None
    files: Annotated[list[Annotated[str, AfterValidator(_pattern)]], Field(min_length=1, max_length=100)] | None = None
    lifetime: Literal["match", "turn"] = "match"
    games: Annotated[list[Annotated[str, Field(min_length=1, max_length=60)]], Field(default_factory=list)]
    strength: int = 0
    usr: bool = False

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, data: Any) -> Any:
        for key in data if isinstance(data, dict) else ():
            if key not in cls.model_fields:
                near = difflib.get_close_matches(str(key), cls.model_fields, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(cls.model_fields)}"
                raise ValueError(f"{shorten(str(key), 40)}: unknown key: {hint}")
        return data

    @model_validator(mode="after")
    def _startable(self) -> Manifest:
        if self.run is None and self.language is None:
            raise ValueError(
                f"run: missing: write the command that starts the bot, or a language ({', '.join(languages.names())})"
            )
        return self


def manifest_of(path: Path) -> Manifest:
    """The manifest in this file.

    Raises:
        BotError: it is not there, cannot be read, or says something that is not allowed.
    """
    try:
        data = tomllib.loads(_text(path))
    except FileNotFoundError:
        raise BotError(f"the folder {path.parent} has no {MANIFEST}: write one with a `{_EXAMPLE}`") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as wrong:
        raise BotError(f"{path} cannot be read: {wrong}") from None
    return read(Manifest, data, lambda text: BotError(f"{path}: {text}"))


def _text(path: Path) -> str:
    """A stranger's file: no link is followed, nothing is waited for, and an endless one is none."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise BotError(f"{path} is no regular file: put one in its place")
        data = file.read(_CAP + 1)
    if len(data) > _CAP:
        raise BotError(f"{path} is longer than {_CAP >> 10} KiB: a manifest is a few lines")
    return data.decode("utf-8")
