"""`referee arena invite` and `user`: invitations and users."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from cyclopts import Parameter

from referee.arena.commands.opening import WHO, Folder, accounts_of, files_of, moment, show, term
from referee.cli.options import Json
from referee.errors import UsageError

RoleName: TypeAlias = Literal["author", "teacher", "admin"]


def invite(
    folder: Folder,
    *names: Annotated[str, Parameter(help="The names of new users.")],
    role: Annotated[RoleName, Parameter(help="What they may do: a teacher sees the work of a class.")] = "author",
    group: Annotated[str | None, Parameter(name="--class", help="Their class.")] = None,
    expires: Annotated[str, Parameter(help="How long the links work: 30m, 12h, 7d.", metavar="TIME")] = "7d",
    roster: Annotated[
        Path | None, Parameter(name="--csv", help="A table of users with the columns name and perhaps role, class.")
    ] = None,
    json: Json = False,
) -> int:
    """Invite users: print a link for each, which works once.

    Users of a table who have joined are passed over, so a table that has grown can be given again. Before the arena's first run,
    only the end of each link is printed: put it behind the address of the arena.
    """
    from referee.arena.state import now

    seconds = term(expires)
    with accounts_of(folder) as accounts:
        known = {user.name.lower() for user in accounts.users()}
        listed = list(_read_users(roster, role, group)) if roster is not None else []
        users = [(name, role, group) for name in names] + [user for user in listed if user[0].lower() not in known]
        if not names and not listed:
            raise UsageError("nobody is invited: name users, or a table with --csv")
        for name, _, _ in users:  # all before the first is invited
            accounts.check_new(name)
        tokens = [accounts.invite(*user, seconds, WHO) for user in users]
    address = files_of(folder).address
    origin = address.read_text(encoding="utf-8") if address.exists() else ""
    end = now() + seconds
    invitations = [
        {"name": name, "role": role, "class": group, "token": token, "url": f"{origin}/join#{token}", "expires": end}
        for (name, role, group), token in zip(users, tokens, strict=True)
    ]
    show(invitations, [f"{it['name']}: {it['url']} (once, until {moment(end)})" for it in invitations], json=json)
    return 0


def user(
    folder: Folder,
    name: Annotated[str, Parameter(help="The name of the user.")],
    *,
    new_key: Annotated[bool, Parameter(negative="", help="Print a new key. The old one and all sessions end.")] = False,
    disable: Annotated[
        bool, Parameter(negative="", help="Sign the user out and refuse the key. Ends the invitation of a new user.")
    ] = False,
    enable: Annotated[bool, Parameter(negative="", help="Let the user sign in again.")] = False,
    role: Annotated[RoleName | None, Parameter(help="Give the user another role.")] = None,
    group: Annotated[str | None, Parameter(name="--class", help='Put the user into a class; "" is none.')] = None,
    withdraw: Annotated[
        str | None, Parameter(help="Take a bot of the user out of the contest.", metavar="BOT", negative="")
    ] = None,
    json: Json = False,
) -> int:
    """Show a user, or change what the user may do."""
    if disable and enable:
        raise UsageError("--disable and --enable exclude each other")
    key = None
    with accounts_of(folder) as accounts:
        person = accounts.user(name)
        if person is None and disable and (invited := accounts.uninvite(name, WHO)) is not None:
            invitee, role, group = invited
            ended = {"name": invitee, "role": role, "class": group, "disabled": True, "key": None}
            show(ended, [f"{invitee}: the invitation has ended"], json=json)
            return 0
        if person is None:
            raise UsageError(f"no user {name} has joined: `referee arena invite` makes a link to join with")
        if withdraw is not None:  # first: if there is no such bot, nothing changes, and no key is made that nobody sees
            accounts.withdraw(person, withdraw, WHO)
        if disable or enable or role is not None or group is not None:
            accounts.change(person, WHO, disabled=disable if disable or enable else None, role=role, group=group)
        if new_key:
            key = accounts.new_key(person, WHO)
        [person] = accounts.users("name = ?", name)
    shown = {"name": person.name, "role": person.role, "class": person.group, "disabled": person.disabled, "key": key}
    of_class = f", class {person.group}" if person.group is not None else ""
    lines = [f"{person.name}: {person.role}{of_class}{', disabled' if person.disabled else ''}"]
    lines += [f"key: {key}"] if key is not None else []
    lines += [f"{withdraw} is out of the contest"] if withdraw is not None else []
    show(shown, lines, json=json)
    return 0


def _read_users(path: Path, role: RoleName, group: str | None) -> Iterator[tuple[str, RoleName, str | None]]:
    """The users of a table: name, role, class."""
    from referee.arena.rows import check_name
    from referee.tournament.roster import cells
    from referee.web.refusals import Refusal

    rows = cells(path)
    columns = [cell.lower() for cell in next(rows, (1, ()))[1]]
    for number, row in rows:
        keys = dict(zip(columns, row, strict=False))
        if not keys.get("name"):
            raise UsageError(f"{path}, line {number}: no name: the first line names the columns name, role, class")
        of_role = keys.get("role") or role
        if of_role not in ("author", "teacher", "admin"):
            raise UsageError(f"{path}, line {number}: a role is author, teacher or admin")
        try:
            check_name(keys["name"], "user")
        except Refusal as wrong:
            raise UsageError(f"{path}, line {number}: {wrong}") from None
        yield keys["name"], of_role, keys.get("class") or group  # type: ignore[misc]
