"""Compiles the fork server of full cells into the package: `scripts/python -m forkserver`.

Run this after every change of `fork_server.c`. It needs the cross compilers of Debian's gcc-x86-64-linux-gnu and
gcc-aarch64-linux-gnu. Each program contains the digest of its source, so that a test sees when one is out of date.
"""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).with_name("fork_server.c")
MACHINES: Final = ("x86_64", "aarch64")
_OPTIONS: Final = (
    *(
        "-std=gnu11",
        "-Os",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-ffreestanding",
        "-nostdlib",
        "-static",
        "-fno-pic",
        "-no-pie",
    ),
    *("-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-fno-ident"),
    "-Wl,--build-id=none,-z,noexecstack,-z,noseparate-code,-s",
)


def digest() -> str:
    """What a program that is up to date contains."""
    return hashlib.sha256(SOURCE.read_bytes()).hexdigest()


def compile_to(target: Path, compiler: str) -> None:
    """Compile the source.

    Raises:
        OSError: there is no such compiler. subprocess.CalledProcessError: it has failed.
    """
    subprocess.run([compiler, *_OPTIONS, f'-DSOURCE="{digest()}"', "-o", target, SOURCE], check=True)
