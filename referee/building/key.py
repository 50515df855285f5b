"""The key of a product: a digest of everything that it depends on.

It covers the staged sources, the commands, the variables, the SDK's files, the compilers' versions, whether the build ran in the
jail, and the kind of machine. It does not cover the system's libraries and headers, which change together with the compiler's
packages; `--fresh` builds regardless of the key.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from referee.bots import Unbuilt
from referee.bots.cache import digest

FORMAT: Final = 1
"""Increases when the referee itself builds differently."""
LENGTH: Final = 32
NOT_SDK: Final = frozenset({"starter", "__pycache__"})
"""Parts of an SDK's folder that bots are not built with."""
COMPILED: Final = frozenset({".o", ".ppu", ".class", ".pyc"})
"""Files that compilers leave there when started by hand."""


def key(folder: Path, unbuilt: Unbuilt, versions: Sequence[Any], *, jailed: bool) -> str:
    """The key of the product of a staged folder.

    Args:
        versions: the versions of the commands' programs, as JSON.
        jailed: whether the build runs in the jail.

    Raises:
        OSError: a file cannot be read.
    """
    content = {
        "format": FORMAT,
        "machine": [platform.system(), platform.machine()],
        "jailed": jailed,
        "commands": unbuilt.build,
        "env": dict(sorted(unbuilt.env.items())),
        "versions": versions,
        "sources": list(contents(folder)),
        "sdk": list(contents(unbuilt.sdk, NOT_SDK, COMPILED)) if unbuilt.sdk is not None else None,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:LENGTH]


def contents(
    folder: Path, without: frozenset[str] = frozenset(), suffixes: frozenset[str] = frozenset()
) -> Iterable[list[Any]]:
    """The name, execute permission and content of each file, in order, except in these folders and with these suffixes."""
    for parent, inner, names in os.walk(folder):
        inner[:] = sorted(set(inner) - without)
        for name in sorted(names):
            path = Path(parent, name)
            if path.suffix in suffixes:
                continue
            yield [os.fsencode(path.relative_to(folder)).hex(), bool(path.stat().st_mode & 0o111), digest(path)]
