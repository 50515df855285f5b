"""Adapts a staged folder to the game, and to the compilers of this machine, because many sources come from Windows.

1. Files that the game's package has for the language are added, unless the bot has files of that name. So sources ask for them as
   for the bot's own, in every language and without an option of its compiler.
2. Files that sources ask for in another case are added under that name (`languages/spelling.py`).
3. A byte order mark is removed if the compiler refuses it. Such a compiler refuses other encodings than UTF-8 too, so sources
   that are not UTF-8 are taken for cp1251, as names are.
4. Staged folders have no links, and nobody else can change them. The bot's own folder stays as it is.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path, PurePath

from referee.bots.sources import texts, walk
from referee.bots.starting import sdk_for
from referee.languages import Language
from referee.sandbox.builds.jail import open_up
from referee.text.documents import BYTE_ORDER_MARK


def adapt(language: Language, folder: Path, game_sdk: Path | None = None) -> None:
    """Adapt a staged folder to the compiler of a language. `game_sdk`: see `Unbuilt`. Raises: OSError."""
    open_up(folder, None)
    for name, path in walk(game_sdk) if game_sdk is not None else ():
        with suppress(FileExistsError, NotADirectoryError):  # the bot has a file or a folder of that name
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with (folder / name).open("xb") as file:
                file.write(path.read_bytes())
    files = dict(walk(folder))
    if language.bare:
        for name, path in files.items():
            if language.is_source(name):
                _purify(path)
    if (spelling := language.spelling) is None:
        return
    asking = {
        name: path
        for name, path in files.items()
        if language.is_source(name) or PurePath(name).suffix.lower() in spelling.suffixes
    }
    for name, text in spelling.additions(texts(asking), files, sdk_for(language)).items():
        path = folder / name
        with suppress(OSError):  # a file in place of a folder, a name that is too long: the compiler misses the file
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)


def _purify(path: Path) -> None:
    """Make a source UTF-8 without a byte order mark."""
    source = path.read_bytes()
    pure = source.removeprefix(BYTE_ORDER_MARK)
    try:
        pure.decode()
    except UnicodeDecodeError:
        pure = pure.decode("cp1251", "replace").encode()
    if pure != source:
        path.write_bytes(pure)
