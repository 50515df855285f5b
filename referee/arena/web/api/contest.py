"""The API of the contest: the arena, its standings, matches, faults, duels and events."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from referee.arena.rows import DAY, Upload, check_name, too_many_a_day
from referee.arena.seasons import Match
from referee.arena.settings import SAVED
from referee.arena.state import read_json
from referee.arena.versions import Version
from referee.arena.web.site import Site, signed_in_user
from referee.contract.game import FaultKind
from referee.text.strict import Strict
from referee.text.words import shell_line
from referee.web.answers import Refusal, answer, document, whole

MOST_MATCHES: Final = 100
MOST_FAULTS: Final = 50
KEY_HEADER: Final = ' -H "Authorization: Bearer $REFEREE_ARENA_KEY"'
"""What curl sends to an arena that is not public; the shell fills in the key, from where `referee submit` reads it."""
PATIENCE: Final = 5.0
"""Seconds in which another process reads requests."""


class NewDuel(Strict):
    """The body of POST /duels: one's own bot, and `USER/BOT` of another user."""

    bot: str
    against: str


async def _arena(site: Site, _request: Request) -> Response:
    return answer(site.document())


async def _standings(site: Site, _request: Request) -> Response:
    return answer(site.standings)


async def _matches(site: Site, request: Request) -> Response:
    query = request.query_params
    most = whole(query.get("limit", str(MOST_MATCHES)))
    if most is None or not 1 <= most <= MOST_MATCHES:
        raise Refusal("bad_request", f"limit: a number from 1 to {MOST_MATCHES}")
    if (fault := query.get("fault")) not in (None, "any", *FaultKind):
        raise Refusal("bad_request", f"fault: {', '.join(FaultKind)} or any")
    bots = [query["bot"]] if "bot" in query else None
    newest = site.seasons.newest_matches(most, bots=bots, fault=fault, before=query.get("before"))
    return answer(newest._asdict())


async def _match(site: Site, request: Request) -> Response:
    match = _match_of(site, request)
    command = None
    if match.saved is not None:
        url, file = f"{site.origins[0]}/api/v1{address(match.document)}{SAVED}", _saved_name(site, match)
        download = shell_line("curl", "-f", "-o", file, url) + ("" if site.settings.public else KEY_HEADER)
        command = f"{download} && {shell_line('referee', 'verify', file)}"
    return answer({**match.document, "command": command, "digest": await site.digest(match)})


async def _saved_game(site: Site, request: Request) -> Response:
    match = _match_of(site, request)
    if match.saved is None:
        raise Refusal("not_found", "the saved game of this match is not kept any more", status=410)
    return FileResponse(match.saved, media_type="application/gzip", filename=_saved_name(site, match))


def _match_of(site: Site, request: Request) -> Match:
    return site.seasons.match(request.path_params["season"], request.path_params["id"])


async def faults(site: Site, version: Version, most: int, patience: float) -> tuple[list[dict[str, Any]], bool]:
    """The newest faults of a version with their requests, for those who may inspect it; and whether all requests are known.

    Another process reads the requests in saved games. Those that it has not read after so many seconds are None.
    """
    newest = site.seasons.faults(version.name, version.content, most)
    pages = dict[str, Path]()
    for fault in newest:
        file = site.files.requests(fault["season"], fault["match"])
        if fault["kept"] and not file.exists():
            pages[f"requests/{fault['season']}/{fault['match']}"] = file
    await site.make(pages, patience)
    for fault in newest:
        requests = read_json(site.files.requests(fault["season"], fault["match"]))
        fault["request"] = requests.get(str(fault["seat"]))
    return newest, all(file.exists() for file in pages.values())


async def _faults(site: Site, request: Request) -> Response:
    version = site.version(site.upload(request, inspect=True))
    newest, _ = await faults(site, version, MOST_FAULTS, PATIENCE)
    return answer(newest)


async def _new_duel(site: Site, request: Request) -> Response:
    user, duel = signed_in_user(request), await document(request, NewDuel)
    if site.state == "final":
        raise Refusal("closed", "this arena takes no more duels: its final decides")
    accounts, most = site.accounts, site.settings.limits.duels
    check_name(duel.bot, "bot")
    own = _active(site, accounts.uploads("users.id = ? AND bots.name = ?", [user.id, duel.bot]))
    author, _, bot = duel.against.partition("/")
    rival = _active(site, site.bot(author, bot))
    if rival.author_id == user.id:
        raise Refusal("unprocessable", "a duel is with a bot of another user: each new version plays your own last one")
    earlier = accounts.challenges(site.now() - DAY, user)
    if len(earlier) >= most:
        first = earlier[0][3] if earlier else site.now()  # an arena may allow no duels
        raise too_many_a_day(f"you may ask for {most} duels", first, site.now())
    number = accounts.challenge(user, own.id, rival.id)
    return answer({"id": number, "state": "waiting", "url": f"/api/v1/duels/{number}"}, status=202)


async def _duel(site: Site, request: Request) -> Response:
    user, number = signed_in_user(request), request.path_params["id"]
    if whole(f"{number}") is None or not site.accounts.has_duel(user, number):
        raise Refusal("not_found", "you have no such duel")
    return answer({"id": number, **(site.versions.game(f"c{number}") or {"state": "waiting"})})


def _active(site: Site, uploads: list[Upload]) -> Upload:
    for upload in reversed(uploads):
        if site.version(upload).state == "active":
            return upload
    raise Refusal("not_found", "no version of this bot plays now")


async def _events(site: Site, request: Request) -> Response:
    return site.events.follow(request, site.sessions.address(request))


def address(match: Mapping[str, Any]) -> str:
    """The path of a match, from its document: the same for its page, and below `/api/v1`."""
    return f"/matches/{match['season']}/{quote(str(match['id']), safe='')}"


def _saved_name(site: Site, match: Match) -> str:
    return site.files.download(match.document["season"], match.document["id"])


ROUTES: Final = (
    ("GET", "/arena", _arena),
    ("GET", "/standings", _standings),
    ("GET", "/matches", _matches),
    ("GET", f"/matches/{{season}}/{{id:path}}{SAVED}", _saved_game),
    ("GET", "/matches/{season}/{id:path}", _match),
    ("GET", "/versions/{id}/faults", _faults),
    ("POST", "/duels", _new_duel),
    ("GET", "/duels/{id:int}", _duel),
    ("GET", "/events", _events),
)
"""The handlers by their addresses below `/api/v1`."""
