"""The pages of users: one's own bots, a class, and what admins do."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from referee.arena.access import entrant_name, may_administer
from referee.arena.html_drawing import drafts
from referee.arena.html_frame import STATES, bot_link, card, field, frame, state_badge, table, when
from referee.arena.html_front import kits
from referee.arena.rows import Upload, User
from referee.arena.web_site import Site, signed_in
from referee.text.markup import Html, el, name
from referee.tournament.report.sheets import cells

ROLES = ("author", "teacher", "admin")


def account(site: Site, request: Request) -> Response:
    """`/account`: upload, one's bots, the key, starter kits."""
    user = signed_in(request)
    limits, own = site.settings.limits, site.accounts.bots(user)
    by_bot = {number: site.accounts.uploads("bots.id = ?", [number]) for number, _ in own}
    rows = [
        el(
            "tr",
            el("th", bot_link(entrant_name(site.settings, uploads[-1])), scope="row", class_="name"),
            *_last_verdict(site, uploads[-1]),
            el("td", el("button", "Withdraw", type="button", data_withdraw=called, aria_label=f"Withdraw {called}")),
            data_bot=called,
        )
        for (_, called), uploads in zip(own, by_bot.values(), strict=True)
    ]
    form = el(
        "form",
        field(
            "Bot",
            el(
                "input",
                name="bot",
                list="own",
                required="",
                pattern="[A-Za-z0-9][A-Za-z0-9._\\-]{0,31}",
                autocomplete="off",
            ),
        ),
        el("datalist", *(el("option", value=called) for _, called in own), id="own"),
        field("File", el("input", name="file", type="file", required="")),
        field("Note", el("input", name="note", maxlength=200, placeholder="what is new")),
        el("p", id="failed", role="alert", hidden=""),
        el(
            "div",
            el("button", "Upload", type="submit", class_="main"),
            el("progress", value=0, max=1, hidden="", id="sent"),
            class_="row",
        ),
        id="upload",
    )
    limited = (
        f"A ZIP file of the bot's folder, or one source file, of {limits.upload} MiB at most. You may have {limits.bots} bots "
        f"and upload {limits.uploads} versions a day."
    )
    key = el(
        "div",
        el("button", "Make a new key", id="new-key", type="button"),
        el("output", id="key", class_="secret", hidden=""),
    )
    body = el(
        "div",
        card("Upload", el("p", limited, class_="hint"), form),
        card(
            "Your bots",
            table("bots", "Your bots", ("bot", "version", "state", "uploaded", ""), rows, kind="text"),
            live="own-bots",
        ),
        drafts(site, user),
        kits(site.settings.game),
        card("Your key", el("p", "A new key ends the old one, and all other sessions.", class_="hint"), key),
        class_="grid",
    )
    return frame(site, request, "My bots", [el("h1", name(user.name)), body], kind="account", scripts=("forms.js",))


def class_page(site: Site, request: Request) -> Response:
    """`/class`: the students of a class, or of all for an admin, with each one's last verdict. Teachers and admins only."""
    user = signed_in(request)
    students = [
        one
        for one in site.accounts.users()
        if one.role == "author" and not one.disabled and (may_administer(user) or one.group == user.group)
    ]
    rows = []
    for student in students:
        uploads = site.accounts.uploads("users.id = ?", [student.id])
        last = (
            [bot_link(entrant_name(site.settings, uploads[-1])), *_last_verdict(site, uploads[-1])]
            if uploads
            else [None] * 4
        )
        verdict = [part if isinstance(part, Html) and part.startswith("<td") else el("td", part) for part in last]
        rows.append(
            el(
                "tr",
                el("th", name(student.name), scope="row", class_="name"),
                *cells(student.group, len(uploads)),
                *verdict,
                data_user=student.name,
            )
        )
    heads = ("student", "class", "uploads", "last bot", "version", "state", "uploaded")
    body = card("Students", table("students", "Students", heads, rows, kind="text"), live="class-table")
    return frame(site, request, "Class", [el("h1", name(user.group or "All classes")), body], kind="class")


def admin(site: Site, request: Request) -> Response:
    """`/admin`: users, invitations, the audit log."""
    invite = el(
        "form",
        field("Name", el("input", name="name", required="", autocomplete="off")),
        field("Role", el("select", *(el("option", role) for role in ROLES), name="role")),
        field("Class", el("input", name="class", maxlength=80)),
        field("Days", el("input", name="expires", type="number", value=7, min=1, max=365)),
        el("p", id="failed", role="alert", hidden=""),
        el("button", "Invite", type="submit", class_="main"),
        el("output", id="key", class_="secret", hidden=""),
        id="invite",
    )
    invited = [
        el("tr", *cells(name(who), role, group, when(end))) for who, role, group, end in site.accounts.invitations()
    ]
    log = [el("tr", *cells(when(at), name(who), what)) for at, who, what in site.accounts.audit()]
    users = table(
        "users", "Users", ("name", "role", "class", "state", ""), map(_user, site.accounts.users()), kind="text"
    )
    body = el(
        "div",
        card("Users", users, live="all-users", kind="wide"),
        card("Invite", invite),
        card(
            "Open invitations",
            table("invitations", "Open invitations", ("name", "role", "class", "until"), invited, kind="text"),
            live="invited",
        ),
        card("Audit log", table("audit", "Audit log", ("when", "who", "what"), log, kind="text"), live="log"),
        class_="grid",
    )
    return frame(site, request, "Admin", [el("h1", "Admin"), body], kind="admin", scripts=("forms.js",))


def _user(user: User) -> Html:
    deeds = [
        ("enable", "Enable") if user.disabled else ("disable", "Disable"),
        ("key", "New key"),
        ("delete", "Delete"),
    ]
    buttons = [
        el("button", words, type="button", data_deed=deed, aria_label=f"{words}: {user.name}") for deed, words in deeds
    ]
    state = "disabled" if user.disabled else "active"
    return el(
        "tr",
        *cells(name(user.name), user.role, user.group, state, el("div", *buttons, class_="row")),
        data_user=user.name,
    )


def _last_verdict(site: Site, upload: Upload) -> Sequence[Html]:
    """Cells: the version, its state in words, when it came."""
    state = site.version(upload).state
    link = el("a", f"version {upload.number}", href=f"/versions/{upload.id}")
    return cells(
        link, el("span", state_badge(state), f" {STATES[state]}" if state == "failed" else None), when(upload.created)
    )
