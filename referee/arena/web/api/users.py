"""The API of users: join, sign in and out, keys; for admins, invitations and changes of users."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, StringConstraints
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee.arena.access import may_administer
from referee.arena.rows import DAY, Role, User
from referee.arena.web.site import Site, moment, signed_in_user
from referee.text.strict import MayBeMissing, Strict
from referee.web.answers import Refusal, answer, document

Secret = Annotated[str, Field(max_length=200)]


class Token(Strict):
    """The body of POST /join."""

    token: Secret


class NameAndKey(Strict):
    """The body of POST /sign-in."""

    name: Secret
    key: Secret


class NewUser(Strict):
    """The body of POST /users; `expires` in days."""

    name: Secret
    role: Role = "author"
    group: MayBeMissing[Annotated[str, StringConstraints(min_length=1, max_length=80)]] = Field(None, alias="class")
    expires: Annotated[int, Field(ge=1, le=365)] = 7


class UserChange(Strict):
    """The body of PUT /users/NAME."""

    disabled: bool


async def _join(site: Site, request: Request) -> Response:
    invitation = await document(request, Token)
    try:
        user, key = site.accounts.join(invitation.token)
    except Refusal:
        site.sessions.count_guess(request)
        raise
    return _welcome(site, request, user, key, status=201)


async def _sign_in(site: Site, request: Request) -> Response:
    credentials = await document(request, NameAndKey)
    user = site.accounts.by_key(credentials.key)
    if user is not None and user.name.lower() != credentials.name.lower():
        user = None
    return _welcome(site, request, site.sessions.known(request, user, "this name and key do not belong together"), None)


async def _sign_out(site: Site, request: Request) -> Response:
    return site.sessions.end(request, answer({}))


async def _new_key(site: Site, request: Request) -> Response:
    user = signed_in_user(request)
    return _welcome(site, request, user, site.accounts.new_key(user, user.name), status=201)


def _welcome(site: Site, request: Request, user: User, key: str | None, *, status: int = 200) -> Response:
    """The answer to a user whose session begins, unless the request has a key, which needs no session."""
    response = answer({"name": user.name, "role": user.role, **({} if key is None else {"key": key})}, status=status)
    return response if "authorization" in request.headers else site.sessions.begin(request, user, response)


async def _me(site: Site, request: Request) -> Response:
    user, limits = signed_in_user(request), site.settings.limits
    count, size, _ = site.accounts.usage(user, site.now() - DAY)
    quota = {
        "bots": max(0, limits.bots - len(site.accounts.bots(user))),
        "uploads_left": max(0, limits.uploads - count),
        "bytes_left": max(0, (limits.disk << 20) - size),
    }
    return answer({"name": user.name, "role": user.role, "class": user.group, "quota": quota})


async def _invite(site: Site, request: Request) -> Response:
    admin, user = admin_of(request), await document(request, NewUser)
    term = user.expires * DAY
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
    """The admin who asks, and another user, whom the address names: admins cannot lock themselves out."""
    admin = admin_of(request)
    user = site.accounts.user(request.path_params["name"])
    if user is None:
        raise Refusal("not_found", "there is no such user")
    if user.id == admin.id:
        raise Refusal("conflict", "another admin has to do this to you: otherwise the arena could lose its last one")
    return admin, user


def admin_of(request: Request) -> User:
    """The user of a request, who is an admin.

    Raises:
        HTTPException: it is another user, who does not see that the address exists.
    """
    if not may_administer(user := signed_in_user(request)):
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
