"""The parser of command lines, made from the table of commands."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from inspect import getdoc
from typing import TYPE_CHECKING, Any, Final

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError

from referee import __version__
from referee.cli.commands import BEGINNING, COMMANDS, MANUAL, NAME, PURPOSE, Command
from referee.errors import UsageError
from referee.text.words import codes_of, shorten

if TYPE_CHECKING:
    from rich.console import Console

COMPLETION: Final = "--install-completion"
_LINE_END: Final = re.compile(r"(?<!\n)\n(?!\n)")


def _shown_default(value: object) -> str | None:
    """The default that help shows; none for a flag and for an option that may be left out."""
    return None if value is None or value is False or value in ((), "") else str(value)


def _app(table: Sequence[Command], **more: Any) -> App:
    app = App(**more)
    for command in table:
        if command.commands:
            app.command(_app(command.commands, name=command.name, help=command.line, help_epilogue=MANUAL))
        else:
            app.command(command.path, name=command.name, help=command.line, help_epilogue=MANUAL)
    return app


app = _app(
    COMMANDS, name=NAME, help=PURPOSE, help_epilogue=BEGINNING, version=__version__, help_format="plaintext",
    version_format="plaintext", backend="trio", default_parameter=Parameter(show_default=_shown_default),
)  # fmt: skip


def dispatch(arguments: Sequence[str]) -> object:
    """Run the command of a command line. Returns what the command returns.

    Raises:
        UsageError: the command line is wrong.
    """
    console = _prepare_help(arguments)
    if COMPLETION in arguments:  # costs imports
        app.register_install_completion_command(COMPLETION)
    try:
        return app(arguments, console=console, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as wrong:
        raise UsageError(_message(wrong)) from None


def _message(wrong: CycloptsError) -> str:
    """The error in a command line, in one line with the command that shows the help."""
    says = " ".join(str(wrong).split())
    if isinstance(wrong, UnusedCliTokensError):
        says = f"Unexpected argument: {' '.join(map(repr, wrong.unused_tokens or ()))}."
    return f"{shorten(says, 400)} (see {' '.join(['referee', *(wrong.command_chain or ()), '--help'])})"


def _prepare_help(arguments: Sequence[str]) -> Console | None:
    """Let `--help` of a command show its whole docstring, because the table of commands has only a line.

    Lines of a paragraph are joined, because cyclopts wraps plain text as it is. Its Markdown would cost 30 ms. Returns the
    console on which help is printed, if it is.
    """
    wants_help = bool({"--help", "-h"} & set(arguments))
    command = app
    for word in arguments:
        if word.startswith("-") or word not in command:
            break
        command = command[word]
    if wants_help and command.default_command is not None and (text := getdoc(command.default_command)):
        command.help = _LINE_END.sub(" ", text)
    if not wants_help and command.default_command is not None:
        return None
    from rich.console import Console

    return Console(file=codes_of(sys.stdout))
