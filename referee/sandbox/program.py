"""A program to start, as callers describe it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

FOLDER: Final = "/bot"
"""Where a program finds its own folder if it has its own root."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program and what belongs to it; all paths are the host's.

    Attributes:
        name: the program's name in messages.
        argv: the program, as an absolute path, and its arguments; those that name files are relative to `cwd`, or absolute.
        cwd: the folder it is started in.
        env: its whole environment without isolation.
        files: what a sandbox puts into its folder: None all of `cwd`, else each file by its name there.
        trusted: whether the user's own command line said what to run. Then it may run any program of the machine, else
            only those on PATH and its own files: a bot's folder is untrusted.
    """

    name: str
    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Path] | None = None
    trusted: bool = False
