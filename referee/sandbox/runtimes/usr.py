"""Everything else on PATH, and whatever asks for it: the whole of /usr, as the machine has it.

Some of a machine's programs lie outside of /usr; then the program itself is bound, with the libraries that it needs. Links in
/usr/bin that lead over /etc/alternatives work, and the loader has its list of libraries.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from referee.sandbox.binaries import libraries
from referee.sandbox.runtimes.profile import Runtime, environment, ordered
from referee.sandbox.runtimes.python import SDK, variables
from referee.sandbox.runtimes.sdk import sdk_binds
from referee.sandbox.runtimes.view import View

_TOPS: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS: Final = ("/etc/alternatives", "/etc/ld.so.cache")


def runtime(program: Path, arguments: tuple[str, ...], view: View) -> Runtime:
    """How a program of the machine is started that nobody described."""
    real = program.resolve()
    found = libraries.of_machine([real])
    binds = [(real, place) for place in (str(real), str(program))]
    sdk, path = sdk_binds(view, *SDK)
    env = environment(view.folder, found.search, **variables(), **path)
    return widened(Runtime("usr", (str(program), *arguments), (*binds, *found.binds, *sdk), (), env))


def widened(runtime: Runtime) -> Runtime:
    """The same with the whole of /usr."""
    tops = [Path(top) for top in _TOPS]
    links = tuple((str(top.readlink()), str(top)) for top in tops if top.is_symlink())
    folders = ["/usr", *(str(top) for top in tops if top.is_dir() and not top.is_symlink()), *_SETTINGS]
    more = [(Path(folder), folder) for folder in folders if Path(folder).exists()]
    rest = [(host, place) for host, place in runtime.binds if not _shown(place)]
    return replace(runtime, kind="usr", binds=ordered([*more, *rest]), links=links)


def _shown(place: str) -> bool:
    """Whether a place is there with /usr and the folders that lead into it."""
    return place.startswith(("/usr/", *(f"{top}/" for top in _TOPS)))
