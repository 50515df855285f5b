"""`referee submit`: uploads a bot to an arena."""

from __future__ import annotations

import io
import os
import stat
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from http.client import HTTPException
from pathlib import Path
from typing import Annotated, Any, Final, Required

from cyclopts import Parameter
from typing_extensions import TypedDict

from referee.arena.commands.opening import is_own, show
from referee.cli.options import Json
from referee.errors import UsageError
from referee.text.documents import json_of, text_of
from referee.text.words import shorten

KEY: Final = "REFEREE_ARENA_KEY"
MOST_BYTES: Final = 4 * 1024 * 1024
"""Bytes of an answer."""
PATIENCE: Final = 60.0
"""Seconds that the arena has for an answer."""
POLL: Final = 1.0
UNBUILT: Final = 4
OVER: Final = ("active", "failed", "replaced", "withdrawn")


class _Version(TypedDict, total=False):
    """The part of the arena's answer that is read here; `steps` are as in `referee check --json`."""

    id: Required[int]
    state: Required[str]
    number: int | None
    steps: list[dict[str, Any]] | None
    compiler: list[str] | None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key is for this arena alone."""

    def redirect_request(self, *_: Any) -> None:
        """Refuse it."""


def submit(
    path: Annotated[Path, Parameter(help="The bot: a folder, a ZIP file, a source file or a program.")],
    *,
    to: Annotated[str, Parameter(help="The address of the arena.", metavar="URL")],
    bot: Annotated[str, Parameter(help="The name of the bot in the arena; a new one is made.")],
    note: Annotated[str, Parameter(help="A note about this version, for yourself.")] = "",
    wait: Annotated[bool, Parameter(negative="", help="Wait until it is checked, and plays or has failed.")] = False,
    json: Json = False,
) -> int:
    """Upload a bot to an arena. Your key is in the environment variable REFEREE_ARENA_KEY.

    A folder is sent as a ZIP file, without files that no player gets, such as .git. The exit code is 0 if the version plays
    (without --wait: if it was accepted), 1 if its check failed, 4 if it was not built, 2 if it was refused.
    """
    if not (key := os.environ.get(KEY, "")):
        raise UsageError(f"{KEY} is not set: put your key there; the arena shows one when you join")
    _check(to, bot)
    name, data = _pack(path)
    base = to.rstrip("/")
    query = urllib.parse.urlencode({"file": name, "note": note})
    url = f"{base}/api/v1/bots/{urllib.parse.quote(bot, safe='')}/versions?{query}"
    version = _ask("POST", url, key, data)
    page = f"{base}/versions/{version['id']}"
    if wait:
        version = _await_check(f"{base}/api/v1/versions/{version['id']}", key, page)
    document = {"id": version["id"], "state": version["state"], "url": page, "steps": version.get("steps")}
    show(document, _lines(bot, version, page), json=json)
    if version["state"] != "failed":
        return 0
    return UNBUILT if _failed_step(version).get("title", "builds") == "builds" else 1


def _await_check(url: str, key: str, page: str) -> _Version:
    """An accepted version, once its check is over."""
    answered = time.monotonic()
    while True:
        try:
            version = _ask("GET", url, key)
            answered = time.monotonic()
            if version["state"] in OVER:
                return version
        except UsageError as lost:  # it may be starting again
            if time.monotonic() - answered > PATIENCE:
                raise UsageError(f"your bot was accepted, see {page}; but {lost}") from None
        time.sleep(POLL)  # noqa: TID251 - it waits for another machine


def _check(url: str, bot: str) -> None:
    parts = urllib.parse.urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"{shorten(url)} is no address of an arena: write https://HOST")
    if parts.scheme == "http" and not is_own(host):
        raise UsageError("your key would be sent in clear: write https:// instead of http://")
    if "/" in bot:
        raise UsageError(f"--bot {shorten(bot)}: name the bot alone, without its author: your key says whose it is")


def _pack(path: Path) -> tuple[str, bytes]:
    """The name and the bytes of an upload."""
    from referee.bots.zips import OMITTED
    from referee.sandbox.staging import KINDS

    try:
        if not path.is_dir():
            return path.name, path.read_bytes()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(path.rglob("*")):
                inside = file.relative_to(path)
                if not OMITTED.isdisjoint(inside.parts):
                    continue
                if file.is_symlink():  # it could lead to any file of the user
                    raise UsageError(f"{file} is {KINDS[stat.S_IFLNK]}")
                if file.is_file():
                    archive.write(file, inside)
    except (OSError, ValueError) as failed:
        why = getattr(failed, "strerror", None) or failed  # the text of an OSError has the path, too
        raise UsageError(f"{path} cannot be read: {why}") from None
    return f"{path.resolve().name}.zip", packed.getvalue()


def _ask(method: str, url: str, key: str, data: bytes | None = None) -> _Version:
    """The answer of the arena."""
    from pydantic import TypeAdapter, ValidationError

    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(url, data, headers, method=method)
    host = urllib.parse.urlsplit(url).netloc
    proxies = urllib.request.getproxies()
    proxies.pop("http", None)  # http leads to this machine (`_check`), and a proxy would get the key in clear
    opener = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler(proxies))
    try:
        with opener.open(request, timeout=PATIENCE) as answer:
            document: _Version = json_of(text_of(answer.read(MOST_BYTES)))
            TypeAdapter(_Version).validate_python(document)
            return document  # with all keys
    except urllib.error.HTTPError as refused:
        raise UsageError(f"{host} refused it: {_reason(refused)}") from None
    except ValidationError:
        raise UsageError(f"{host} does not answer as an arena does: check the address") from None
    except (OSError, HTTPException, ValueError) as failed:
        why = shorten(str(getattr(failed, "reason", failed)))
        large = " (it may also hang up on a file that is too large)" if data else ""
        raise UsageError(f"{host} does not answer as an arena does ({why}): check the address{large}") from None


def _reason(refused: urllib.error.HTTPError) -> str:
    try:
        with refused:
            return shorten(str(json_of(text_of(refused.read(MOST_BYTES)))["error"]["message"]), 300)
    except (OSError, ValueError, KeyError, TypeError):
        return f"{refused.code} {shorten(refused.reason)}"


def _failed_step(version: _Version) -> dict[str, Any]:
    return next((step for step in version.get("steps") or () if step.get("verdict") == "fail"), {})


def _lines(bot: str, version: _Version, page: str) -> list[str]:
    number = version.get("number")
    lines = [f"{bot}{f', version {number}' if number else ''}: {version['state']}"]
    if step := _failed_step(version):
        failure = step.get("failure") or {}
        lines.append(f"{step.get('title')}: {failure.get('says', '')}")
        lines += [*(version.get("compiler") or failure.get("stderr") or ()), failure.get("change") or ""]
    return [line for line in (*lines, page) if line]
