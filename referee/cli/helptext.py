"""How help is set: words in backticks as code, the lines of a paragraph filled.

1. cyclopts can read help as Markdown, which costs 35 ms for a parser and a highlighter. All the
   Markdown in our texts are paragraphs and words in backticks; these are set here, and look the same.
2. Nothing of rich or of cyclopts' own help is imported before there is help to show.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

CODE: Final = "bold cyan on black"
_CODE: Final = re.compile(r"`([^`]+)`")
_LINE: Final = re.compile(r"(?<!\n)\n(?!\n)")


class HelpText:
    """Sets help as cyclopts does by itself, with backticks and paragraphs on top; a `cyclopts.help.HelpFormatter`."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print the table of commands or options."""
        from cyclopts.help import DefaultFormatter

        for entry in panel.entries:
            _set(entry.description)
        DefaultFormatter()(console, options, panel)

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print the first line."""
        from cyclopts.help import DefaultFormatter

        DefaultFormatter().render_usage(console, options, usage)

    def render_description(self, console: Console, options: ConsoleOptions, description: Any) -> None:
        """Print what a command does."""
        _set(description)
        console.print(description)


def _set(described: Any) -> None:
    """Set a text of ours, where it is one: `described` holds it as `primary_renderable`."""
    from rich.text import Text

    if isinstance(text := getattr(described, "primary_renderable", None), Text):
        described.primary_renderable = set_text(text.plain)


def set_text(words: str) -> Text:
    """A help text as it is shown: paragraphs without their line ends, words in backticks as code."""
    from rich.text import Text

    text = Text()
    for number, part in enumerate(_CODE.split(_LINE.sub(" ", words.strip("\n")))):
        text.append(part, CODE if number % 2 else None)
    return text


def markup(words: str) -> str:
    """A help text in rich's markup, for where the parser of command lines takes no other."""
    return _CODE.sub(rf"[{CODE}]\1[/]", words)
