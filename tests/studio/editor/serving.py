"""The API of programs, as tests ask it."""

from __future__ import annotations

from typing import Any

from studio.studios import Studio
from web.raw import Reply


def ask(studio: Studio, method: str, path: str, body: Any = None, **headers: str) -> Reply:
    """Ask the API; the names of headers have `_` for `-`."""
    return studio.call(method, f"/api/v1/{path}", body, **headers)


def match_of(studio: Studio, file: str) -> str:
    """The id of a saved game in the folder."""
    return next(match["id"] for match in ask(studio, "GET", "matches").json["matches"] if match.get("file") == file)
