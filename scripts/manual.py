"""Writes referee/docs/library.md and the end of games.md: the public names, from their signatures and docstrings.

1. The page of the library has an entry for each name of `CHAPTERS`, and for each public method and property of a class.
2. A docstring becomes Markdown: its paragraphs as they are, its examples as code, its sections (`Args:`, …) as lists.
3. `public` is the same without prose, a line for each name. `tests/library/public.txt` and `gamekit.txt` keep it.
4. games.md ends with a table of the names of `referee.gamekit`, each with the first sentence about it.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Final, get_args

import referee
from referee import gamekit

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "referee" / "docs" / "library.md"
GAMES: Final = ROOT / "referee" / "docs" / "games.md"
NAMES: Final = "## The names\n"
"""The heading of the table in games.md, which is its last chapter."""
EXAMPLE: Final = ROOT / "tests" / "library" / "notebook.py"
WIDTH: Final = 100
HEAD: Final = """# The library for Python

`import referee` is for scripts, notebooks and tests of your own bot. It works in plain synchronous code, in a notebook too.
Nothing is printed: functions return values. What a bot does wrong is a value (`Fault`). What you do wrong is an exception with
one line that says what to do. Seats count from 0; steps and rounds count from 1.

The names on this page are public, and so are `referee.env.aec` and `parallel` for [training](training.md). Their changes follow
[semantic versioning](https://semver.org). All else may change in any version. The package has types for editors and type
checkers. A `Position` and an `Event` are JSON objects, `dict[str, Any]`.
"""
CHAPTERS: Final = {
    "Matches": ["play", "Player", "Match", "Policy"],
    "Rules and boards": ["Game", "Board", "Request"],
    "Saved games": ["load", "SavedGame", "Step", "Answer"],
    "Ratings": ["rate", "Standings"],
    "Results": ["Ranked", "Outcome", "Fault"],
}
CALLED: Final = frozenset({"Game"})
"""Classes that callers make."""
UNDOCUMENTED: Final = {
    "CONTRACT": "The version of the contract that this referee has.",
    "Document": "A program as a JSON object, for editors.",
    "Event": "Something that happened, as a JSON object.",
    "FaultName": "A kind of fault as files have it: `timeout`, `exit`, `overflow`, `invalid`, `sandbox`.",
    "HUES": "How many colours views have for cells without a seat.",
    "Lifetime": "`game` or `turn`: how long a process lives.",
    "MayBeMissing": "For a `Strict` model: the type of a key that may be left out, but is not null.",
    "NO_CODES": "For a `Strict` model: a text without control characters.",
    "Position": "A moment of a match as a JSON object.",
}
"""What is no class and no function, and so has no docstring."""
PLAYER: Final = "The type of a player of `play`, for annotations: `players: list[referee.Player]`."
_SECTION: Final = re.compile(r"(Args|Attributes|Returns|Raises):")


def page() -> str:
    """The page."""
    parts = [_filled(HEAD.strip())]
    parts.append(f"## An example\n\n```python\n{EXAMPLE.read_text(encoding='utf-8')}```")
    for title, names in CHAPTERS.items():
        parts.append(f"## {title}")
        for name in names:
            parts += _entry(name)
    parts.append(
        "## Errors\n\nAll but `InvalidReply`, a `ValueError`, are kinds of `RefereeError`. Attributes are in parentheses.\n"
    )
    parts[-1] += "".join(
        f"\n- `{name}`: {_error(getattr(referee, name))}" for name in filter(_is_error, referee.__all__)
    )
    return "\n\n".join(parts) + "\n"


def games_page() -> str:
    """games.md with its table made anew."""
    rows = "".join(
        f"| `{name}{_parameters(getattr(gamekit, name))}` | {_sentence(name)} |\n" for name in gamekit.__all__
    )
    before = GAMES.read_text(encoding="utf-8").partition(NAMES)[0]
    head = "A game imports them from `referee.gamekit`, and nothing else of the referee.\n\n| name | what it is |\n|---|---|\n"
    return f"{before}{NAMES}\n{head}{rows}"


def _parameters(value: object) -> str:
    """What a function takes, without types: `(rng, count)`."""
    if not inspect.isfunction(value):
        return ""
    plain = [it.replace(annotation=it.empty) for it in inspect.signature(value).parameters.values()]
    return str(inspect.Signature(plain))


def _sentence(name: str) -> str:
    """The first sentence about a name of `gamekit`."""
    value = getattr(gamekit, name)
    if name in UNDOCUMENTED:
        return UNDOCUMENTED[name]
    text = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.) ", text.replace("|", "\\|"))[0]


def public(module: ModuleType = referee) -> list[str]:
    """All public names in alphabetical order, with the signatures of what is called."""
    lines = []
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, UnionType):
            lines.append(_alias(name, value))
            continue
        if not inspect.isclass(value) and not inspect.isfunction(value):
            lines.append(name)
            continue
        if not inspect.isclass(value):
            lines.append(_signature(name, value))
            continue
        bases = ", ".join(base.__name__ for base in value.__bases__ if base is not object)
        lines.append(f"class {name}({bases})" if bases else f"class {name}")
        if issubclass(value, Exception):
            lines += [f"    {name}.{attribute}" for attribute in attributes(value)]
        else:
            lines += [f"    {line}" for line in _members(name, value, called=module is referee and name in CALLED)]
    return lines


def attributes(value: type[Any]) -> list[str]:
    """The attributes in the docstring of a class."""
    section = (inspect.getdoc(value) or "").partition("Attributes:\n")[2]
    return [name for names in re.findall(r"^    ([\w, ]+):", section, re.MULTILINE) for name in names.split(", ")]


def _members(name: str, value: type[Any], *, called: bool) -> Iterator[str]:
    if called:
        yield _signature(name, value.__init__)
    fields = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else _fields(value)
    for attribute in attributes(value) or fields:
        yield f"{name}.{attribute}"
    for member, definition in _own(value):
        if isinstance(definition, property) or not callable(definition):
            yield f"{name}.{member}"
        else:
            yield _signature(f"{name}.{member}", definition)


def _own(value: type[Any]) -> list[tuple[str, Any]]:
    """The public methods and properties that a class defines."""
    values = (
        {field.name for field in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else {*_fields(value)}
    )
    return [(name, member) for name, member in vars(value).items() if not name.startswith("_") and name not in values]


def _fields(value: type[Any]) -> Sequence[str]:
    """The fields of a named tuple."""
    return getattr(value, "_fields", ())


def _entry(name: str) -> Iterator[str]:
    value = getattr(referee, name)
    yield f"### {name}"
    if isinstance(value, UnionType):
        yield _code(_alias(name, value))
        yield PLAYER
        return
    if not inspect.isclass(value):
        yield _code(_signature(name, value))
        yield _markdown(inspect.getdoc(value))
        return
    yield _markdown(inspect.getdoc(value))
    if name in CALLED:
        yield _code(_signature(name, value.__init__))
        yield _markdown(inspect.getdoc(value.__init__))
    elif dataclasses.is_dataclass(value) and not attributes(value):
        yield _code(_signature(name, value))
    for member, definition in _own(value):
        docstring = inspect.getdoc(definition)
        if isinstance(definition, property) or not callable(definition):
            yield f"#### {name}.{member}"
        else:
            yield f"#### {name}.{member}()"
            yield _code(_signature(f"{name}.{member}", definition))
        yield _markdown(docstring)


def _alias(name: str, value: UnionType) -> str:
    """A type alias, as in the source."""
    kinds = [kind.__name__ if inspect.isclass(kind) else str(kind).rpartition("abc.")[2] for kind in get_args(value)]
    return f"{name} = {' | '.join(kinds)}"


def _signature(name: str, value: Any) -> str:
    """A call with the types, as in the source; without `self`."""
    signature = inspect.signature(value)
    parameters: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not any(text.startswith("*") for text in parameters):
            parameters.append("*")
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        parameters.append(f"{star}{parameter.name}: {parameter.annotation}{default}")
    result = "" if signature.return_annotation in ("None", signature.empty) else f" -> {signature.return_annotation}"
    return f"{name}({', '.join(parameters)}){result}"


def _code(signature: str) -> str:
    if len(signature) > WIDTH:
        call, inner, result = re.findall(r"^([\w.]+\()(.*)(\).*?)$", signature)[0]
        signature = "\n".join(
            [call, *(f"    {parameter}," for parameter in re.split(r", (?=\w+: |\*)", inner)), result]
        )
    return f"```python\n{signature}\n```"


def _markdown(docstring: str | None) -> str:
    """A docstring as Markdown."""
    assert docstring
    blocks = []
    for block in docstring.split("\n\n"):
        first, _, rest = block.partition("\n")
        if section := _SECTION.fullmatch(first):
            blocks.append(f"{section[1]}:\n\n" + _list(textwrap.dedent(rest)))
        elif block.startswith(">>> "):
            blocks.append(f"```python\n{block}\n```")
        else:
            blocks.append(_filled(block))
    return "\n\n".join(blocks)


def _list(items: str) -> str:
    """The items of a section as a list; lines that are indented go on with the item before them."""
    joined = re.sub(r"\n +", " ", items).splitlines()
    return "\n".join(
        textwrap.fill(
            re.sub(r"^([\w, ]+): ", lambda match: ", ".join(f"`{name}`" for name in match[1].split(", ")) + ": ", item),
            WIDTH,
            initial_indent="- ",
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for item in joined
    )


def _filled(text: str) -> str:
    """Paragraphs, and lists whose items begin with `- `, wrapped anew."""
    wrapped = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("- "):
            wrapped.append(_list(re.sub(r"^- ", "", paragraph, flags=re.MULTILINE)))
        else:
            wrapped.append(textwrap.fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False))
    return "\n\n".join(wrapped)


def _error(value: type[Any]) -> str:
    """The first sentence of an error's docstring as a clause, and its attributes."""
    sentence = (inspect.getdoc(value) or "").partition("\n")[0].partition(". ")[0].rstrip(".")
    names = ", ".join(f"`{name}`" for name in attributes(value))
    return f"{sentence[0].lower()}{sentence[1:]}{f' ({names})' if names else ''}."


def _is_error(name: str) -> bool:
    value = getattr(referee, name)
    return inspect.isclass(value) and issubclass(value, Exception)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    GAMES.write_text(games_page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} and {GAMES.relative_to(ROOT)} written")
