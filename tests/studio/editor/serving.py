"""The API of programs, as tests ask it."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from studio.studios import Studio


class Response(NamedTuple):
    """A response: its status, its JSON, and its ETag."""

    status: int
    body: Any
    tag: str | None


def ask(studio: Studio, method: str, path: str, body: Any = None, **headers: str) -> Response:
    """Ask the API; the names of headers have `_` for `-`."""
    reply = studio.call(method, f"/api/v1/{path}", body, **headers)
    return Response(reply.status, json.loads(reply.body or "null"), reply.headers.get("etag"))


def match_of(studio: Studio, file: str) -> str:
    """The id of a saved game in the folder."""
    return next(match["id"] for match in ask(studio, "GET", "matches").body["matches"] if match.get("file") == file)
