"""The languages that people bring, and the programs by which a machine has them.

Those that a manifest can name come from `referee.languages`, so that what is looked for is what builds use.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.languages import Language, every
from referee.names import harmless, shorten
from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.view import which


@dataclass(frozen=True, slots=True)
class Known:
    """A language.

    Attributes:
        language: as people write it.
        kind: what records call its runtime; `native` needs nothing but a compiler.
        programs: what to look for on PATH; each of them is enough, the first found counts.
        version: the argument that makes them print their version.
        package: what Debian and Ubuntu call what brings it.
    """

    language: str
    kind: str
    programs: tuple[str, ...]
    version: str
    package: str


_KINDS: Final = {"python": "python", "java": "java", "javascript": "node", "ruby": "other"}
"""Of languages whose programs need a runtime beside them."""
_ORDER: Final = ("c", "cpp", "pascal", "rust", "go", "python", "java", "javascript", "ruby")


def _entries(language: Language) -> list[Known]:
    """What runs a language's programs, and what compiles them where that is another program."""
    kind = _KINDS.get(language.name, "native")
    titles = [language.title] if len(language.tools) == 1 else [f"{language.title} compiler", language.title]
    entries = [
        Known(title, kind, tool.programs, " ".join(tool.version), tool.package)
        for title, tool in zip(titles, language.tools, strict=True)
    ]
    return entries[::-1]


def _rank(language: Language) -> int:
    return _ORDER.index(language.name) if language.name in _ORDER else len(_ORDER)


KNOWN: Final = (
    *(entry for language in sorted(every(), key=_rank) for entry in _entries(language)),
    Known("Perl", "other", ("perl",), "-e print $^V", "perl"),
    Known("Lua", "other", ("lua", "lua5.4", "lua5.3"), "-v", "lua5.4"),
    Known("PHP", "other", ("php",), "--version", "php-cli"),
    Known("C#", "other", ("dotnet",), "--version", "dotnet-sdk-8.0"),
)
"""In the order in which they are listed: those that manifests can name, then others that play by their own `run`."""


def found(known: Known) -> tuple[Path, str] | None:
    """The program by which this machine has a language and what it says of its version, in one line; None without one."""
    for name in known.programs:
        if (program := which(name)) is not None:
            try:
                said = answer(program, *known.version.split(" ", 1))
            except (OSError, ValueError):
                continue
            lines = [line for line in said.splitlines() if line.strip()]
            return program, shorten(harmless(lines[0].strip()), 120) if lines else ""
    return None
