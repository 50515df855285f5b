"""Where pages lead to the editor, in an arena whose game has a language of its own."""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import quote

from referee import games
from referee.arena.rows import User
from referee.arena.web.html.frame import card
from referee.arena.web.site import Site
from referee.bots.programs import is_own_program
from referee.text.markup import Html, el, name


def is_drawn(site: Site, file: str | None = None) -> bool:
    """Whether bots can be drawn here; with the file of an upload, whether it is one that was drawn or could have been."""
    drawable = games.find(site.settings.game).programs is not None
    return drawable and (file is None or is_own_program(PurePath(file)))


def editor_link(bot: str, words: str | Html) -> Html:
    """A link to the editor of a bot's program."""
    return el("a", words, href=f"/edit/{quote(bot)}")


def drafts(site: Site, user: User) -> Html | None:
    """What a user draws: a form for a new program, and the drafts."""
    if not is_drawn(site):
        return None
    rows = [
        el(
            "li",
            editor_link(bot, name(bot)),
            " ",
            el("button", "Discard", type="button", data_discard=bot, aria_label=f"Discard the draft of {bot}"),
            class_="row",
        )
        for bot in site.drafts.bots(user.id)
    ]
    new = el(
        "form",
        el(
            "input",
            name="bot",
            list="own",
            required="",
            maxlength=32,
            placeholder="name of a bot",
            aria_label="Bot",
            autocomplete="off",
        ),
        el("button", "Draw", type="submit"),
        id="draw",
        class_="row",
    )
    hint = "Draw a program of a new bot, or a new version. A draft is yours alone until you submit it."
    return card("Draw", el("p", hint, class_="hint"), new, el("ul", *rows, id="drafts"))
