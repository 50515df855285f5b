"""The languages that a bot can be written in: every module of this package that exports `LANGUAGE`.

Programs in other languages play too, with `build` and `run` in their manifest.
"""

from __future__ import annotations

import difflib
import re
from functools import cache
from importlib import import_module
from pathlib import PurePath
from pkgutil import iter_modules

from referee.errors import UsageError
from referee.languages.language import Command, Idioms, Language, NoRecipeError, Recipe, Tool
from referee.languages.sdk import HOSTS, Host, Sdk, hosts_in
from referee.text.words import shorten

__all__ = [
    "HOSTS", "Command", "Host", "Idioms", "Language", "NoRecipeError", "Recipe", "Sdk", "Tool", "by_suffix", "every",
    "find", "hosts_in", "is_interpreter", "names", "suffixes", "tool",
]  # fmt: skip


@cache
def every() -> tuple[Language, ...]:
    """All languages, sorted by name."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    languages = [module.LANGUAGE for module in modules if hasattr(module, "LANGUAGE")]
    return tuple(sorted(languages, key=lambda language: language.name))


def names() -> list[str]:
    """The names of all languages, as manifests write them."""
    return [language.name for language in every()]


def find(name: str) -> Language:
    """The language of this name. Raises: UsageError: there is none. The message suggests a similar name and lists all."""
    for language in every():
        if language.name == name:
            return language
    lowered = name.lower()
    meant = [known.name for known in every() if lowered in {known.title.lower(), *(s[1:] for s in known.suffixes)}]
    meant += difflib.get_close_matches(lowered, names(), 1)
    hint = f"did you mean {meant[0]}? There" if meant else "there"
    raise UsageError(f"there is no language {shorten(repr(name), 40)}: {hint} are {', '.join(names())}")


def by_suffix(path: str | PurePath) -> Language | None:
    """The language of a source file by its suffix; None if no language has it."""
    return next((language for language in every() if language.is_source(path)), None)


def suffixes() -> list[str]:
    """The suffixes of all source files that can be a bot by themselves."""
    return [suffix for language in every() for suffix in language.suffixes]


def tool(program: str) -> Tool | None:
    """The tool with this name; None for a program that is not known."""
    tools = (tool for language in every() for tool in language.tools if program in tool.programs)
    return next(tools, _OTHERS.get(program))


def is_interpreter(program: str) -> bool:
    """Whether a program of this name runs source files; the name may have a version: `python3.12`."""
    runners = (name for language in every() if language.runner is not None for name in language.runner.programs)
    return _without_version(program) in {*_INTERPRETERS, *map(_without_version, runners)}


_BUILDERS = {"make": "make", "cmake": "cmake", "cargo": "cargo"}
_SHELLS = {"sh": "dash", "bash": "bash"}
_INTERPRETERS = {"perl": "perl", "lua": "lua5.4", "php": "php-cli", "mono": "mono-runtime", **_SHELLS}
_OTHERS = {program: Tool((program,), package) for program, package in (_BUILDERS | _INTERPRETERS).items()}
"""Other programs that manifests often name."""


def _without_version(program: str) -> str:
    return re.sub(r"[\d.]+\Z", "", program)
