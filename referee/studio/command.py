"""`referee studio`: opens the studio of a folder in the browser."""

from __future__ import annotations

import json as json_text
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import Json, Whole
from referee.errors import UsageError

Port = Annotated[Whole, Parameter(help="The port of this machine's own address (127.0.0.1); 0 is a free one.")]
Browser = Annotated[bool, Parameter(name="--no-browser", negative="", help="Do not open a browser.")]


def studio(
    folder: Annotated[
        Path, Parameter(help="The folder with bots, programs and saved games; default: this one.")
    ] = Path(),
    /,
    *,
    port: Port = 0,
    no_browser: Browser = False,
    json: Json = False,
) -> int:
    """Open the studio: play, watch, check, compare, draw and debug in the browser.

    It works in a folder of bots, programs and saved games as they are. The first line on stdout is its address, which works
    once: whoever opens it first has the studio. Only this machine can reach it. Ctrl-C ends it.
    """
    return open_site(folder, "", port=port, browser=not no_browser, json=json, word="studio")


def edit(
    file: Annotated[Path, Parameter(help="A program in a game's own language; it may be new.")],
    saved: Annotated[Path | None, Parameter(help="A saved game, to debug the program in it.")] = None,
    /,
    *,
    seat: Annotated[Whole | None, Parameter(help="The seat of the program in the saved game, from 1.")] = None,
    port: Port = 0,
    no_browser: Browser = False,
    json: Json = False,
) -> int:
    """Draw and debug a program in the browser: the studio of its folder, with the page of this program.

    The first line on stdout is its address, as that of `referee studio`. Ctrl-C ends it.
    """
    from urllib.parse import quote, urlencode

    from referee.bots.programs import programs_of
    from referee.saved.record import load
    from referee.studio.folder import saved_id

    file = file.resolve()  # the studio follows no links
    programs_of(file, str(file))
    address = f"edit/{quote(file.name)}"
    also = []
    if saved is not None:
        seats = len(load(saved).header.players)
        if seat is not None and not 1 <= seat <= seats:
            raise UsageError(f"there is no seat {seat}: {saved} has seats 1 to {seats}")
        also = [saved.resolve()]
        words = {"match": saved_id(also[0]), **({} if seat is None else {"seat": seat - 1})}
        address = f"{address}?{urlencode(words)}"
    return open_site(file.parent, address, port=port, browser=not no_browser, json=json, word="editor", also=also)


def open_site(
    folder: Path, path: str, *, port: int, browser: bool, json: bool, word: str, also: Sequence[Path] = ()
) -> int:
    """Serve the studio of a folder until a signal comes.

    Args:
        path: what the browser opens, from the root. word: the first word of the line on stdout.
        also: saved games outside of the folder.

    Raises:
        UsageError: there is no such folder, the port cannot be opened, or the extra `web` is not installed.
        Interrupted: a signal came, and everything has ended.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}: name the one with your bots and saved games")
    check_installed("the studio")
    import asyncio

    from referee.cli.running import Interrupted
    from referee.studio.app import Studio
    from referee.studio.folder import Folder
    from referee.web import server

    with server.listen("127.0.0.1", port) as listener:
        chosen = listener.getsockname()[1]
        instance = Studio(Folder(folder, also), chosen)
        url = f"http://127.0.0.1:{chosen}/{path}#{instance.session.token}"

        def begun() -> None:
            print(json_text.dumps({"url": url, "pid": os.getpid()}) if json else f"{word} at {url}", flush=True)
            if browser:
                _open(url)

        number = asyncio.run(server.serve(instance.site, listener, ending=instance.events.close, begun=begun))
    raise Interrupted(number)


def check_installed(site: str) -> None:
    """Check that the extra `web` is installed.

    Raises:
        UsageError: it is not; the message says that `site` needs it.
    """
    try:
        import hypercorn  # noqa: F401
        import starlette  # noqa: F401
    except ModuleNotFoundError:
        install = shlex.join((sys.executable, "-m", "pip", "install", "referee[web]"))
        raise UsageError(f"{site} needs Starlette and Hypercorn, which are not installed: {install}") from None


def _open(url: str) -> None:
    """Open a browser, which must not write to our terminal or end with us."""
    import subprocess

    opener = [sys.executable, "-c", "import sys, webbrowser; webbrowser.open(sys.argv[1])", url]
    none = subprocess.DEVNULL
    subprocess.Popen(opener, stdin=none, stdout=none, stderr=none, start_new_session=True)
