"""Names of files in another case: Windows finds `Utils.h` as `"utils.h"`, and compilers on Linux do not.

1. Sources ask for files by name. If no file has exactly that name, and one file of the bot has it in another case, the build adds
   a file with the requested name that includes the other. Else, the same holds for the files of the SDK.
2. What is found without help is left alone, so a folder that was written for Linux builds as it is. If several files differ
   only by case, none is chosen: such a folder cannot come from Windows.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from referee.languages.sdk import Sdk

MOST: Final = 500
"""The most files that are added to a bot."""


@dataclass(frozen=True, slots=True)
class FileReference:
    """A file that a source asks for.

    Attributes:
        names: the names that the compiler tries, relative to the bot's folder; the first is added.
        sdk: the names that it tries in the SDK's folder.
    """

    names: tuple[str, ...]
    sdk: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spelling:
    """How sources of a language ask for files.

    Attributes:
        asks: a function that gets a file's name and text, and returns the files that it asks for.
        suffixes: the suffixes of other files that ask for files, besides the sources; in small letters.
        includes: the text of a file that only includes another file, with `%s` for the name of that file.
    """

    asks: Callable[[str, str], Iterable[FileReference]]
    suffixes: tuple[str, ...]
    includes: str

    def additions(self, texts: Mapping[str, str], files: Iterable[str], sdk: Sdk | None) -> dict[str, str]:
        """The files to add, as text by name.

        Args:
            texts: the files that may ask, as text by name, relative to the bot's folder. files: the names of all its files.
        """
        ours, theirs = _by_folded(files), _by_folded(sdk.files if sdk is not None else ())
        added: dict[str, str] = {}
        for reference in (reference for name, text in texts.items() for reference in self.asks(name, text)):
            if len(added) == MOST or _has(ours, reference.names) or _has(theirs, reference.sdk):
                continue
            if (own := _only(ours, reference.names)) is not None:
                other = posixpath.relpath(own, posixpath.dirname(reference.names[0]) or ".")
            elif sdk is not None and (file := _only(theirs, reference.sdk)) is not None:
                other = sdk.file(file)
            else:
                continue
            added[reference.names[0]] = self.includes % other
        return added


def _fold(name: str) -> str:
    return posixpath.normpath(name.replace("\\", "/")).lower()


def _by_folded(names: Iterable[str]) -> Mapping[str, set[str]]:
    by_folded = defaultdict[str, set[str]](set)
    for name in names:
        by_folded[_fold(name)].add(name)
    return by_folded


def _has(files: Mapping[str, set[str]], names: Iterable[str]) -> bool:
    return any(name in files.get(_fold(name), ()) for name in names)


def _only(files: Mapping[str, set[str]], names: Iterable[str]) -> str | None:
    """The only file with one of these names in any case. A stranger's bot may have thousands: they are not gone through."""
    groups = [files[folded] for folded in {*map(_fold, names)} if folded in files]
    return next(iter(groups[0])) if len(groups) == 1 and len(groups[0]) == 1 else None
