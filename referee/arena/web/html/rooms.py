"""The pages of users: one's own bots, a class, and what admins do."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee.arena.access import entrant_name, may_administer
from referee.arena.rows import Upload, User
from referee.arena.web.api.users import admin_of
from referee.arena.web.html.drawing import drafts
from referee.arena.web.html.frame import ASSETS, STATES, bot_link, card, frame, row, state_badge, table, when
from referee.arena.web.html.front import kits
from referee.arena.web.site import Site, signed_in
from referee.text.markup import Child, Html, el, name, together
from referee.web.pages import template


async def account(site: Site, request: Request) -> Response:
    """`/account`: upload, one's bots, the key, starter kits."""
    user = signed_in(request)
    limits, own = site.settings.limits, site.accounts.bots(user)
    rows = []
    for number, bot in own:
        newest = site.accounts.uploads("bots.id = ?", [number])[-1]
        withdraw = el("button", "Withdraw", type="button", data_withdraw=bot, aria_label=f"Withdraw {bot}")
        link = bot_link(entrant_name(site.settings, newest))
        rows.append(row(*_last_verdict(site, newest), withdraw, head=link, data_bot=bot))
    limited = (
        f"A ZIP file of the bot's folder, or one source file, of {limits.upload} MiB at most. You may have {limits.bots} bots "
        f"and upload {limits.uploads} versions a day."
    )
    body = template(
        ASSETS,
        "account.html",
        user=name(user.name),
        limits=limited,
        names=together(*(el("option", value=bot) for _, bot in own)),
        bots=table("bots", "Your bots", ("bot", "version", "state", "uploaded", ""), rows, kind="text"),
        drafts=drafts(site, user),
        kits=kits(site.settings.game),
    )
    return frame(site, request, "My bots", [body], kind="account")


async def class_page(site: Site, request: Request) -> Response:
    """`/class`: the students of a class, or of all for an admin, with each one's last verdict. Teachers and admins only."""
    user = signed_in(request)
    if user.role == "author":
        raise HTTPException(404)
    rows = []
    for student in site.accounts.users():
        if student.role == "author" and not student.disabled and (may_administer(user) or student.group == user.group):
            uploads = site.accounts.uploads("users.id = ?", [student.id])
            last: Sequence[Child] = [None] * 4
            if uploads:
                last = [bot_link(entrant_name(site.settings, uploads[-1])), *_last_verdict(site, uploads[-1])]
            head = name(student.name)
            rows.append(row(student.group, len(uploads), *last, head=head, data_user=student.name))
    heads = ("student", "class", "uploads", "last bot", "version", "state", "uploaded")
    body = card("Students", table("students", "Students", heads, rows, kind="text"), live="class-table")
    return frame(site, request, "Class", [el("h1", name(user.group or "All classes")), body], kind="class")


async def admin(site: Site, request: Request) -> Response:
    """`/admin`: users, invitations, the audit log."""
    admin_of(request)
    users = map(_user, site.accounts.users())
    invited = [row(name(who), role, group, when(end)) for who, role, group, end in site.accounts.invitations()]
    log = [row(when(at), name(who), what) for at, who, what in site.accounts.audit()]
    heads = ("name", "role", "class", "until")
    body = template(
        ASSETS,
        "admin.html",
        users=table("users", "Users", ("name", "role", "class", "state", ""), users, kind="text"),
        invitations=table("invitations", "Open invitations", heads, invited, kind="text"),
        log=table("audit", "Audit log", ("when", "who", "what"), log, kind="text"),
    )
    return frame(site, request, "Admin", [body], kind="admin")


def _user(user: User) -> Html:
    deeds = {"enable": "Enable"} if user.disabled else {"disable": "Disable"}
    buttons = [
        el("button", words, type="button", data_deed=deed, aria_label=f"{words}: {user.name}")
        for deed, words in {**deeds, "key": "New key", "delete": "Delete"}.items()
    ]
    state = "disabled" if user.disabled else "active"
    controls = el("div", *buttons, class_="row")
    return row(name(user.name), user.role, user.group, state, controls, data_user=user.name)


def _last_verdict(site: Site, upload: Upload) -> Sequence[Html]:
    """The version, its state in words, when it came."""
    state = site.version(upload).state
    link = el("a", f"version {upload.number}", href=f"/versions/{upload.id}")
    words = f" {STATES[state]}" if state == "failed" else None
    return link, el("span", state_badge(state), words), when(upload.created)
