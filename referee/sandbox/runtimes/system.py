"""What every program in a cell sees of the machine: all of /usr, read-only, and a few settings.

1. /usr contains what the distribution installs, the same for everybody. /bin, /lib and similar are links into it, or separate
   folders on older machines.
2. Of /etc, only the entries named here are shown: the others tell about users, networks and secrets. Each mount costs 0.2 ms at
   the start, so only Java and Python get their settings.
3. Bots may be in these folders: the sample bots of a referee that is installed for all users, or bots of this match. They are
   *hidden* from each other. At level full something empty is mounted over them. At level reduced, everything next to them is
   allowed instead of the folder that contains them. The referee's own code is not secret, and bots may use it as a library.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

Binds: TypeAlias = tuple[tuple[Path, str], ...]
"""(path on the host, place in the cell) of files and folders, read-only, parents before their contents."""
Links: TypeAlias = tuple[tuple[str, str], ...]
"""(target, place) of symbolic links."""

_TOPS: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_ALL: Final = ("alternatives", "ld.so.cache")
"""What every program needs of /etc: where links of /usr lead, and the list of libraries."""
_JAVA: Final = ("java", "java-*")
_PYTHON: Final = ("python3*",)
RUNTIMES: Final = (*_ALL, *_JAVA, *_PYTHON)
"""What all programs together need of /etc."""
_SETTINGS: Final = {"java": (*_ALL, *_JAVA), "python": (*_ALL, *_PYTHON)}


def system_binds(settings: Iterable[str] = RUNTIMES, root: Path = Path("/")) -> tuple[Binds, Links]:
    """Find out what this machine has. `settings` are patterns of names in /etc."""
    binds = [((root / "usr").resolve(), "/usr")]
    links = []
    for name in _TOPS:
        path = root / name
        if path.is_symlink():
            links.append((os.readlink(path), f"/{name}"))
        elif path.is_dir():
            binds.append((path.resolve(), f"/{name}"))
    etc = root / "etc"
    for pattern in settings:
        # What is a link, as /etc/fpc.cfg is, is bound as what it leads to.
        binds += [(path.resolve(), f"/etc/{path.name}") for path in sorted(etc.glob(pattern)) if path.exists()]
    return tuple(binds), tuple(links)


@cache
def of_players(kind: str) -> tuple[Binds, Links]:
    """What programs with this kind of runtime see. The machine is looked at once."""
    return system_binds(_SETTINGS.get(kind, _ALL))


def is_shown(path: str) -> bool:
    """Whether a path is visible anyway: in /usr, or in a folder that leads into it."""
    return path.startswith(("/usr/", *(f"/{top}/" for top in _TOPS)))


def hidden_places(binds: Binds, hidden: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Where something empty is mounted to hide real paths, each once: (what it hides on the host, path in the cell)."""
    covers = {}
    shown = [(f"{host}/", inside) for host, inside in binds]
    for path in hidden:
        folder = f"{path}/"
        for host, inside in shown:
            if folder.startswith(host):
                covers[f"{inside}{folder[len(host) - 1 : -1]}"] = path
    yield from ((path, inside) for inside, path in covers.items())


def visible_in(folder: Path, hidden: Iterable[Path]) -> list[Path]:
    """The folder or, if it contains something hidden, everything else in it; empty if the folder itself is hidden."""
    inside = [path for path in hidden if path.is_relative_to(folder.resolve())]
    if not inside:
        return [folder]
    if folder.resolve() in inside or not folder.is_dir():
        return []
    try:
        entries = sorted(folder.iterdir())
    except FileNotFoundError:  # another program has removed it since
        return []
    return [path for entry in entries if not entry.is_symlink() for path in visible_in(entry, inside)]
