"""What is wrong with a command line, in one line of plain words; the library that reads it has sentences of its own.

Every line says which word is meant and what would do instead, and ends with the command that tells the rest. The words are
quoted and shortened: a command line may hold anything.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

from referee.names import shorten

if TYPE_CHECKING:
    from cyclopts import Argument, Token

WIDTH: Final = 60
"""Characters of a word of the command line that are shown."""
LIKE: Final = 0.7
"""How like an option a word must be for the option to be meant, as difflib measures it."""


def told(wrong: CycloptsError, app: App) -> str:
    """The line about a command line that cannot be read.

    Args:
        app: the whole program, in which the command is looked up.
    """
    words = list(wrong.command_chain or ())
    help_of = " ".join(["referee", *words, "--help"])
    return f"{shorten(_sentence(wrong, _command(app, words), words), 400)} (see {help_of})"


def _command(app: App, words: Iterable[str]) -> App:
    for word in words:
        app = app[word]
    return app


def _sentence(wrong: CycloptsError, command: App, words: list[str]) -> str:
    match wrong:
        case UnknownCommandError():
            return _no_command((wrong.unused_tokens or [""])[0], command, words)
        case UnknownOptionError():
            return _no_option(wrong.token.keyword or wrong.token.value, wrong.argument_collection)
        case UnusedCliTokensError():
            left = wrong.unused_tokens or []
            return f"unexpected argument{'s' if len(left) > 1 else ''} {' '.join(map(_quoted, left))}"
        case MissingArgumentError():
            return _missing(wrong, command, words)
        case RepeatArgumentError():
            return f"{wrong.token.keyword} is given more than once"
        case CoercionError():
            return _no_value(wrong)
        case ValidationError() if wrong.argument is not None and wrong.argument.tokens:
            return f"{_name(wrong.argument.tokens[0], wrong.argument)}: {wrong.exception_message}"
    return " ".join(str(wrong).split())


def _no_command(word: str, command: App, words: list[str]) -> str:
    known = [name for name in command if not name.startswith("-")]
    if word.startswith("-"):
        return f"there is no option {shorten(word, WIDTH)} without a command: there are {', '.join(known)}"
    within = f"{' '.join(words)} has no command" if words else "there is no command"
    near = difflib.get_close_matches(word, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return f"{within} {_quoted(word)}: {hint}"


def _no_option(word: str, arguments: Iterable[Argument]) -> str:
    option = shorten(word.partition("=")[0], WIDTH)
    known = [name for argument in arguments if argument.parse for name in argument.names if name.startswith("-")]
    near = difflib.get_close_matches(option, known, 1, LIKE)
    if word == "-":
        return "standard input is written /dev/stdin"
    if Path(word).exists():
        return f"there is no option {option}; the file of that name is written ./{shorten(word, WIDTH)}"
    return f"there is no option {option}" + (f": did you mean {near[0]}?" if near else "")


def _missing(wrong: MissingArgumentError, command: App, words: list[str]) -> str:
    """Either a word that a command cannot do without, or the value of an option."""
    assert wrong.argument is not None
    if keyword := wrong.keyword or next((token.keyword for token in wrong.argument.tokens if token.keyword), None):
        return f"{keyword} needs a value: {keyword}{'=' if keyword.startswith('--') else ' '}{_value(wrong.argument)}"
    needed = [_written(argument) for argument in command.assemble_argument_collection() if argument.required]
    return f"{' '.join(words)} needs {_written(wrong.argument)}: referee {' '.join([*words, *needed])}"


def _written(argument: Argument) -> str:
    name = argument.name
    return f"{name} {_value(argument)}" if name.startswith("--") else name


def _value(argument: Argument) -> str:
    """What stands for an option's value."""
    if choices := _choices(argument.hint):
        return "|".join(choices)
    return argument.parameter.metavar or argument.name.lstrip("-").upper()


def _choices(hint: Any) -> list[str]:
    return list(map(str, get_args(hint))) if get_origin(hint) is Literal else []


def _no_value(wrong: CoercionError) -> str:
    token, argument = wrong.token, wrong.argument
    if token is None:
        return " ".join(str(wrong).split())
    name = _name(token, argument)
    if wrong.msg is not None:  # by a reader of our own
        return f"{name}: {wrong.msg}"
    if choices := _choices(wrong.target_type):
        near = difflib.get_close_matches(token.value.lower(), choices, 1)
        listed = f"{', '.join(choices[:-1])} or {choices[-1]}"
        return f"{name} is {listed}, not {_quoted(token.value)}" + (f": did you mean {near[0]}?" if near else "")
    if wrong.target_type is float:
        return f"{name}: {_quoted(token.value)} is no number"
    return f"{name} takes no value, and got {_quoted(token.value)}"


def _name(token: Token, argument: Argument | None) -> str:
    return token.keyword or (argument.name if argument is not None else "the command")


def _quoted(word: str) -> str:
    return shorten(repr(word), WIDTH)
