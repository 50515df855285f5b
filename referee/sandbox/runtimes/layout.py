"""Where a Python has its library, as far as its files show it. Nothing is run.

1. The library is next to the folder of the program: `bin/python3.N` and `lib/python3.N` (lib64 on some systems), however Python
   was installed. A library that is a link to another place does not count: it could show a bot any folder of the machine.
2. A virtual environment is a folder with `pyvenv.cfg` whose `bin/python` is a link to an interpreter. `home` in that file is
   the folder of the interpreter. A bot can write such a file, so it may only give a second name to the library that point 1
   found.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

NAME: Final = re.compile(r"(?:python|pypy)(?:3(?:\.\d+(?:t?d?|m))?)?")
"""The name of a Python: `t` means free-threaded, `d` a debug build, and `m` is an ABI flag up to 3.7."""
_VERSION: Final = re.compile(r"((?:python|pypy)3\.\d+t?)[dm]?")
_LIBS: Final = ("lib", "lib64")
_CFG: Final = 1 << 16
"""Bytes of pyvenv.cfg that are read."""


def library(program: Path) -> list[Path]:
    """The folders of the library of an interpreter, given by its real path; empty if its layout is different."""
    if program.parent.name != "bin":
        return []
    prefix = program.parent.parent
    version = _VERSION.fullmatch(program.name)
    kind = "pypy" if program.name.startswith("pypy") else "python"
    pattern = version[1] if version is not None else f"{kind}3.*"
    folders = [path for lib in _LIBS for path in sorted((prefix / lib).glob(pattern)) if _is_own(path, prefix)]
    if len({path.name for path in folders}) != 1 or not any(os.path.isfile(path / "os.py") for path in folders):
        return []
    return [*folders, *(path / "lib-dynload" for path in folders if _is_own(path / "lib-dynload", prefix))]


def _is_own(folder: Path, prefix: Path) -> bool:
    return os.path.isdir(folder) and any(folder.resolve().is_relative_to(prefix / lib) for lib in _LIBS)


def venv(program: Path) -> Path | None:
    """The virtual environment whose program this is."""
    for folder in (program.parent, program.parent.parent):
        if os.path.isfile(folder / "pyvenv.cfg"):
            return folder
    return None


def home(environment: Path) -> Path | None:
    """The folder of the interpreter, according to a virtual environment."""
    with (environment / "pyvenv.cfg").open("rb") as file:
        text = os.fsdecode(file.read(_CFG))
    line = re.search(r"^home *= *(/[^\0\n]*?)\s*$", text, re.MULTILINE)
    return Path(os.path.normpath(line[1])) if line is not None else None


def also_called(folders: Iterable[Path], interpreter: Path, environment: Path) -> list[tuple[Path, str]]:
    """The names under which a virtual environment looks for the folders of its interpreter's library."""
    prefix, other = interpreter.parent.parent, home(environment)
    if other is None:
        return []
    pairs = [(folder, other.parent / folder.relative_to(prefix)) for folder in folders if folder.is_relative_to(prefix)]
    return [(folder, str(alias)) for folder, alias in pairs if alias.resolve() == folder.resolve()]
