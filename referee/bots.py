"""Bots as users name them, and how each is started.

A bot is a folder with `bot.toml`, a `.py` file, or `cmd:PROGRAM ARGS`; `NAME=BOT` gives it another name in tables and files. A
bare word that is no path is a sample bot. What cannot be started is the user's error (`BotError`), said in one line.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field

from referee import assets
from referee.errors import BotError
from referee.names import harmless, shorten
from referee.sandbox.runtimes import base_python
from referee.strict import Strict, read

MANIFEST: Final = "bot.toml"
_RENAMED = re.compile(r"([^=/\\:]{1,60})=(.+)", re.DOTALL)


_Word = Annotated[str, Field(min_length=1, max_length=1000, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""Of a command: no control characters, of which a NUL could not even be passed on."""
_MANIFEST_CAP: Final = 64 * 1024
_FOLDER_CAP: Final = 50_000
"""Files that are looked for in a folder; the sandbox has its own, lower cap, and says so."""


class Manifest(Strict):
    """A bot's `bot.toml`: `games` it plays (none named: it does not say), `strength` among the samples of a game.

    `usr` asks a sandbox to show all of /usr, for runtimes that cannot do without.
    """

    name: Annotated[str, Field(min_length=1, max_length=60)]
    run: Annotated[list[_Word], Field(min_length=1, max_length=100)]
    language: Literal["python"] | None = None
    games: Annotated[list[str], Field(default_factory=list)]
    strength: int = 0
    usr: bool = False


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot ready to be started: a `sandbox.program.Program`; `name` in tables and files."""

    name: str
    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Path] | None = None
    trusted: bool = False
    usr: bool = False


def find_all(given: Sequence[str]) -> list[Bot]:
    """The bots of a command line; one that is named twice becomes `name`, `name#2`, …

    Raises:
        BotError: one of them is no bot, or has no program to start.
    """
    named: dict[str, Bot] = {}
    for bot in map(find, given):
        name, number = bot.name, 1
        while name in named:
            number += 1
            name = f"{bot.name}#{number}"
        named[name] = replace(bot, name=name)
    return list(named.values())


def find(given: str) -> Bot:
    """One bot as a user names it.

    Raises:
        BotError: it is no bot, or has no program to start.
    """
    try:
        return _find(given)
    except (OSError, RuntimeError) as failed:  # a name that is too long, a loop of links
        raise BotError(f"the bot {shorten(given)!r} cannot be looked at: {failed.__class__.__name__}") from None


def _find(given: str) -> Bot:
    renamed = None if given.startswith("cmd:") or Path(given).exists() else _RENAMED.fullmatch(given)
    name, text = (renamed[1], renamed[2]) if renamed else (None, given)
    if text.startswith("cmd:"):
        bot = _command(text)
    elif text and (path := _place(text)).is_dir():
        bot = _folder(path, text)
    elif text and path.is_file():
        bot = _file(path, text)
    else:
        raise BotError(
            f"there is no bot {shorten(text)!r}: name a folder with {MANIFEST}, a .py file, cmd:'PROGRAM ARGS' or a sample bot "
            f"({', '.join(samples())})"
        )
    return replace(bot, name=harmless(name or bot.name))


def samples(game: str | None = None) -> list[str]:
    """The names of the sample bots for a game (None: for any), the strongest first."""
    found = []
    for path in assets.folder("bots").glob(f"*/{MANIFEST}"):
        manifest = _manifest(path)
        if game is None or game in manifest.games:
            found.append((-manifest.strength, path.parent.name))
    return [name for _, name in sorted(found)]


def environment() -> dict[str, str]:
    """The whole environment of a bot: what programs need to start, and nothing of the user's.

    The Python SDK is on every Python bot's path; hashes are fixed, so that a bot plays the same game twice.
    """
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(assets.folder("sdk") / "python"),
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
    }


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
        raise BotError("cmd: names no program: write cmd:'PROGRAM ARGS'")
    here = Path.cwd()
    program = _program(argv[0], here, text)
    own = "/" in argv[0] and shutil.which(Path(program).name) != program
    files = dict(_named_files([program] if own else [], here)) | dict(_named_files(argv[1:], here))
    return Bot(Path(argv[0]).name, [program, *argv[1:]], here, environment(), files, trusted=True)


def _named_files(words: Sequence[str], here: Path) -> Iterator[tuple[str, Path]]:
    """Which words name files, lists of files too: these belong to the bot, by their names from here on, or their last ones.

    A folder among them brings what is in it along.
    """
    for word in (part for whole in words for part in dict.fromkeys([whole, *whole.split(":")])):
        path = here / word
        if path.is_file():
            inside = path.is_relative_to(here) and ".." not in path.parts
            yield str(path.relative_to(here)) if inside else path.name, path.resolve()
        elif word and path != here and path.is_relative_to(here) and ".." not in path.parts and path.is_dir():
            found = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
            for inner in islice(found, _FOLDER_CAP):
                yield str(inner.relative_to(here)), inner


def _folder(path: Path, given: str) -> Bot:
    manifest_path = path / MANIFEST
    manifest = _manifest(manifest_path)
    folder = path.resolve()
    program, *arguments = manifest.run
    python = str(base_python())
    argv = [python if program in {"python", "python3"} else _program(program, folder, given), *arguments]
    if argv[0] == python and arguments and arguments[0].endswith(".py") and not (folder / arguments[0]).is_file():
        raise BotError(f"{manifest_path}: run names {arguments[0]}, which is not in the folder")
    # Its folder stays as it was named: a sandbox refuses one that is a link into somebody else's.
    return Bot(manifest.name, argv, Path(os.path.abspath(path)), environment(), usr=manifest.usr)


def _manifest(path: Path) -> Manifest:
    try:
        data = tomllib.loads(_manifest_text(path))
    except FileNotFoundError:
        raise BotError(
            f'the folder {path.parent} has no {MANIFEST}: write one with a `name` and `run = ["python3", "main.py"]`'
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as wrong:
        raise BotError(f"{path} cannot be read: {wrong}") from None
    return read(Manifest, data, lambda text: BotError(f"{path}: {text}"))


def _manifest_text(path: Path) -> str:
    """A stranger's file: no link is followed, nothing is waited for, and an endless one is none."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise BotError(f"{path} is no regular file: put one in its place")
        data = file.read(_MANIFEST_CAP + 1)
    if len(data) > _MANIFEST_CAP:
        raise BotError(f"{path} is longer than {_MANIFEST_CAP >> 10} KiB: a manifest is a few lines")
    return data.decode("utf-8")


def _file(path: Path, given: str) -> Bot:
    if path.suffix != ".py":
        raise BotError(f"{given} is no .py file: for another program write cmd:{shlex.quote(given)}, or a folder")
    name = path.stem
    path = path.resolve()
    argv = [str(base_python()), path.name]
    return Bot(name, argv, path.parent, environment(), {path.name: path}, trusted=True)


def _program(program: str, folder: Path, given: str) -> str:
    """The program's full path, as a shell in `folder` would find it."""
    if "/" in program:
        path = Path(os.path.abspath(folder / program))  # links stay: a virtual environment is found by its own
        if not path.exists():
            raise BotError(f"bot {given}: there is no program {program}: build it first, or correct the path")
        if not path.is_file() or not os.access(path, os.X_OK):
            raise BotError(f"bot {given}: {program} may not be executed: run chmod +x on it")
        return str(path)
    found = shutil.which(program)
    if found is None:
        raise BotError(f"bot {given}: there is no program {program!r} on PATH: install it, or write ./{program}")
    return found
