"""Formats help texts: words in backticks as code, lines of a paragraph joined.

1. cyclopts can format Markdown, which costs 35 ms for a parser and a highlighter. The help texts contain only paragraphs
   and words in backticks. This file formats those, with the same look.
2. rich and cyclopts' own help are imported only when there is help to show.
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
    """A `cyclopts.help.HelpFormatter` that formats backticks and paragraphs, and leaves the rest to cyclopts."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print the table of commands or options."""
        from cyclopts.help import DefaultFormatter

        for entry in panel.entries:
            _set(entry.description)
        DefaultFormatter()(console, options, panel)

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print the usage line."""
        from cyclopts.help import DefaultFormatter

        DefaultFormatter().render_usage(console, options, usage)

    def render_description(self, console: Console, options: ConsoleOptions, description: Any) -> None:
        """Print the description of a command."""
        _set(description)
        console.print(description)


def _set(described: Any) -> None:
    """Format a plain text; `described` holds it as `primary_renderable`."""
    from rich.text import Text

    if isinstance(text := getattr(described, "primary_renderable", None), Text):
        described.primary_renderable = set_text(text.plain)


def set_text(words: str) -> Text:
    """A formatted help text: paragraphs without line ends, words in backticks as code."""
    from rich.text import Text

    text = Text()
    for number, part in enumerate(_CODE.split(_LINE.sub(" ", words.strip("\n")))):
        text.append(part, CODE if number % 2 else None)
    return text


def markup(words: str) -> str:
    """A help text in rich's markup, which cyclopts needs for the epilogue."""
    return _CODE.sub(rf"[{CODE}]\1[/]", words)
