"""The API of the contest: the arena, its standings, matches, duels and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from referee.arena.rows import Upload, check_name
from referee.arena.web_seasons import Match
from referee.arena.web_site import Site, signed_in
from referee.errors import SavedGameError
from referee.saved.record import ends
from referee.text.strict import Strict
from referee.text.words import shell_line
from referee.web.answers import Refusal, answer, document

MOST: Final = 100
DAY: Final = 86_400
SAVED: Final = ".jsonl.gz"


class NewDuel(Strict):
    """What POST /duels takes: one's own bot, and `USER/BOT` of another user."""

    bot: str
    against: str


class ContestApi:
    """The handlers."""

    def __init__(self, site: Site) -> None:
        """Those of an arena."""
        self.site = site

    def routes(self) -> list[Route]:
        """Their addresses."""
        return [
            Route("/arena", self._arena),
            Route("/standings", self._standings),
            Route("/matches", self._matches),
            Route(f"/matches/{{season}}/{{id:path}}{SAVED}", self._saved),
            Route("/matches/{season}/{id:path}", self._match),
            Route("/duels", self._new_duel, methods=["POST"]),
            Route("/duels/{id:int}", self._duel),
            Route("/events", self._events),
        ]

    async def _arena(self, _request: Request) -> Response:
        return answer(describe(self.site))

    async def _standings(self, _request: Request) -> Response:
        return answer(self.site.standings)

    async def _matches(self, request: Request) -> Response:
        asked = request.query_params
        said = asked.get("limit", str(MOST))
        most = int(said) if said.isdecimal() and len(said) < 6 else 0
        if not 1 <= most <= MOST:
            raise Refusal("bad_request", f"limit: a number from 1 to {MOST}")
        found = self.site.seasons.newest(
            most, bot=asked.get("bot"), fault=asked.get("fault"), before=asked.get("before")
        )
        return answer({"matches": found.matches, "next": found.next})

    async def _match(self, request: Request) -> Response:
        match = self._found(request)
        digest = None
        if match.saved is not None:
            try:
                _, result = ends(match.saved)
                digest = result.digest if result else None
            except SavedGameError:
                digest = None
        return answer({**match.document, "command": verify_command(self.site, match), "digest": digest})

    async def _saved(self, request: Request) -> Response:
        match = self._found(request)
        if match.saved is None:
            raise Refusal("not_found", "the saved game of this match is not kept any more", status=410)
        return FileResponse(match.saved, media_type="application/gzip", filename=saved_name(match))

    def _found(self, request: Request) -> Match:
        return self.site.seasons.match(request.path_params["season"], request.path_params["id"])

    async def _new_duel(self, request: Request) -> Response:
        user, said = signed_in(request), await document(request, NewDuel)
        accounts, most = self.site.accounts, self.site.settings.limits.duels
        check_name(said.bot, "bot")
        own = self._active(accounts.uploads("users.id = ? AND bots.name = ?", [user.id, said.bot]))
        author, _, bot = said.against.partition("/")
        rival = self._active(self.site.bot(author, bot))
        if rival.author_id == user.id:
            raise Refusal(
                "unprocessable", "a duel is with a bot of another user: each new version plays your own last one"
            )
        before = accounts.challenges(self.site.now() - DAY, user)
        if len(before) >= most:
            wait = int(before[0][3] + DAY - self.site.now()) + 1 if before else DAY
            raise Refusal(
                "too_many", f"you may ask for {most} duels a day: wait {wait // 60 + 1} minutes", retry_after=wait
            )
        number = accounts.challenge(user, own.id, rival.id)
        return answer({"id": number, "state": "waiting", "url": f"/api/v1/duels/{number}"}, status=202)

    async def _duel(self, request: Request) -> Response:
        user, number = signed_in(request), request.path_params["id"]
        mine = {key for key, *_ in self.site.accounts.challenges(user=user)}
        if number not in mine:
            raise Refusal("not_found", "you have no such duel")
        return answer({"id": number, **(self.site.duel_of(f"c{number}") or {"state": "waiting"})})

    def _active(self, uploads: list[Upload]) -> Upload:
        """The version of a bot that plays.

        Raises:
            Refusal: none does.
        """
        for upload in reversed(uploads):
            if self.site.version(upload).state == "active":
                return upload
        raise Refusal("not_found", "no version of this bot plays now")

    async def _events(self, request: Request) -> Response:
        return self.site.events.follow(request)


def describe(site: Site) -> dict[str, Any]:
    """An arena as GET /arena gives it."""
    return {
        "name": site.settings.name,
        "game": site.settings.game,
        "state": site.state,
        "season": site.season,
        "seats": site.seats,
        "matches": site.seasons.played(str(site.season)),
        "entrants": site.versions.count("state = 'active'") if site.versions else 0,
        "waiting": site.waiting(),
    }


def address(match: Mapping[str, Any]) -> str:
    """The path of a match, from its document: the same for its page, and below `/api/v1`."""
    return f"/matches/{match['season']}/{quote(str(match['id']), safe='')}"


def saved_name(match: Match) -> str:
    """What its saved game is called when it is downloaded."""
    return f"{match.document['season']}-{match.page.stem}{SAVED}"


def verify_command(site: Site, match: Match) -> str | None:
    """The command that plays a match by its saved game again and compares; None if that is not kept."""
    if match.saved is None:
        return None
    url = f"{site.origins[0]}/api/v1{address(match.document)}{SAVED}"
    return f"{shell_line('curl', '-o', saved_name(match), url)} && {shell_line('referee', 'verify', saved_name(match))}"
