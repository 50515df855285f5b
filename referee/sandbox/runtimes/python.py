"""Python: the interpreter by its real path, its standard library whole, and the libraries that its modules need.

1. The referee's own base interpreter is known; any other is asked where its library is. It is asked under the very path by
   which it will be started, since Python finds its library from that path; and what it names is bound under that name.
2. The standard library is bound as one folder, with what is installed into it (site-packages where pip puts it; Debian keeps
   its packages elsewhere, they are not seen). Modules that are shared libraries need more of them: those of ssl, ctypes,
   sqlite3 and so on are bound; those of windows and terminals are not.
3. A virtual environment is a folder with `pyvenv.cfg`, whose `bin/python` is a link. The folder is bound, and the
   interpreter at each place where the chain of links passes.
4. The bot's arguments stay as it wrote them. No `-I`: a bot imports what lies beside it, and the SDK by PYTHONPATH.
"""

from __future__ import annotations

import ast
import functools
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.names import shorten
from referee.sandbox.binaries import elf, libraries
from referee.sandbox.binaries.system_libraries import cache_stamp
from referee.sandbox.program import FOLDER
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.profile import Runtime, environment, locale, ordered
from referee.sandbox.runtimes.view import View

SDK: Final = "/sdk/python"
"""Where the SDK is seen in a cell of level full; elsewhere it stays where it is."""

_NAME: Final = re.compile(r"(python|pypy)3?(\.\d+)?[a-z]*")
_QUESTION: Final = "import sys; print([sys.executable, sys.path])"
_UNSEEN: Final = re.compile(
    r"(_tkinter|readline|_curses|_curses_panel|_g?dbm|nis|ossaudiodev|_crypt|_test\w*|_ctypes_test|xx\w*)\."
)
"""Modules for windows, terminals, other machines and Python's own tests: their libraries are many."""
_MODULES: Final = 500
_ALSO: Final = ("libstdc++.so.6",)
"""What compiled packages need that the interpreter does not."""


@dataclass(frozen=True, slots=True)
class _Interpreter:
    """One interpreter: how it is started inside, what it needs there."""

    program: str
    binds: tuple[tuple[Path, str], ...]
    search: tuple[str, ...]


def is_python(name: str) -> bool:
    """Whether a program of this name is a Python 3."""
    return _NAME.fullmatch(name) is not None


@functools.cache
def base_python() -> Path:
    """The interpreter that the referee runs on, outside of its virtual environment, by its real path."""
    return Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()


def is_base(program: Path) -> bool:
    """Whether this is how the referee itself was started, or the interpreter under its virtual environment."""
    if str(program) == sys.executable:
        return True
    venv = _venv(program)
    return program.resolve() == base_python() and (venv is None or venv.resolve() == Path(sys.prefix).resolve())


def runtime(program: Path, arguments: tuple[str, ...], view: View) -> Runtime:
    """How a Python of the machine is started.

    Raises:
        BotError: it does not say where its library is.
    """
    try:
        found = _base(cache_stamp()) if is_base(program) else _other(program)
    except (OSError, ValueError, SyntaxError) as failed:
        raise view.refuse(f"{program} cannot be asked where its library is: {shorten(str(failed))}") from None
    sdk, path = sdk_binds(view)
    env = environment(view.folder, found.search, **variables(), **path)
    return Runtime("python", (found.program, "-B", *arguments), (*found.binds, *sdk), (), env)


def variables() -> dict[str, str]:
    """What makes a Python play the same game twice, and write nothing."""
    return {
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "OPENSSL_CONF": "/dev/null",
    }


def sdk_binds(view: View) -> tuple[list[tuple[Path, str]], dict[str, str]]:
    """The folders of the program's own PYTHONPATH, which the referee set, and PYTHONPATH inside."""
    binds: list[tuple[Path, str]] = []
    for text in filter(None, view.program.env.get("PYTHONPATH", "").split(os.pathsep)):
        place = text if view.folder != FOLDER else SDK if not binds else f"{SDK}{len(binds) + 1}"
        if (folder := Path(text)).is_absolute() and os.path.exists(folder):
            binds.append((folder.resolve(), place))
    return binds, {"PYTHONPATH": os.pathsep.join(place for _, place in binds)} if binds else {}


@functools.lru_cache(maxsize=2)
def _base(_listed: elf.Stamp | None) -> _Interpreter:
    # What it would say if it were asked: its library as found from its real path.
    library = Path(os.__file__).resolve().parent
    modules = [Path(folder).resolve() for folder in sys.path if Path(folder).name == "lib-dynload"]
    return _interpreter(base_python(), [(folder, str(folder)) for folder in [library, *modules]])


def _other(program: Path) -> _Interpreter:
    start = program if _venv(program) is not None else program.resolve()
    if not is_python(start.name) or not elf.is_elf(start):  # a version manager's stand-in
        told, _ = _asked(start)
        start = Path(told) if _venv(Path(told)) is not None else Path(told).resolve()
        if not elf.is_elf(start):
            raise ValueError(f"it leads to {start}, which is a script too")
    return _known(start, elf.stamp(start), cache_stamp())


@functools.lru_cache(maxsize=64)
def _known(start: Path, _stamp: elf.Stamp, _listed: elf.Stamp | None) -> _Interpreter:
    _, folders = _asked(start)
    library = [(Path(folder).resolve(), folder) for folder in folders if os.path.exists(folder)]
    venv = _venv(start)
    return _interpreter(start, library if venv is None else [(venv.resolve(), str(venv)), *library])


def _interpreter(start: Path, library: Sequence[tuple[Path, str]]) -> _Interpreter:
    real = start.resolve()
    modules: list[Path] = []
    customs: list[tuple[Path, str]] = []
    for folder, _ in library:
        modules += [path for path in sorted(folder.glob("*.so")) if not _UNSEEN.match(path.name)][:_MODULES]
        custom = folder / "sitecustomize.py"
        if os.path.islink(custom) and os.path.exists(custom):  # Debian's leads to /etc
            customs += [(custom.resolve(), place) for place in _passed(custom)]
    found = libraries.of_machine([real, *modules], also=_ALSO)
    binds = [*((real, place) for place in _passed(start)), *library, *customs, *found.binds, *locale()]
    return _Interpreter(str(start), ordered(binds), found.search)


def _passed(path: Path) -> list[str]:
    """The places that a chain of links passes, its end included; without those that are links themselves in a bound folder."""
    places = []
    for _ in range(40):
        if not os.path.islink(path):
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
        places.append(str(path))
    return places or [str(path)]


def _venv(program: Path) -> Path | None:
    """The virtual environment whose program this is."""
    for folder in (program.parent, program.parent.parent):
        if os.path.isfile(folder / "pyvenv.cfg"):
            return folder
    return None


def _asked(program: Path) -> tuple[str, list[str]]:
    """Its own path, and where it looks for its library."""
    said = ast.literal_eval(answer(program, "-I", "-S", "-c", _QUESTION).strip().split("\n")[0])
    match said:
        case [str(executable), [*folders]] if executable.startswith("/"):
            return executable, [folder for folder in folders if isinstance(folder, str) and folder.startswith("/")]
    raise ValueError("no answer that makes sense")
