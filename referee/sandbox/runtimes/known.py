"""The languages that people bring, and the programs by which a machine has them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

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


KNOWN: Final = (
    Known("C", "native", ("gcc", "clang", "cc"), "--version", "gcc"),
    Known("C++", "native", ("g++", "clang++", "c++"), "--version", "g++"),
    Known("Pascal", "native", ("fpc",), "-iV", "fpc"),
    Known("Rust", "native", ("rustc",), "--version", "rustc"),
    Known("Go", "native", ("go",), "version", "golang-go"),
    Known("Python", "python", ("python3", "pypy3"), "--version", "python3"),
    Known("Java", "java", ("java",), "-version", "default-jdk-headless"),
    Known("Java compiler", "java", ("javac",), "-version", "default-jdk-headless"),
    Known("JavaScript", "node", ("node", "nodejs"), "--version", "nodejs"),
    Known("Perl", "usr", ("perl",), "-e print $^V", "perl"),
    Known("Ruby", "usr", ("ruby",), "--version", "ruby"),
    Known("Lua", "usr", ("lua", "lua5.4", "lua5.3"), "-v", "lua5.4"),
    Known("PHP", "usr", ("php",), "--version", "php-cli"),
    Known("C#", "usr", ("dotnet",), "--version", "dotnet-sdk-8.0"),
)
"""In the order in which they are listed."""


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
