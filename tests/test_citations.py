"""What docstrings and comments cite is there: documents, their headings, and the numbered rules of SnakeCore."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for room in ("referee", "sdk", "bots", "tests") for path in (ROOT / room).rglob("*.py"))
SNAKECORE = ROOT / "referee" / "games" / "snakecore" / "README.md"
RULE = re.compile(r"^(\d+)\. \*\*", re.MULTILINE)
IN_BRACKETS = "Numbers in brackets are the rules of README.md."

every_source = pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))


@cache
def prose(source: Path) -> str:
    """The docstrings and comments of a file, each a paragraph."""
    text = source.read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(text))
    found = [node.value.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    return "\n\n".join([*(words for words in found if isinstance(words, str)), *comments])


def documents(source: Path, name: str) -> list[Path]:
    """The documents that a name may mean: beside the file or in its parents, in referee/, at the top; nearest first."""
    parents = [parent for parent in source.parents if parent.is_relative_to(ROOT)]
    return [folder / name for folder in (*parents, ROOT / "referee", ROOT) if (folder / name).is_file()]


def headings(document: Path) -> set[str]:
    return set(re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE))


@cache
def rules() -> set[int]:
    """The numbers of SnakeCore's rules: 1, 2, 3 … without a gap."""
    numbers = [int(number) for number in RULE.findall(SNAKECORE.read_text(encoding="utf-8"))]
    assert numbers == list(range(1, len(numbers) + 1))
    return set(numbers)


def numbers_in(words: str) -> Iterator[int]:
    """`7`, `1, 2 and 5`, `8-15`, `7 to 16` as numbers."""
    for first, last in re.findall(r"(\d+)(?:(?:-| to )(\d+))?", words):
        yield from range(int(first), int(last or first) + 1)


@every_source
def test_every_document_that_is_named_exists(source: Path) -> None:
    for name in re.findall(r"[\w./-]*\w\.md\b", prose(source)):
        assert documents(source, name), f"there is no {name}"


@every_source
def test_every_heading_that_is_named_exists(source: Path) -> None:
    for name, heading in re.findall(r"\(([\w./-]*\w\.md), ([^();]+)\)", " ".join(prose(source).split())):
        assert any(heading in headings(document) for document in documents(source, name)), f"{name} has no {heading!r}"


@every_source
def test_every_rule_that_is_named_exists(source: Path) -> None:
    words = " ".join(prose(source).split())
    found = re.findall(r"\brules? (\d+(?:(?:, | and | to |-)\d+)*)", words)
    if IN_BRACKETS in words:
        found += re.findall(r"\((\d+(?:, \d+)*)(?:;[^)]*)?\)", words)
    cited = {number for numbers in found for number in numbers_in(numbers)}
    assert cited <= rules(), f"there is no rule {sorted(cited - rules())}"


def test_the_rules_cite_each_other() -> None:
    text = SNAKECORE.read_text(encoding="utf-8")
    assert {int(number) for number in re.findall(r"\((\d+)\)", text)} <= rules()


def test_every_rule_and_every_ruling_of_the_readme_has_a_test() -> None:
    tests = (ROOT / "tests" / "games" / "snakecore" / "test_rules.py").read_text(encoding="utf-8")
    assert set(map(int, re.findall(r"\ndef test_(\d\d)_", tests))) == rules()
    parts = RULE.split(SNAKECORE.read_text(encoding="utf-8").split("\n## Shields")[0])
    marked = {int(number) for number, text in zip(parts[1::2], parts[2::2], strict=True) if "**Ruling.**" in text}
    assert set(map(int, re.findall(r"\ndef test_(\d\d)_ruling_", tests))) == marked


def test_a_citation_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    source = tmp_path / "odd.py"
    source.write_text('"""By nowhere.md (PROTOCOL.md, Clocks), rules 3 and 99."""\nx = "not.md"  # see gone/off.md\n')
    assert prose(source) == "By nowhere.md (PROTOCOL.md, Clocks), rules 3 and 99.\n\n# see gone/off.md"
    with pytest.raises(AssertionError, match="no nowhere"):
        test_every_document_that_is_named_exists(source)
    with pytest.raises(AssertionError, match=r"no rule \[99\]"):
        test_every_rule_that_is_named_exists(source)
    test_every_heading_that_is_named_exists(source)
    other = tmp_path / "other.py"
    other.write_text("# (PROTOCOL.md, Watches)\n")
    with pytest.raises(AssertionError, match="no 'Watches'"):
        test_every_heading_that_is_named_exists(other)
