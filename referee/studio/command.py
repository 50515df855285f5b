"""`referee studio`: opens the studio of a folder in the browser."""

from __future__ import annotations

import json as json_text
import os
import shlex
import sys
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
    return open_site(folder, "", port=port, browser=not no_browser, json=json, called="studio")


def open_site(folder: Path, path: str, *, port: int, browser: bool, json: bool, called: str) -> int:
    """Serve the studio of a folder until a signal comes.

    Args:
        path: what the browser opens, from the root. called: the first word of the line on stdout.

    Raises:
        UsageError: there is no such folder, the port cannot be opened, or the extra `web` is not installed.
        Interrupted: a signal came, and everything has ended.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}: name the one with your bots and saved games")
    try:
        from referee.studio.app import Studio
        from referee.studio.folder import Folder
        from referee.web import server
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] not in ("starlette", "hypercorn", "anyio"):
            raise
        install = shlex.join((sys.executable, "-m", "pip", "install", "referee[web]"))
        raise UsageError(f"the studio needs Starlette and Hypercorn, which are not installed: {install}") from None
    import asyncio

    from referee.cli.running import Interrupted

    with server.listen("127.0.0.1", port) as listener:
        chosen = listener.getsockname()[1]
        made = Studio(Folder(folder), chosen)
        url = f"http://127.0.0.1:{chosen}/{path}#{made.session.token}"
        print(json_text.dumps({"url": url, "pid": os.getpid()}) if json else f"{called} at {url}", flush=True)
        if browser:
            _open(url)
        number = asyncio.run(server.serve(made.site, listener, ending=made.events.close))
    raise Interrupted(number)


def _open(url: str) -> None:
    """Open a browser, which must not write to our terminal or end with us."""
    import subprocess

    opener = [sys.executable, "-c", "import sys, webbrowser; webbrowser.open(sys.argv[1])", url]
    none = subprocess.DEVNULL
    subprocess.Popen(opener, stdin=none, stdout=none, stderr=none, start_new_session=True)
