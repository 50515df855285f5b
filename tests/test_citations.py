"""Citations in docstrings and comments exist: documents, headings, and numbered rules of the games.

1. A number is a rule of the games that the path names (`referee/games/ants/`, `starter/ants/`, `test_ants.py`), that the sample
   bot plays, or that use the file's package (`referee/tailbite/`). Otherwise it is a rule of the main game.
2. In the packages of the games, a number in brackets is a rule too.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from referee import games

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for package in ("referee", "sdk", "bots", "tests") for path in (ROOT / package).rglob("*.py"))
GAMES = ROOT / "referee" / "games"
RULE = re.compile(r"^(\d+)\. \*\*", re.MULTILINE)
IN_BRACKETS = "Numbers in brackets are the rules of README.md."
CITATION = re.compile(r"\.md\b|\brules?\s+\d|" + IN_BRACKETS.replace(" ", r"\s+"))

every_game = pytest.mark.parametrize("game", games.names())


@cache
def prose(source: Path) -> str:
    """The docstrings and comments of a file, one per paragraph; none if no text in the file cites anything."""
    text = source.read_text(encoding="utf-8")
    if not (CITATION.search(text) or is_in_a_games_package(source)):
        return ""
    nodes = ast.walk(ast.parse(text))
    texts = [node.value.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    return "\n\n".join([*(words for words in texts if isinstance(words, str)), *comments])


def documents(source: Path, name: str) -> list[Path]:
    """The documents with this name, nearest first: in the folder of the file, its parents, referee/docs/ and the root."""
    parents = [parent for parent in source.parents if parent.is_relative_to(ROOT)]
    return [folder / name for folder in (*parents, ROOT / "referee" / "docs", ROOT) if (folder / name).is_file()]


def headings(document: Path) -> set[str]:
    return set(re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE))


@cache
def rules(document: Path) -> frozenset[int]:
    """The numbers of a document's rules, in order; none if there is no such document."""
    numbers = [int(number) for number in RULE.findall(document.read_text("utf-8"))] if document.is_file() else []
    assert numbers == sorted(set(numbers))
    return frozenset(numbers)


def within(source: Path) -> Path:
    """The path relative to the root of the repository; for a file outside it, the name."""
    return source.relative_to(ROOT) if source.is_relative_to(ROOT) else Path(source.name)


def rulebook(game: str) -> Path:
    return GAMES / game / "README.md"


@cache
def games_using(package: str) -> frozenset[str]:
    """The games that import a package of `referee`."""
    uses = re.compile(rf"^\s*(from|import) referee\.{re.escape(package)}\b", re.MULTILINE)
    return frozenset(
        name
        for name in games.names()
        if any(uses.search(path.read_text("utf-8")) for path in (GAMES / name).rglob("*.py"))
    )


def rulebooks(source: Path) -> list[Path]:
    """The documents with the rules that a file may cite."""
    path = within(source)
    words = {*path.parts[:-1], *path.stem.split("_")}
    named = [name for name in games.names() if name in words]
    if path.parts[0] == "bots":
        named = tomllib.loads((ROOT / "bots" / path.parts[1] / "bot.toml").read_text("utf-8"))["games"]
    named = named or sorted(games_using(path.parts[1]) if len(path.parts) > 2 else ())
    return [rulebook(name) for name in named or [games.find().name]]


def is_in_a_games_package(source: Path) -> bool:
    """Whether the file is in the folder of a game's rules, or in a package that games share."""
    return bool(rules(source.parent / "README.md") or shared_packages().intersection(within(source).parts[1:-1]))


@cache
def shared_packages() -> frozenset[str]:
    """The packages outside `games` that hold rules of some games."""
    packages = [path.name for path in (ROOT / "referee").iterdir() if (path / "rules.py").is_file()]
    return frozenset(package for package in packages if games_using(package))


def wrong_in(source: Path) -> Iterator[str]:
    """The citations of a file that lead nowhere."""
    words = " ".join(prose(source).split())
    for name in re.findall(r"[\w./-]*\w\.md\b", words):
        if not documents(source, name):
            yield f"there is no {name}"
    for name, heading in re.findall(r"\(([\w./-]*\w\.md), ([^();]+)\)", words):
        if not any(heading in headings(document) for document in documents(source, name)):
            yield f"{name} has no {heading!r}"
    cited = set(rules_cited_in(words, brackets=IN_BRACKETS in words or is_in_a_games_package(source)))
    known = {number for document in rulebooks(source) for number in rules(document)} if cited else set()
    if cited - known:
        yield f"there is no rule {sorted(cited - known)}"


def rules_cited_in(words: str, *, brackets: bool) -> Iterator[int]:
    lists = re.findall(r"\brules? (\d+(?:(?:, | and | to |-)\d+)*)", words)
    if brackets:
        lists += re.findall(r"(?<![\w\])`])\((\d+(?:, \d+)*)(?:;[^)]*)?\)", words)
    for numbers in lists:  # such as `1, 2 and 5`; of a range, its ends: rules have no gaps
        yield from map(int, re.findall(r"\d+", numbers))


def test_every_document_heading_and_rule_that_is_cited_exists() -> None:
    assert len(SOURCES) > 500
    assert [f"{within(source)}: {wrong}" for source in SOURCES for wrong in wrong_in(source)] == []


@every_game
def test_the_rules_have_no_gap_and_cite_each_other(game: str) -> None:
    text = rulebook(game).read_text(encoding="utf-8")
    cited = re.findall(r"(?<![\w\])`])\((\d+)\)", text) + re.findall(r"\brules? (\d+)", text)
    assert {int(number) for number in cited} <= rules(rulebook(game))
    # Games that share a package share its rules. The other rules of each game have higher numbers.
    shared = [games_using(package) for package in shared_packages() if game in games_using(package)]
    every = set(rules(rulebook(game))).union(*(rules(rulebook(name)) for names in shared for name in names))
    assert every == set(range(1, len(every) + 1))


@every_game
def test_every_rule_and_every_ruling_of_the_readme_has_a_test(game: str) -> None:
    packages = [
        ROOT / "tests" / "games" / game,
        *(ROOT / "tests" / package for package in shared_packages() if game in games_using(package)),
    ]
    own, *others = [
        "\n".join(path.read_text("utf-8") for path in sorted(package.glob("test_*.py"))) for package in packages
    ]

    def tested(text: str, kind: str) -> set[int]:
        return set(map(int, re.findall(rf"\ndef test_(\d\d){kind}", text)))

    known, every = rules(rulebook(game)), "\n".join([own, *others])
    assert tested(own, "_") <= known <= tested(every, "_")
    parts = RULE.split(rulebook(game).read_text("utf-8"))
    bodies = [part.split("\n## ")[0] for part in parts[2::2]]
    marked = {int(number) for number, text in zip(parts[1::2], bodies, strict=True) if "**Ruling.**" in text}
    assert tested(own, "_ruling_") <= marked <= tested(every, "_ruling_")


def test_wrong_citations_are_detected(tmp_path: Path) -> None:
    source = tmp_path / "odd.py"
    source.write_text('"""By nowhere.md (protocol.md, Clocks), rules 3 and 99."""\nx = "not.md"  # see gone/off.md\n')
    assert prose(source) == "By nowhere.md (protocol.md, Clocks), rules 3 and 99.\n\n# see gone/off.md"
    assert list(wrong_in(source)) == ["there is no nowhere.md", "there is no gone/off.md", "there is no rule [99]"]
    source.write_text("# (protocol.md, Watches)\n")
    prose.cache_clear()
    assert list(wrong_in(source)) == ["protocol.md has no 'Watches'"]
