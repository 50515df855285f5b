"""Python: the interpreter by its real path, its standard library whole, and the libraries that its modules need.

1. The referee's own base interpreter is known. Of any other the files say where its library is (`layout`). Only one whose
   files lie otherwise, or a version manager's stand-in, is run to be asked, and only if PATH leads to it.
2. The standard library is bound as one folder, with what is installed into it (site-packages where pip puts it; Debian keeps
   its packages elsewhere, they are not seen). Modules that are shared libraries need more of them: those of ssl, ctypes,
   sqlite3 and so on are bound; those of windows and terminals are not.
3. A virtual environment is a folder with `pyvenv.cfg`, whose `bin/python` is a link or a copy. The folder is bound, and the
   interpreter at each place where the chain of links passes. It is never run to be asked: it would do as `pyvenv.cfg` says.
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
from referee.sandbox.runtimes import layout
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.profile import Runtime, environment, locale, ordered, within
from referee.sandbox.runtimes.sdk import sdk_binds
from referee.sandbox.runtimes.view import View, is_vouched_for, on_path

SDK: Final = ("PYTHONPATH", "/sdk/python")
"""By which variable the SDK is found, and where it is seen in a cell of level full."""

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
    return layout.NAME.fullmatch(name) is not None


@functools.cache
def base_python() -> Path:
    """The interpreter that the referee runs on, outside of its virtual environment, by its real path."""
    return Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()


def is_base(program: Path) -> bool:
    """Whether this is how the referee itself was started, or the interpreter under its virtual environment."""
    if str(program) == sys.executable:
        return True
    venv = layout.venv(program)
    return program.resolve() == base_python() and (venv is None or venv.resolve() == Path(sys.prefix).resolve())


def is_unpacked(program: Path) -> bool:
    """Whether this is a Python with a library beside it, or that of a virtual environment, wherever it lies."""
    real = program.resolve()
    if not is_python(real.name) or not elf.is_elf(real):
        return False
    return real == base_python() or on_path(real) or layout.venv(program) is not None or bool(layout.library(real))


def runtime(program: Path, arguments: tuple[str, ...], view: View) -> Runtime:
    """How a Python of the machine is started.

    Raises:
        BotError: it does not say where its library is.
    """
    try:
        found = _base(cache_stamp()) if is_base(program) else _other(program)
    except (OSError, ValueError, SyntaxError) as failed:
        raise view.refuse(f"{program} cannot be asked where its library is: {shorten(str(failed))}") from None
    sdk, path = sdk_binds(view, *SDK)
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


@functools.lru_cache(maxsize=2)
def _base(_listed: elf.Stamp | None) -> _Interpreter:
    # What it would say if it were asked: its library as found from its real path.
    return _interpreter(base_python(), [(folder, str(folder)) for folder in _base_library()], [], vouched=True)


def _base_library() -> list[Path]:
    library = Path(os.__file__).resolve().parent
    return [library, *(Path(folder).resolve() for folder in sys.path if Path(folder).name == "lib-dynload")]


def _other(program: Path) -> _Interpreter:
    start, vouched = program, is_vouched_for(program)
    if not elf.is_elf(program.resolve()):  # a version manager's stand-in
        start = Path(_asked(program)[0])
        if not elf.is_elf(start.resolve()):
            raise ValueError(f"it leads to {start}, which is a script too")
    real = start.resolve()
    if layout.venv(start) is None:
        start = real
    vouched = vouched or is_vouched_for(real) or real == base_python()
    venv = layout.venv(start)
    copied = venv is not None and real.is_relative_to(venv.resolve())
    origin = layout.copied_from(real, venv) if copied and venv is not None else real
    library = _library(origin)
    named = tuple((folder.resolve(), str(folder)) for folder in library)
    more: tuple[tuple[Path, str], ...] = ()
    if venv is not None:
        more = ((venv.resolve(), str(venv)), *layout.also_called(library, origin, venv))
    return _known(start, named, more, vouched, elf.stamp(real), cache_stamp())


@functools.lru_cache(maxsize=64)
def _known(
    start: Path,
    library: tuple[tuple[Path, str], ...],
    more: tuple[tuple[Path, str], ...],
    vouched: bool,
    _stamp: elf.Stamp,
    _listed: elf.Stamp | None,
) -> _Interpreter:
    return _interpreter(start, library, more, vouched)


def _library(real: Path) -> list[Path]:
    """Where an interpreter has its library: by its files, or, where they lie otherwise, by its word, if PATH leads to it."""
    if real == base_python():
        return _base_library()
    if found := layout.library(real):
        return found
    if not on_path(real):
        raise ValueError(
            f"there is no {real.parent.parent}/lib/python3.N, and PATH does not lead to it: add its folder to PATH"
        )
    return [Path(folder) for folder in _asked(real)[1] if os.path.exists(folder)]


def _interpreter(
    start: Path, library: Sequence[tuple[Path, str]], more: Sequence[tuple[Path, str]], vouched: bool
) -> _Interpreter:
    real = start.resolve()
    modules: list[Path] = []
    customs: list[tuple[Path, str]] = []
    for folder, _ in library:
        modules += [path for path in sorted(folder.glob("*.so")) if not _UNSEEN.match(path.name)][:_MODULES]
        custom = folder / "sitecustomize.py"
        if os.path.islink(custom) and os.path.exists(custom):  # Debian's leads to /etc
            customs += [(custom.resolve(), place) for place in _passed(custom)]
    found = libraries.of_machine([real, *modules], also=_ALSO)
    needed = [*customs, *found.binds]
    if not vouched:
        needed = within(needed, *(real.parent.parent / lib for lib in ("lib", "lib64")), *(host for host, _ in library))
    binds = [*((real, place) for place in _passed(start)), *library, *more, *needed, *locale()]
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


def _asked(program: Path) -> tuple[str, list[str]]:
    """Its own path, and where it looks for its library."""
    said = ast.literal_eval(answer(program, "-I", "-S", "-c", _QUESTION).strip().split("\n")[0])
    match said:
        case [str(executable), [*folders]] if executable.startswith("/"):
            return executable, [folder for folder in folders if isinstance(folder, str) and folder.startswith("/")]
    raise ValueError("no answer that makes sense")
