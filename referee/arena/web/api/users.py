"""The API of users: join, sign in and out, keys; for admins, invitations and changes of users."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, StringConstraints
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee.arena.access import may_administer
from referee.arena.rows import DAY, Role, User
from referee.arena.web.site import Site, moment, signed_in
from referee.text.strict import MayBeMissing, Strict
from referee.web.answers import Refusal, answer, document

Secret = Annotated[str, Field(max_length=200)]


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

    disabled: bool


async def _join(site: Site, request: Request) -> Response:
    invitation = await document(request, Token)
    try:
        user, key = site.accounts.join(invitation.token)
    except Refusal:
        site.sessions.count_wrong(request)
        raise
    return _welcome(site, request, user, key, status=201)


async def _sign_in(site: Site, request: Request) -> Response:
    credentials = await document(request, NameAndKey)
    user = site.accounts.by_key(credentials.key)
    if user is not None and user.name.lower() != credentials.name.lower():
        user = None
    return _welcome(site, request, site.sessions.guessed(request, user), None)


async def _sign_out(site: Site, request: Request) -> Response:
    return site.sessions.end(request, answer({}))


async def _new_key(site: Site, request: Request) -> Response:
    user = signed_in(request)
    return _welcome(site, request, user, site.accounts.new_key(user, user.name), status=201)


def _welcome(site: Site, request: Request, user: User, key: str | None, *, status: int = 200) -> Response:
    """The answer to a user whose session begins, unless a key was shown that needs none."""
    response = answer({"name": user.name, "role": user.role, **({} if key is None else {"key": key})}, status=status)
    return response if "authorization" in request.headers else site.sessions.begin(request, user, response)


async def _me(site: Site, request: Request) -> Response:
    user, limits = signed_in(request), site.settings.limits
    count, size, _ = site.accounts.spent(user, site.now() - DAY)
    quota = {
        "bots": max(0, limits.bots - len(site.accounts.bots(user))),
        "uploads_left": max(0, limits.uploads - count),
        "bytes_left": max(0, (limits.disk << 20) - size),
    }
    return answer({"name": user.name, "role": user.role, "class": user.group, "quota": quota})


async def _invite(site: Site, request: Request) -> Response:
    admin, user = admin_of(request), await document(request, NewUser)
    term = float(user.expires * DAY)
    token = site.accounts.invite(user.name, user.role, user.group, term, admin.name)
    url = f"{site.origins[0]}/join#{token}"
    return answer({"name": user.name, "token": token, "url": url, "expires": moment(site.now() + term)}, status=201)


async def _change(site: Site, request: Request) -> Response:
    admin_of(request)
    change = await document(request, UserChange)
    admin, user = _admin_and_user(site, request)
    site.accounts.change(user, admin.name, disabled=change.disabled)
    return answer({})


async def _delete(site: Site, request: Request) -> Response:
    admin, user = _admin_and_user(site, request)
    site.accounts.delete(user, admin.name)
    return Response(status_code=204)


async def _key_of(site: Site, request: Request) -> Response:
    admin, user = _admin_and_user(site, request)
    return answer({"name": user.name, "key": site.accounts.new_key(user, admin.name)}, status=201)


def _admin_and_user(site: Site, request: Request) -> tuple[User, User]:
    """Who asks, and the user of the address, who is another: admins cannot lock themselves out."""
    admin = admin_of(request)
    user = site.accounts.user(request.path_params["name"])
    if user is None:
        raise Refusal("not_found", "there is no such user")
    if user.id == admin.id:
        raise Refusal("conflict", "another admin has to do this to you: otherwise the arena could lose its last one")
    return admin, user


def admin_of(request: Request) -> User:
    """Who asks, if that is an admin.

    Raises:
        HTTPException: it is not: for others there is nothing at this address.
    """
    user = signed_in(request)
    if not may_administer(user):
        raise HTTPException(404)
    return user


ROUTES: Final = (
    ("POST", "/join", _join),
    ("POST", "/sign-in", _sign_in),
    ("POST", "/sign-out", _sign_out),
    ("POST", "/keys", _new_key),
    ("GET", "/me", _me),
    ("POST", "/users", _invite),
    ("PUT", "/users/{name}", _change),
    ("DELETE", "/users/{name}", _delete),
    ("POST", "/users/{name}/keys", _key_of),
)
"""The handlers by their addresses below `/api/v1`."""
