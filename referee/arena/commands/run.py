"""`referee arena run`: serves an arena."""

from __future__ import annotations

import math
import os
import re
import sys
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from cyclopts import Parameter

from referee.arena.commands.opening import Folder, files_of, is_own, show
from referee.cli.options import Duration, Json, Positive, Whole
from referee.errors import UsageError
from referee.studio.command import check_installed


def run(
    folder: Folder,
    *,
    host: Annotated[str, Parameter(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[Whole, Parameter(help="The port; 0 is a free one.")] = 8000,
    tls: Annotated[
        tuple[Path, Path] | None,
        Parameter(help="Serve HTTPS with the files of a certificate and its key.", metavar="CERT KEY", negative=""),
    ] = None,
    behind_proxy: Annotated[
        str | None, Parameter(help="The address of the proxy, such as https://arena.example.", metavar="ORIGIN")
    ] = None,
    jobs: Annotated[
        Positive | None, Parameter(help="Matches at a time; default: as many as keep every bot on a processor.")
    ] = None,
    seconds: Annotated[Duration | None, Parameter(name="--for", help="End after this time, such as 30m.")] = None,
    json: Json = False,
) -> int:
    """Serve an arena: its site, its uploads, its endless ladder.

    The first line on stdout is its address. Addresses other than this machine's own need --tls or --behind-proxy. Ctrl-C ends
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
    plan_of(files)  # refused before anything is started
    os.umask(0o022)
    with only_writer(files.root, "this arena"), server.listen(host, port) as listener:
        site = _site(host, listener.getsockname()[1], tls, behind_proxy)
        uid = hand_over(files, narrate)
        check_unchanged(files)
        url = site["origins"][0]
        write_whole(files.address, url)
        listener.set_inheritable(True)
        show({"url": url, "pid": os.getpid()}, [f"arena at {url}"], json=json)
        sys.stdout.flush()
        if behind_proxy is not None:
            if behind_proxy.startswith("http:") and not is_own(urlsplit(behind_proxy).hostname or ""):
                narrate(
                    "without https, keys are sent in clear, and browsers keep no session: give the proxy a certificate"
                )
            narrate(f"the proxy reaches it at {_origin('http', *listener.getsockname()[:2])}")

        async def serve() -> None:
            with trio.move_on_after(seconds or math.inf):
                await supervise(files, listener, site, narrate, uid=uid, jobs=jobs)

        running.run(serve)
    return 0


def _check(host: str, tls: tuple[Path, Path] | None, origin: str | None) -> None:
    if tls is not None and origin is not None:
        raise UsageError("--tls and --behind-proxy exclude each other: the proxy has the certificate")
    if not is_own(host) and tls is None and origin is None:
        cure = "add --tls CERT KEY, or a proxy with HTTPS and --behind-proxy ORIGIN"
        raise UsageError(f"on {host} keys would be sent in clear: {cure}")
    if origin is not None and re.fullmatch(r"https?://([A-Za-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", origin) is None:
        raise UsageError("--behind-proxy needs an origin without a path, such as https://arena.example")


def _site(host: str, port: int, tls: tuple[Path, Path] | None, origin: str | None) -> dict[str, Any]:
    """The options of the part `web`. Its origins are the names of the certificate and the host of the command."""
    from referee.web import server

    if origin is not None:
        return {"origins": [origin], "proxy": True, "tls": None}
    if tls is None:
        hosts = [host, "localhost"] if host == "127.0.0.1" else [host]
        return {"origins": [_origin("http", name, port) for name in hosts], "proxy": False, "tls": None}
    names = [name for name in server.certificate_names(*tls) if "*" not in name]
    if host not in {"0.0.0.0", "::", ""}:  # the best one if the certificate names it
        names = [host, *names] if host in names else [*names, host]
    if not names:
        raise UsageError(f"{tls[0]} names no host: name one with --host")
    origins = [_origin("https", name, port) for name in dict.fromkeys(names)]
    return {"origins": origins, "proxy": False, "tls": [_in_memory(path) for path in tls]}


def _origin(scheme: str, host: str, port: int) -> str:
    """An origin as browsers write it: without the scheme's own port."""
    address = f"[{host}]" if ":" in host else host
    return f"{scheme}://{address}" + ("" if (scheme, port) in {("http", 80), ("https", 443)} else f":{port}")


def _in_memory(path: Path) -> str:
    """The path of a copy in memory that parts inherit: perhaps only root can read the file itself."""
    copy = os.memfd_create(path.name)
    os.write(copy, path.read_bytes())
    os.set_inheritable(copy, True)
    return f"/proc/self/fd/{copy}"
