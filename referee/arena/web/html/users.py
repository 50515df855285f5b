"""The pages of users: their own bots, a class, and the page of admins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee import games
from referee.arena.access import entrant_name, may_administer, teaches
from referee.arena.rows import Upload, User
from referee.arena.web.api.users import admin_of
from referee.arena.web.html.frame import ASSETS, bot_link, card, editor_link, frame, row, state_badge, table, when
from referee.arena.web.html.reading import kits
from referee.arena.web.site import Site, signed_in_user
from referee.text.markup import Child, Html, el, name, together
from referee.text.words import shorten
from referee.tournament.report.content import number
from referee.web.pages import template


async def account(site: Site, request: Request) -> Response:
    """`/account`: upload, one's bots, the key, starter kits."""
    user, limits = signed_in_user(request), site.settings.limits
    own, is_open = site.accounts.bots(user), site.state == "open"
    rows = []
    for key, bot in own:
        [newest] = site.accounts.newest_uploads("bots.id = ?", [key])
        withdraw = el("button", "Withdraw", type="button", data_withdraw=bot, aria_label=f"Withdraw {bot}")
        link = bot_link(entrant_name(site.settings, newest))
        rows.append(row(*_last_verdict(site, newest), withdraw, head=link, data_bot=bot))
    limited = (
        f"A ZIP file of the bot's folder, or one source file, of {limits.upload} MiB at most. You may have {limits.bots} bots "
        f"and upload {limits.uploads} versions a day."
    )
    names = together(*(el("option", value=bot) for _, bot in own))
    closed = el("p", "This arena takes no bots now.", id="closed", class_="notice")
    upload = template(ASSETS, "upload.html", limits=limited, names=names) if is_open else closed
    bots = table("bots", "Your bots", ("bot", "version", "state", "uploaded", ""), rows, kind="text")
    drafts = _drafts(site, user) if is_open and games.find(site.settings.game).programs else None
    parts = {"user": name(user.name), "upload": upload, "bots": bots, "drafts": drafts}
    page = template(ASSETS, "account.html", **parts, kits=kits(site.settings.game))
    return frame(site, request, "My bots", [page], kind="account")


def _drafts(site: Site, user: User) -> Html:
    rows = []
    for bot in site.drafts.bots(user.id):
        discard = el("button", "Discard", type="button", data_discard=bot, aria_label=f"Discard the draft of {bot}")
        rows.append(el("li", editor_link(bot, name(bot)), " ", discard, class_="row"))
    return template(ASSETS, "draw.html", drafts=together(*rows))


async def class_page(site: Site, request: Request) -> Response:
    """`/class`: the students of a class, or of all for an admin, with their bots. Teachers and admins only."""
    user = signed_in_user(request)
    if user.role == "author":
        raise HTTPException(404)
    sees_all = may_administer(user)
    students = site.accounts.users("role = 'author' AND NOT disabled")
    standings, rows = {line["name"]: line for line in site.standings["table"]}, list[Html]()
    for student in students:
        if sees_all or teaches(user, student.group):
            await anyio.lowlevel.checkpoint()  # hundreds of students take long: the site answers others meanwhile
            rows += _student(site, student, standings, grouped=sees_all)
    columns = ("bot", "rank", "rating", "matches", "version", "state", "uploaded")
    heads = ("student", *(("class",) if sees_all else ()), *columns)
    empty = "Nobody is here yet: the organiser puts teachers and authors into classes."
    body = card("Students", table("students", "Students", heads, rows, kind="text", empty=empty), live="class-table")
    title = name("All classes" if sees_all else user.group or "No class")
    return frame(site, request, "Class", [el("h1", title), body], kind="class")


def _student(site: Site, student: User, standings: Mapping[str, Mapping[str, Any]], *, grouped: bool) -> list[Html]:
    """A row for each bot of a student, the one with the newest version first, or one row without a bot.

    Args:
        grouped: whether the rows have the class.
    """
    group = [student.group] if grouped else []
    newest = site.accounts.newest_uploads("users.id = ?", [student.id])
    if not newest:
        return [row(*group, "no upload yet", *[None] * 6, head=name(student.name), data_user=student.name)]
    rows = list[Html]()
    for upload in reversed(newest):
        entrant = entrant_name(site.settings, upload)
        line = standings.get(entrant)
        figures = [line["rank"], number(line["rating"]), line["matches"]] if line else [None] * 3
        cells: list[Child] = [*group, bot_link(entrant), *figures, *_last_verdict(site, upload)]
        rows.append(row(*cells, head=name(student.name), data_user=None if rows else student.name, data_bot=entrant))
    return rows


async def admin(site: Site, request: Request) -> Response:
    """`/admin`: users, invitations, the audit log."""
    viewer = admin_of(request)
    users = [_user(user, viewer) for user in site.accounts.users()]
    invited = [row(name(who), role, group, when(end)) for who, role, group, end in site.accounts.invitations()]
    log = [row(when(at), name(who), what) for at, who, what in site.accounts.audit()]
    parts = {
        "users": table("users", "Users", ("name", "role", "class", "state", ""), users, kind="text"),
        "invitations": table(
            "invitations", "Open invitations", ("name", "role", "class", "until"), invited, kind="text"
        ),
        "log": table("audit", "Audit log", ("when", "who", "what"), log, kind="text"),
    }
    return frame(site, request, "Admin", [template(ASSETS, "admin.html", **parts)], kind="admin")


def _user(user: User, viewer: User) -> Html:
    actions = {"key": "New key"}
    if user.id != viewer.id:  # admins cannot lock themselves out
        actions |= {"enable": "Enable"} if user.disabled else {"disable": "Disable"}
        actions["delete"] = "Delete"
    buttons = [
        el("button", words, type="button", data_deed=action, aria_label=f"{words}: {user.name}")
        for action, words in actions.items()
    ]
    state = "disabled" if user.disabled else "active"
    return row(name(user.name), user.role, user.group, state, el("div", *buttons, class_="row"), data_user=user.name)


def _last_verdict(site: Site, upload: Upload) -> Sequence[Html]:
    """The version, its state and error, and its time, for those who may inspect it."""
    version = site.version(upload)
    error = site.error(version)
    link = el("a", f"version {upload.number}", href=f"/versions/{upload.id}")
    why = None if error is None else el("div", shorten(error, 160), class_="soft")
    return link, el("div", state_badge(version.state), why), when(upload.created)
