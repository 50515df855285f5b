"""`referee arena run`: serves an arena."""

from __future__ import annotations

import json as json_text
import math
import os
import re
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from cyclopts import Parameter

from referee.arena.commands.opening import Folder, files_of, is_own
from referee.cli.options import Duration, Json, Whole
from referee.errors import UsageError
from referee.studio.command import check_installed

EVERYWHERE: Final = frozenset({"0.0.0.0", "::", ""})
PORTS: Final = {"http": 80, "https": 443}
ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?|https?://\[[0-9a-f:]+\](:\d{1,5})?")


def run(
    folder: Folder,
    *,
    host: Annotated[str, Parameter(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[Whole, Parameter(help="The port; 0 is a free one.")] = 8000,
    tls: Annotated[
        tuple[Path, Path] | None,
        Parameter(
            help="The files of a certificate and of its key: the arena speaks HTTPS.", metavar="CERT KEY", negative=""
        ),
    ] = None,
    behind_proxy: Annotated[
        str | None,
        Parameter(
            help="The address at which a proxy before it is reached, such as https://arena.example.", metavar="ORIGIN"
        ),
    ] = None,
    jobs: Annotated[
        Whole | None, Parameter(help="Matches at a time; default: as many as keep every bot on a processor.")
    ] = None,
    seconds: Annotated[Duration | None, Parameter(name="--for", help="End after this time, such as 30m.")] = None,
    json: Json = False,
) -> int:
    """Serve an arena: its site, its uploads, its endless ladder.

    The first line on stdout is its address. Any other address than this machine's own needs --tls or --behind-proxy. Ctrl-C ends
    it within 5 seconds. If it is killed, nothing is lost: the same command goes on.
    """
    files = files_of(folder)
    check_installed("an arena")
    import trio

    from referee.arena.season import plan_of
    from referee.arena.supervisor import hand_over, supervise
    from referee.arena.versions import check_unchanged
    from referee.cli import running
    from referee.cli.narrator import narrate
    from referee.files.claims import write_whole
    from referee.tournament.locking import only_writer
    from referee.web import server

    _check(host, tls, behind_proxy)
    if jobs is not None and jobs < 1:
        raise UsageError("--jobs must be at least 1")
    plan_of(files)  # refused before anything is started
    os.umask(0o022)
    with only_writer(files.root, "this arena"), server.listen(host, port) as listener:
        site = _site(host, listener.getsockname()[1], tls, behind_proxy)
        uid = hand_over(files, narrate)
        check_unchanged(files)
        url = site["origins"][0]
        write_whole(files.address, url)
        listener.set_inheritable(True)
        print(json_text.dumps({"url": url, "pid": os.getpid()}) if json else f"arena at {url}", flush=True)
        if behind_proxy is not None:
            if behind_proxy.startswith("http:") and not is_own(urlsplit(behind_proxy).hostname or ""):
                narrate(
                    "without https, keys are sent in clear, and browsers keep no session: give the proxy a certificate"
                )
            narrate(f"the proxy reaches it at {_origin('http', *listener.getsockname()[:2])}")

        async def serve() -> None:
            with trio.move_on_after(math.inf if seconds is None else seconds):
                await supervise(files, listener, site, narrate, uid=uid, jobs=jobs)

        running.run(serve)
    return 0


def _check(host: str, tls: tuple[Path, Path] | None, origin: str | None) -> None:
    """Check how the arena is reached.

    Raises:
        UsageError: strangers could read keys on their way, or a file is missing.
    """
    if tls is not None and origin is not None:
        raise UsageError("--tls and --behind-proxy exclude each other: the proxy has the certificate")
    if not is_own(host) and tls is None and origin is None:
        raise UsageError(
            f"on {host} keys would be sent in clear: add --tls CERT KEY, or a proxy with HTTPS and --behind-proxy ORIGIN"
        )
    if origin is not None and ORIGIN.fullmatch(origin) is None:
        raise UsageError("--behind-proxy needs an origin without a path, such as https://arena.example")
    for path in tls or ():
        if not path.is_file():
            raise UsageError(f"--tls: there is no file {path}")


def _site(host: str, port: int, tls: tuple[Path, Path] | None, origin: str | None) -> dict[str, Any]:
    """How the arena is reached, as its part `web` is told: at the names of its certificate, and at the host that was named.

    The files of the certificate and of its key are descriptors that the part inherits.

    Raises:
        UsageError: the certificate cannot be used.
    """
    from referee.web import server

    if origin is not None:
        return {"origins": [origin], "proxy": True, "tls": None}
    if tls is None:
        hosts = [host, "localhost"] if host == "127.0.0.1" else [host]
        return {"origins": [_origin("http", name, port) for name in hosts], "proxy": False, "tls": None}
    names = [name for name in server.certified(*tls) if "*" not in name]
    if host not in EVERYWHERE:  # the best one if the certificate names it
        names = [host, *names] if host in names else [*names, host]
    if not names:
        raise UsageError(f"{tls[0]} does not say for which host it is: name the host with --host")
    origins = [_origin("https", name, port) for name in dict.fromkeys(names)]
    return {"origins": origins, "proxy": False, "tls": [_held(tls[0]), _held(tls[1])]}


def _origin(scheme: str, host: str, port: int) -> str:
    """An origin as browsers write it: without the scheme's own port."""
    address = f"[{host}]" if ":" in host else host
    return f"{scheme}://{address}" + ("" if port == PORTS[scheme] else f":{port}")


def _held(path: Path) -> str:
    """A file in memory that parts can read although its own may be root's alone: its path in each of them."""
    try:
        data = path.read_bytes()
    except OSError as failed:
        raise UsageError(f"--tls: {path} cannot be read: {failed.strerror}") from None
    held = os.memfd_create(path.name)
    os.write(held, data)
    os.set_inheritable(held, True)
    return f"/proc/self/fd/{held}"
