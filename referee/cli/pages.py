"""`referee rules`, `referee help` and `referee sdk path`: the documents of the referee, and the folders of the SDKs."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from referee.cli.options import Color
from referee.errors import UsageError
from referee.text.words import did_you_mean, shorten


def rules(
    game: Annotated[str | None, Parameter(help="The game; without one, the main game.")] = None,
    /,
    *,
    lang: Annotated[
        str, Parameter(help="The language of the text, such as ru or fr, if the game's rules were translated.")
    ] = "en",
    color: Color = "auto",
) -> None:
    """Print a game's rules and protocol: formatted on a terminal, as Markdown into a pipe."""
    from referee import games
    from referee.files import assets

    chosen = games.find(game)
    translations = assets.translations(chosen.name)
    if not translations:
        raise UsageError(f"{chosen.name} came without rules: its package has no README.md")
    if lang not in translations:
        asked = f"{shorten(repr(lang))}{did_you_mean(lang, translations)}"
        raise UsageError(f"the rules of {chosen.name} are not written in {asked}; there are: {', '.join(translations)}")
    _show((assets.rules(chosen.name) / translations[lang]).read_text(encoding="utf-8"), color)


def help_page(
    topic: Annotated[str | None, Parameter(help="The page; without one, all are listed.")] = None,
    /,
    *,
    color: Color = "auto",
) -> None:
    """Print a page of the manual: formatted on a terminal, as Markdown into a pipe.

    Without a topic, the pages are listed. `referee COMMAND --help` describes the options of a command.
    """
    from referee.files import assets

    pages = assets.manual()
    if topic is None:
        width = max(map(len, pages))
        for name, page in pages.items():
            print(f"referee help {name:<{width}}  {assets.title(page)}")
        return
    if topic not in pages:
        asked = f"{shorten(repr(topic))}{did_you_mean(topic, sorted(pages))}"
        raise UsageError(f"no page is called {asked}; there are: {', '.join(sorted(pages))}")
    _show(pages[topic].read_text(encoding="utf-8"), color)


def sdk_path(language: Annotated[str, Parameter(help="The language, such as python.")], /) -> None:
    """Print the folder of a language's SDK, for your editor or your own build."""
    from referee import languages
    from referee.files import assets

    entry = languages.find(language)
    if entry.sdk is None:
        with_sdk = ", ".join(other.name for other in languages.every() if other.sdk is not None)
        raise UsageError(f"there is no SDK for {entry.title}, only for {with_sdk}{_kit_instead(entry.name)}")
    print(assets.folder("sdk") / entry.sdk)


def _kit_instead(language: str) -> str:
    """The command that writes a first bot in a language without an SDK; empty without a starter kit."""
    from referee import games
    from referee.bots import starter
    from referee.cli.again import command, game_words

    for game in games.every():
        if language in starter.languages_for(game.name):
            return f": `{command('new', language, 'FOLDER', *game_words(game))}` writes a first bot without an SDK"
    return ""


def _show(text: str, color: Color) -> None:
    if sys.stdout.isatty() and color != "never":
        from rich.markdown import Markdown

        from referee.terminal.console import open_terminal

        open_terminal(color=color).out.print(Markdown(text))
    else:
        print(text, end="")
