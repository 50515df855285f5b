"""What a build sees in addition to what players see: the configuration of compilers, and a Rust in a home folder.

rustup installs compilers into the user's home. A build sees the active tool chain, at a separate place, and nothing next to it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from referee.sandbox.runtimes.ask import answer
from referee.sandbox.runtimes.system import RUNTIMES

RUST: Final = "/opt/rust"
"""Where a build finds a Rust that is not the distribution's."""
CONFIGURATION: Final = (*RUNTIMES, "ld.so.conf", "ld.so.conf.d", "fpc*.cfg")
"""Of /etc."""
_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")


def environment(*, rust: bool, also: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a build in the jail."""
    path = [f"{RUST}/bin", *_PATH] if rust else list(_PATH)
    return {"PATH": ":".join(path), "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", **also}


def visible_program(program: str) -> tuple[str, Path] | None:
    """How a build starts a program of the machine: the word for its command, and the file on the host.

    Returns None if PATH has no such program, or one that a build cannot see.
    """
    path = shutil.which(program)
    if path is None:
        return None
    real = Path(path).resolve()
    if not real.is_relative_to("/usr") and (rust := rust_outside_usr()) is not None:
        tool = rust / "bin" / program
        if tool.is_file():
            return program, tool
    if (usual := shutil.which(program, path=os.pathsep.join(_PATH))) is not None:
        return program, Path(usual)
    return (str(real), real) if real.is_relative_to("/usr") else None


def rust_outside_usr() -> Path | None:
    """The tool chain that the rustc on PATH uses by default; None if there is no rustc, or if it is the distribution's."""
    rustc = shutil.which("rustc")
    if rustc is None or Path(rustc).resolve().is_relative_to("/usr"):
        return None
    try:
        sysroot = Path(answer(Path(rustc), "--print", "sysroot").partition("\n")[0])
    except (OSError, ValueError):
        return None
    return sysroot if (sysroot / "bin/rustc").is_file() else None
