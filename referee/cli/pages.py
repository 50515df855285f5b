"""`referee rules`, `help`, `schema` and `sdk path`: the documents of the referee, and the folders of the SDKs."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Any, Final

from cyclopts import Parameter

from referee.cli.options import Color
from referee.errors import UsageError
from referee.text.words import did_you_mean, shorten

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
FILES: Final = ("saved-game", "tournament.toml", "bot.toml")
"""Files whose schemas are made from their strict models. What a schema cannot say, only the referee checks."""
_BLOCK: Final = re.compile(r"^```schema (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
"""Matches a schema on the manual's page about `--json`, which tests compare with real output."""


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


def schema(name: Annotated[str | None, Parameter(help="The document; without one, all are listed.")] = None, /) -> None:
    """Print the JSON Schema of a document: of what a command prints with `--json`, or of a file.

    `saved-game` describes a line of a saved game, `tournament.toml` and `bot.toml` what these files say, as JSON has it.
    """
    documents = schemas()
    names = [*documents, *FILES]
    if name is None:
        print(*names, sep="\n")
        return
    if name not in names:
        asked = f"{shorten(repr(name), 60)}{did_you_mean(name, names)}"
        raise UsageError(f"there is no schema {asked}; there are: {', '.join(names)}")
    document = documents[name] if name in documents else _of_file(name)
    print(json.dumps({"$schema": DIALECT, **document, "title": name}, indent=2, ensure_ascii=False))


def schemas() -> Mapping[str, Any]:
    """The schemas of what commands print, by name, as the manual has them."""
    page = (files("referee") / "docs" / "json.md").read_text(encoding="utf-8")
    return {name: json.loads(text) for name, text in _BLOCK.findall(page)}


def _of_file(name: str) -> dict[str, Any]:
    """The schema of a file, from its strict model."""
    if name == "tournament.toml":
        from referee.tournament.settings import Settings

        return Settings.model_json_schema()
    if name == "bot.toml":
        from referee.bots import Manifest

        return Manifest.model_json_schema()
    from pydantic import TypeAdapter

    from referee.saved.entries import Header, ResultEntry, StepEntry

    return TypeAdapter[Any](Header | StepEntry | ResultEntry).json_schema()


def sdk_path(language: Annotated[str, Parameter(help="The language, such as python.")], /) -> None:
    """Print the folder of a language's SDK, for your editor or your own build."""
    from referee import languages
    from referee.files import assets

    entry = languages.find(language)
    if entry.sdk is None:
        with_sdk = ", ".join(other.name for other in languages.every() if other.sdk is not None)
        raise UsageError(f"there is no SDK for {entry.title}, only for {with_sdk}")
    print(assets.folder("sdk") / entry.sdk)


def _show(text: str, color: Color) -> None:
    if sys.stdout.isatty() and color != "never":
        from rich.markdown import Markdown

        from referee.terminal.console import open_terminal

        open_terminal(color=color).out.print(Markdown(text))
    else:
        print(text, end="")
