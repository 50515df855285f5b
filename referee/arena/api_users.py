"""The API of users: join, sign in and out, keys; for admins, invitations and changes of users."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, StringConstraints
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.arena.access import may_administer
from referee.arena.rows import Role, User
from referee.arena.web_site import Site, moment, signed_in
from referee.text.strict import MayBeMissing, Strict
from referee.web.answers import Refusal, answer, document

Secret = Annotated[str, Field(max_length=200)]
DAY: Final = 86_400


class Token(Strict):
    """What POST /join takes."""

    token: Secret


class NameAndKey(Strict):
    """What POST /sign-in takes."""

    name: Secret
    key: Secret


class NewUser(Strict):
    """What POST /users takes; `expires` in days."""

    name: Secret
    role: Role = "author"
    group: MayBeMissing[Annotated[str, StringConstraints(min_length=1, max_length=80)]] = Field(None, alias="class")
    expires: Annotated[int, Field(ge=1, le=365)] = 7


class UserChange(Strict):
    """What PUT /users/NAME takes."""

    disabled: MayBeMissing[bool] = None
    role: MayBeMissing[Role] = None


class UserApi:
    """The handlers."""

    def __init__(self, site: Site) -> None:
        """Those of an arena."""
        self.site = site

    def routes(self) -> list[Route]:
        """Their addresses."""
        return [
            Route("/join", self._join, methods=["POST"]),
            Route("/sign-in", self._sign_in, methods=["POST"]),
            Route("/sign-out", self._sign_out, methods=["POST"]),
            Route("/keys", self._new_key, methods=["POST"]),
            Route("/me", self._me),
            Route("/users", self._invite, methods=["POST"]),
            Route("/users/{name}", self._change, methods=["PUT"]),
            Route("/users/{name}", self._delete, methods=["DELETE"]),
            Route("/users/{name}/keys", self._key_of, methods=["POST"]),
        ]

    async def _join(self, request: Request) -> Response:
        said = await document(request, Token)
        self.site.sessions.check(request)
        try:
            user, key = self.site.accounts.join(said.token)
        except Exception:
            self.site.sessions.fail(request)
            raise
        return self._welcome(request, user, key, status=201)

    async def _sign_in(self, request: Request) -> Response:
        said = await document(request, NameAndKey)
        user = self.site.accounts.by_key(said.key)
        known = self.site.sessions.guessed(request, user if user and user.name.lower() == said.name.lower() else None)
        return self._welcome(request, known, None)

    async def _sign_out(self, request: Request) -> Response:
        return self.site.sessions.end(request, answer({}))

    async def _new_key(self, request: Request) -> Response:
        user = signed_in(request)
        return self._welcome(request, user, self.site.accounts.new_key(user, user.name), status=201)

    def _welcome(self, request: Request, user: User, key: str | None, *, status: int = 200) -> Response:
        """The answer to a user whose session begins, unless a key was shown that needs none."""
        made = answer({"name": user.name, "role": user.role, **({} if key is None else {"key": key})}, status=status)
        return made if "authorization" in request.headers else self.site.sessions.begin(request, user, made)

    async def _me(self, request: Request) -> Response:
        user, limits = signed_in(request), self.site.settings.limits
        count, size, _ = self.site.accounts.spent(user, self.site.now() - DAY)
        quota = {
            "bots": max(0, limits.bots - len(self.site.accounts.bots(user))),
            "uploads_left": max(0, limits.uploads - count),
            "bytes_left": max(0, (limits.disk << 20) - size),
        }
        return answer({"name": user.name, "role": user.role, "class": user.group, "quota": quota})

    async def _invite(self, request: Request) -> Response:
        admin, said = admin_of(request), await document(request, NewUser)
        term = float(said.expires * DAY)
        token = self.site.accounts.invite(said.name, said.role, said.group, term, admin.name)
        url = f"{self.site.origins[0]}/join#{token}"
        return answer(
            {"name": said.name, "token": token, "url": url, "expires": moment(self.site.now() + term)}, status=201
        )

    async def _change(self, request: Request) -> Response:
        admin, said = admin_of(request), await document(request, UserChange)
        user = self._other(request, admin)
        self.site.accounts.change(user, admin.name, disabled=said.disabled, role=said.role)
        return answer({})

    async def _delete(self, request: Request) -> Response:
        admin = admin_of(request)
        user = self._other(request, admin)
        self.site.accounts.delete(user, admin.name)
        return Response(status_code=204)

    async def _key_of(self, request: Request) -> Response:
        admin = admin_of(request)
        user = self._other(request, admin)
        return answer({"name": user.name, "key": self.site.accounts.new_key(user, admin.name)}, status=201)

    def _other(self, request: Request, admin: User) -> User:
        """The user of an address. Nobody locks oneself out."""
        user = self.site.accounts.user(request.path_params["name"])
        if user is None:
            raise Refusal("not_found", "there is no such user")
        if user.id == admin.id:
            raise Refusal(
                "conflict", "another admin has to do this to you: otherwise the arena could lose its last one"
            )
        return user


def admin_of(request: Request) -> User:
    """Who asks, if that is an admin.

    Raises:
        HTTPException: it is not: for others there is nothing at this address.
    """
    user = signed_in(request)
    if not may_administer(user):
        raise HTTPException(404)
    return user
