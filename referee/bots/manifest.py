"""A bot's `bot.toml`: its keys, and the errors for everything else.

It is untrusted: it is read with a cap, no link is followed, and every message names the file, the key and what is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, ValidationError, model_validator

from referee import languages
from referee.contract.game import Lifetime
from referee.errors import BotError, UsageError
from referee.files.reading import head
from referee.text.documents import Malformed, text_of, toml_of
from referee.text.strict import NO_CODES, Strict, explain
from referee.text.words import shorten

MANIFEST: Final = "bot.toml"
_CAP: Final = 8 * 1024
EXAMPLES: Final[Mapping[str, str]] = {
    "name": 'name = "My bot"',
    "language": 'language = "python"',
    "build": 'build = [["make", "bot"]]',
    "run": 'run = ["./bot", "--fast"]',
    "files": 'files = ["main.py", "data/"]',
    "program": 'program = "FILE"',
    "lifetime": 'lifetime = "turn"',
    "games": 'games = ["NAME"]',
    "strength": "strength = 3",
}
"""What to write for a key."""


def _word(text: str) -> str:
    # A NUL cannot be passed to a program; the others would garble messages.
    if any(ord(character) < 0x20 or ord(character) == 0x7F for character in text):
        raise ValueError("a command may not have control characters")
    return text


def _language(name: str) -> str:
    try:
        return languages.find(name).name
    except UsageError as wrong:
        raise ValueError(f"{wrong}; for any other language, write `run`, and `build` if it needs one") from None


def _file(text: str) -> str:
    if Path(text).name != text:
        raise ValueError(f"{shorten(repr(text), 60)} is not the name of a file in the bot's own folder")
    return text


def _pattern(text: str) -> str:
    if any(part in {"", ".", ".."} for part in text.removesuffix("/").split("/")):
        raise ValueError(
            f"{shorten(repr(text), 60)} is not a name in the folder: write one such as main.py, data/ or src/*.h"
        )
    return text


Word = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_word)]
RunCommand = Annotated[list[Word], Field(min_length=1, max_length=100)]
Pattern = Annotated[str, Field(max_length=200), AfterValidator(_pattern)]
BuildCommand = Annotated[list[Word], Field(min_length=1, max_length=1000)]


class Manifest(Strict):
    """What a `bot.toml` says.

    Attributes:
        name: the bot's name in tables and files.
        language: one of `languages.names()`. It provides `build` and `run` unless they are given.
        build: commands that build the program in a copy of the folder; `{sdk}` in an argument is replaced by the SDK's folder.
        run: the command that starts the bot, in its folder.
        files: the files and folders that belong to the bot, also as patterns (`matching_files`); None for the whole folder.
        program: a file in a game's own language, which the referee runs itself.
        lifetime: whether one process plays the whole match, or each turn gets a fresh one; None for the game's default.
        games: the games that it plays; empty for any.
        strength: orders the sample bots of a game, the strongest highest.
    """

    name: Annotated[str, Field(min_length=1, max_length=60), NO_CODES]
    language: Annotated[str, AfterValidator(_language)] | None = None
    build: Annotated[list[BuildCommand], Field(max_length=20)] | None = None
    run: RunCommand | None = None
    files: Annotated[list[Pattern], Field(min_length=1, max_length=100)] | None = None
    program: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_file)] | None = None
    lifetime: Lifetime | None = None
    games: Annotated[list[Annotated[str, Field(min_length=1, max_length=60)]], Field(default_factory=list)]
    strength: int = 0

    @model_validator(mode="after")
    def _startable(self) -> Manifest:
        if self.program is not None:
            settings = {"language": self.language, "build": self.build, "run": self.run, "lifetime": self.lifetime}
            if beside := [key for key, value in settings.items() if value is not None]:
                raise ValueError(f"program: nothing is built or started for it: take {beside[0]} out")
        elif self.run is None and self.language is None:
            raise ValueError(
                f"run: missing: write the command that starts the bot, or a language ({', '.join(languages.names())})"
            )
        return self


def manifest_of(path: Path) -> Manifest:
    """The manifest in this file. Raises: BotError: it is not there, cannot be read, or says something that is not allowed."""
    try:
        return Manifest.model_validate(_table(path))
    except ValidationError as failed:
        raise BotError(f"{path}: {_first_error(failed)}") from None


def _first_error(failed: ValidationError) -> str:
    """The first error in a manifest, and an example of its key."""
    first = failed.errors(include_url=False, include_input=False)[0]
    if first["type"] == "value_error" or not first["loc"] or first["loc"][0] not in EXAMPLES:
        return explain(failed, Manifest)
    return f"{explain(failed, Manifest)}; write it like this: {EXAMPLES[str(first['loc'][0])]}"


def _table(path: Path) -> dict[str, Any]:
    try:
        data = head(path, _CAP + 1)
    except OSError as failed:
        raise BotError(f"{path} cannot be read: {failed.strerror or failed}") from None
    if data is None:
        raise BotError(f"{path} is not a regular file: put one in its place")
    if len(data) > _CAP:
        raise BotError(f"{path} is longer than {_CAP >> 10} KiB: a manifest is a few lines")
    try:
        return toml_of(text_of(data))
    except Malformed as wrong:
        raise BotError(f"{path}{wrong.where()}: not TOML: {wrong}") from None
