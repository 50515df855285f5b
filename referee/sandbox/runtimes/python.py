"""Python: of an interpreter outside /usr its program, its libraries and its standard library.

1. The referee's own base interpreter is known. The files of any other interpreter show where its library is (`layout`). Only a
   version manager's stand-in is run and asked where the interpreter is, and only if it is on PATH.
2. `python3` is the base interpreter in a virtual environment of the sandbox, in which nothing is installed. So a bot imports the
   same on every machine, and no `.pth` file of an installed package slows its start: one took three times as long as Python.
   The packages are not hidden, because another virtual environment may use them.
3. A virtual environment is a folder with `pyvenv.cfg` whose `bin/python` is a link. Its programs and libraries are bound, and
   the interpreter at each place that the chain of links passes. It is never run and asked, because it would do what
   `pyvenv.cfg` says.
4. The bot's arguments stay as written, without `-I`: a bot imports modules next to it, and the SDK by PYTHONPATH.
5. A cell is read-only, so a bot would compile the SDK at each start. Instead the referee compiles it beside the sources, as
   Python does with what the referee itself imports: only if it may write there, and PYTHONDONTWRITEBYTECODE is not set.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Final

from referee.sandbox.program import FOLDER
from referee.sandbox.runtimes import layout, system
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.bot_files import BotFiles, is_elf
from referee.sandbox.runtimes.profile import Runtime, environment, parts_of, program_binds, with_usr
from referee.sandbox.tempdir import date
from referee.text.words import shorten

SDK: Final = ("PYTHONPATH", "/sdk/python")
"""By which variable the SDK is found, and where it is seen in a cell of level full."""

_WITHOUT_PACKAGES: Final = "/python"
"""Where the virtual environment of `without_packages` is seen in a cell of level full."""
_QUESTION: Final = "import sys; print(sys.executable)"
_ENVIRONMENT: Final = ("pyvenv.cfg", "bin", "lib", "lib64")
"""What is bound of a virtual environment."""


def is_python(name: str) -> bool:
    """Whether a program of this name is a Python 3."""
    return layout.NAME.fullmatch(name) is not None


@functools.cache
def base_python() -> Path:
    """The real path of the interpreter that the referee runs on, outside its virtual environment."""
    return Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()


def without_packages(folder: Path) -> Path:
    """Make a virtual environment of `base_python` in a new folder that players may read: the path of its interpreter."""
    program, settings = folder / "bin/python3", folder / "pyvenv.cfg"
    program.parent.mkdir(parents=True)
    program.symlink_to(base_python())
    settings.write_bytes(os.fsencode(f"home = {base_python().parent}\ninclude-system-site-packages = false\n"))
    for part, mode in ((settings, 0o444), (program.parent, 0o555), (folder, 0o555)):
        part.chmod(mode)
    for part in (program, settings, program.parent, folder):
        date(part)
    return program


def is_base(program: Path) -> bool:
    """Whether this is the interpreter that started the referee, or the one under its virtual environment."""
    if str(program) == sys.executable:
        return True
    venv = layout.venv(program)
    return program.resolve() == base_python() and (venv is None or venv.resolve() == Path(sys.prefix).resolve())


def is_unpacked(program: Path) -> bool:
    """Whether this is a Python with a library next to it, or one of a virtual environment, in any folder."""
    real = program.resolve()
    if not is_python(real.name) or not is_elf(real):
        return False
    return real == base_python() or layout.venv(program) is not None or bool(layout.library(real))


def runtime(program: Path, arguments: tuple[str, ...], bot: BotFiles) -> Runtime:
    """How a Python of the machine is started. Raises: ValueError: its library is not found. OSError: it cannot be asked."""
    real, start, binds = (base_python(), *_base(bot)) if is_base(program) else _other(program)
    sdk, path = bot.sdk_binds(*SDK)
    for folder, _ in sdk:
        compile_sdk(folder)
    env = environment(bot.folder, str(real.parent), **variables(), **path)
    return with_usr("python", (str(start), "-B", *arguments), env, [*binds, *sdk])


@functools.cache
def compile_sdk(folder: Path) -> None:
    """Compile the modules of an SDK (theory, point 5), those that have changed."""
    for source in () if sys.dont_write_bytecode else folder.glob("*.py"):
        with suppress(OSError, SyntaxError, ValueError):
            SourceFileLoader(source.stem, str(source)).get_code(source.stem)


def variables() -> dict[str, str]:
    """Variables that make a Python play the same game twice, and write nothing."""
    return {
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "OPENSSL_CONF": "/dev/null",
    }


def _base(bot: BotFiles) -> tuple[Path, list[tuple[Path, str]]]:
    """How the base interpreter is started, and what it needs."""
    # What it would say if it were asked: its library as found from its real path.
    binds = _interpreter(base_python(), [(folder, str(folder)) for folder in _base_library()])
    if bot.python3 is None:
        return base_python(), binds
    venv = bot.python3.parent.parent
    inside = Path(_WITHOUT_PACKAGES) if bot.folder == FOLDER else venv
    return inside / "bin/python3", [*binds, (venv, str(inside))]


def _base_library() -> list[Path]:
    library = Path(os.__file__).resolve().parent
    return [library, *(Path(folder).resolve() for folder in sys.path if Path(folder).name == "lib-dynload")]


def _other(program: Path) -> tuple[Path, Path, list[tuple[Path, str]]]:
    """Its real path, how it is started, and what it needs."""
    start = program
    if not is_elf(program.resolve()):  # a version manager's stand-in
        start = Path(answer(program, "-I", "-S", "-c", _QUESTION).strip().split("\n")[0])
        if not start.is_absolute() or not is_elf(start.resolve()):
            raise ValueError(f"it leads to {shorten(str(start))}, which is not an interpreter")
    real = start.resolve()
    venv = layout.venv(start)
    if venv is None:
        start = real
    library = _base_library() if real == base_python() else layout.library(real)
    if not library and not system.is_shown(str(real)):
        raise ValueError(
            f"there is no {real.parent.parent}/lib/python3.N; a virtual environment must have links, not --copies"
        )
    binds = _interpreter(start, [(folder.resolve(), str(folder)) for folder in library])
    if venv is not None:
        binds += [*parts_of(venv, _ENVIRONMENT), *layout.also_called(library, real, venv)]
    return real, start, binds


def _interpreter(start: Path, library: Sequence[tuple[Path, str]]) -> list[tuple[Path, str]]:
    real = start.resolve()
    return [*((real, path) for path in _chain(start)), *program_binds(real), *library]


def _chain(path: Path) -> list[str]:
    """The places that a chain of links passes, including its end, without links in a bound folder."""
    paths = []
    for _ in range(40):
        if not os.path.islink(path):
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
        paths.append(str(path))
    return paths or [str(path)]
