"""A bot's `bot.toml`: its keys, and the errors for everything else.

A stranger wrote it, so it is read with a cap, no link is followed, and every message names the file, the key and what is allowed.
"""

from __future__ import annotations

import difflib
import json
import shlex
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, ValidationError, model_validator

from referee import games, languages
from referee.bots import patterns, sources
from referee.bots.reading import head
from referee.documents import Malformed, check_keys
from referee.errors import BotError, UsageError
from referee.game import Lifetime
from referee.names import shorten
from referee.strict import Strict, explain

MANIFEST: Final = "bot.toml"
_CAP: Final = 64 * 1024
_NAME: Final = 'name = "My bot"'
_LISTS: Final[dict[str, tuple[str, list[Any]]]] = {
    "run": ("a list of words", ["./bot"]),
    "build": ("a list of commands, each a list of words", [["make", "bot"]]),
    "files": ("a list of patterns", ["main.py", "data/"]),
    "games": ("a list of names", []),
}
_OTHERS: Final = {
    "name": 'a text of 1 to 60 characters in quotes: name = "My bot"',
    "language": 'a text in quotes: language = "python"',
    "lifetime": '"game" or "turn"',
    "program": 'the file of a program in a game\'s own language, in quotes: program = "FILE"',
    "strength": "a whole number without quotes: strength = 3",
    "usr": "true or false, without quotes",
}
"""What is to be written for a key; for lists with an example, for which what stands there is taken if it serves."""


def _word(text: str) -> str:
    # A NUL cannot be passed to a program; the others would garble messages.
    if any(ord(character) < 0x20 or ord(character) == 0x7F for character in text):
        raise ValueError("control characters may not be in a command")
    return text


def _language(name: str) -> str:
    try:
        return languages.find(name).name
    except UsageError as wrong:
        raise ValueError(f"{wrong}; for any other write `run`, and `build` where it needs one") from None


def _file(text: str) -> str:
    if Path(text).name != text:
        raise ValueError(f"{shorten(repr(text), 60)} is not the name of a file in the bot's own folder")
    return text


def _pattern(text: str) -> str:
    patterns.check(text)
    return text


Word = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_word)]
RunCommand = Annotated[list[Word], Field(min_length=1, max_length=100)]
BuildCommand = Annotated[list[Word], Field(min_length=1, max_length=1000)]


class Manifest(Strict):
    """What a `bot.toml` says.

    Attributes:
        name: the bot's name in tables and files.
        language: one of `languages.names()`. It provides `build` and `run` unless they are given.
        build: commands that build the program in a copy of the folder; `{sdk}` in a word stands for the SDK's folder.
        run: the command that starts the bot, in its folder.
        files: patterns of the files that belong to the bot; None for the whole folder.
        program: a file in a game's own language, which the referee runs itself.
        lifetime: whether one process plays the whole match, or each turn gets a fresh one; None for the game's default.
        games: the games that it plays; empty for any.
        strength: orders the sample bots of a game, the strongest highest.
        usr: has no effect any more: every bot sees /usr.
    """

    name: Annotated[str, Field(min_length=1, max_length=60)]
    language: Annotated[str, AfterValidator(_language)] | None = None
    build: Annotated[list[BuildCommand], Field(max_length=20)] | None = None
    run: RunCommand | None = None
    files: Annotated[list[Annotated[str, AfterValidator(_pattern)]], Field(min_length=1, max_length=100)] | None = None
    program: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_file)] | None = None
    lifetime: Lifetime | None = None
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
        if self.program is not None:
            told = {"language": self.language, "build": self.build, "run": self.run, "lifetime": self.lifetime}
            if beside := [key for key, value in told.items() if value is not None]:
                raise ValueError(f"program: nothing is built or started for it: take {beside[0]} out")
        elif self.run is None and self.language is None:
            raise ValueError(
                f"run: missing: write the command that starts the bot, or a language ({', '.join(languages.names())})"
            )
        return self


def manifest_of(path: Path) -> Manifest:
    """The manifest in this file.

    Raises:
        BotError: it is not there, cannot be read, or says something that is not allowed.
    """
    data = _table(path)
    try:
        return Manifest.model_validate(data)
    except ValidationError as failed:
        raise BotError(f"{path}: {_told(failed, data)}") from None


def _table(path: Path) -> dict[str, Any]:
    try:
        text = head(path, _CAP + 1)
        if text is None:
            raise BotError(f"{path} is no regular file: put one in its place")
        if len(text) > _CAP:
            raise BotError(f"{path} is longer than {_CAP >> 10} KiB: a manifest is a few lines")
        told = text.decode("utf-8-sig")  # some editors write a byte order mark
        check_keys(told)
        return tomllib.loads(told)
    except FileNotFoundError:
        raise BotError(_none(path.parent)) from None
    except UnicodeDecodeError as wrong:
        raise BotError(f"{path} cannot be read: {wrong.reason} at byte {wrong.start}: save it as UTF-8") from None
    except Malformed as wrong:
        raise BotError(f"{path} cannot be read: {wrong} (at line {wrong.line}, column {wrong.column})") from None
    except tomllib.TOMLDecodeError as wrong:
        hint = f"; texts stand in quotes: {_NAME}" if str(wrong).startswith("Invalid value") else ""
        raise BotError(f"{path} cannot be read: {wrong}{hint}") from None
    except OSError as failed:
        raise BotError(f"{path} cannot be read: {failed.strerror or failed}") from None
    except RecursionError as wrong:
        raise BotError(f"{path} cannot be read: {wrong}") from None
    except ValueError:  # from where Python reads whole numbers
        raise BotError(f"{path} cannot be read: a number of thousands of digits") from None


def _none(folder: Path) -> str:
    """The error for a folder without a manifest, with one that would fit."""
    names: list[str] = []
    with suppress(OSError):  # reported when it is started
        names = list(sources.top(folder))
    language = sources.spoken(names)
    hint = sources.misnamed(names) if language is None else None
    example = f'`{_NAME}` and `language = "{language.name if language is not None else "python"}"`'
    return f"the folder {folder} has no {MANIFEST}: write one with a {example}{f'; {hint}' if hint else ''}"


def _told(failed: ValidationError, data: dict[str, Any]) -> str:
    """The first error in a manifest, and what to write instead."""
    first = failed.errors(include_url=False, include_input=False)[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    if first["type"] == "value_error" or key not in Manifest.model_fields:  # words of our own
        return explain(failed)
    missing = "missing: " if first["type"] == "missing" else ""
    match first["type"]:
        case "too_long":
            limit = f", {first['ctx']['max_length']} at the most"
        case "string_too_long":
            limit = f", each of at most {first['ctx']['max_length']} characters"
        case "too_short" | "string_too_short":
            limit = ", none empty"
        case _:
            limit = ""
    more = f" (and {failed.error_count() - 1} more)" if failed.error_count() > 1 else ""
    return f"{key}: {missing}write {_wanted(key, data.get(key), limit)}{more}"


def _wanted(key: str, written: Any, limit: str) -> str:
    if key not in _LISTS:
        return _OTHERS[key]
    what, example = _LISTS[key]
    if key == "games":
        example = [games.find().name]
    words: list[Any] | None = None
    if isinstance(written, str):
        with suppress(ValueError):  # quotes that do not fit
            words = shlex.split(written)
    elif key == "build" and isinstance(written, list) and all(isinstance(word, str) for word in written):
        words = written
    if words and len(words) <= 20 and all(words):
        example = [words] if key == "build" else words
    return f"{what}{limit}: {shorten(json.dumps(example, ensure_ascii=False))}"
