"""The pages of users: one's own bots, a class, and what admins do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from referee import games
from referee.arena.access import entrant_name, may_administer, teaches
from referee.arena.rows import Upload, User
from referee.arena.web.api.users import admin_of
from referee.arena.web.html.frame import ASSETS, bot_link, card, editor_link, frame, row, state_badge, table, when
from referee.arena.web.html.reading import kits
from referee.arena.web.site import Site, signed_in
from referee.text.markup import Child, Html, el, name, together
from referee.text.words import shorten
from referee.tournament.report.content import number
from referee.web.pages import template


async def account(site: Site, request: Request) -> Response:
    """`/account`: upload, one's bots, the key, starter kits."""
    user, limits = signed_in(request), site.settings.limits
    own, is_open = site.accounts.bots(user), site.state == "open"
    rows = []
    for key, bot in own:
        newest = site.accounts.uploads("bots.id = ?", [key])[-1]
        withdraw = el("button", "Withdraw", type="button", data_withdraw=bot, aria_label=f"Withdraw {bot}")
        link = bot_link(entrant_name(site.settings, newest))
        rows.append(row(*_last_verdict(site, newest), withdraw, head=link, data_bot=bot))
    limited = (
        f"A ZIP file of the bot's folder, or one source file, of {limits.upload} MiB at most. You may have {limits.bots} bots "
        f"and upload {limits.uploads} versions a day."
    )
    names = together(*(el("option", value=bot) for _, bot in own))
    closed = el("p", "This arena takes no bots now.", id="closed", class_="notice")
    body = template(
        ASSETS,
        "account.html",
        user=name(user.name),
        upload=template(ASSETS, "upload.html", limits=limited, names=names) if is_open else closed,
        bots=table("bots", "Your bots", ("bot", "version", "state", "uploaded", ""), rows, kind="text"),
        drafts=_drafts(site, user) if is_open and games.find(site.settings.game).programs else None,
        kits=kits(site.settings.game),
    )
    return frame(site, request, "My bots", [body], kind="account")


def _drafts(site: Site, user: User) -> Html:
    """What a user draws: a form for a new program, and the drafts."""
    rows = []
    for bot in site.drafts.bots(user.id):
        discard = el("button", "Discard", type="button", data_discard=bot, aria_label=f"Discard the draft of {bot}")
        rows.append(el("li", editor_link(bot, name(bot)), " ", discard, class_="row"))
    return template(ASSETS, "draw.html", drafts=together(*rows))


async def class_page(site: Site, request: Request) -> Response:
    """`/class`: the students of a class, or of all for an admin, with their bots. Teachers and admins only."""
    user = signed_in(request)
    if user.role == "author":
        raise HTTPException(404)
    sees_all = may_administer(user)
    students = site.accounts.users("role = 'author' AND NOT disabled")
    standings, rows = {line["name"]: line for line in site.standings["table"]}, list[Html]()
    for student in students:
        if sees_all or teaches(user, student.group):
            rows += _student(site, student, standings, grouped=sees_all)
    columns = ("bot", "rank", "rating", "matches", "version", "state", "uploaded")
    heads = ("student", *(("class",) if sees_all else ()), *columns)
    empty = "Nobody is in this class yet: the organiser puts authors into it."
    if user.group is None and not sees_all:
        empty = "You are in no class yet: the organiser puts you into yours."
    body = card("Students", table("students", "Students", heads, rows, kind="text", empty=empty), live="class-table")
    title = name("All classes" if sees_all else user.group or "No class")
    return frame(site, request, "Class", [el("h1", title), body], kind="class")


def _student(site: Site, student: User, standings: Mapping[str, Mapping[str, Any]], *, grouped: bool) -> list[Html]:
    """A row for each bot of a student, the one with the newest version first: its place in the standings, its last verdict.

    Args:
        grouped: whether the rows say the class.
    """
    group = [student.group] if grouped else []
    newest = dict[str, Upload]()
    for upload in reversed(site.accounts.uploads("users.id = ?", [student.id])):
        newest.setdefault(upload.bot, upload)
    if not newest:
        return [row(*group, "no upload yet", *[None] * 6, head=name(student.name), data_user=student.name)]
    rows = []
    for upload in newest.values():
        entrant = entrant_name(site.settings, upload)
        line = standings.get(entrant)
        figures = [line["rank"], number(line["rating"]), line["matches"]] if line else [None] * 3
        cells: list[Child] = [*group, bot_link(entrant), *figures, *_last_verdict(site, upload)]
        first = student.name if upload is next(iter(newest.values())) else None
        rows.append(row(*cells, head=name(student.name), data_user=first, data_bot=entrant))
    return rows


async def admin(site: Site, request: Request) -> Response:
    """`/admin`: users, invitations, the audit log."""
    viewer = admin_of(request)
    users = [_user(user, viewer) for user in site.accounts.users()]
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


def _user(user: User, viewer: User) -> Html:
    """A row for a user. Nobody locks himself out."""
    deeds = {"enable": "Enable"} if user.disabled else {"disable": "Disable"}
    deeds = {"key": "New key"} | ({} if user.id == viewer.id else {**deeds, "delete": "Delete"})
    buttons = [
        el("button", words, type="button", data_deed=deed, aria_label=f"{words}: {user.name}")
        for deed, words in deeds.items()
    ]
    state = "disabled" if user.disabled else "active"
    controls = el("div", *buttons, class_="row")
    return row(name(user.name), user.role, user.group, state, controls, data_user=user.name)


def _last_verdict(site: Site, upload: Upload) -> Sequence[Html]:
    """The version, its state and why it failed, when it came: for those who may inspect it."""
    version = site.version(upload)
    error = site.evidence(version)["error"]
    link = el("a", f"version {upload.number}", href=f"/versions/{upload.id}")
    why = None if error is None else el("div", shorten(error, 160), class_="soft")
    return link, el("div", state_badge(version.state), why), when(upload.created)
