"""The rules in other languages, beside README.md, say what README.md says.

A translation has all chapters but those of `LEFT_OUT`, paragraph by paragraph. A paragraph has the same kind, the same
numbers, the same literals in backticks and the same links as the English one. Examples are the same bytes; only in
`WORDED` blocks the words are translated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, NamedTuple

import pytest

from referee import games
from referee.files.assets import translations

LEFT_OUT = ("Positions", "Maps", "Saved games", "The closing table")
"""The English chapters that a translation refers to."""
WORDED = ("shield", "bites", "fights", "sh")
"""The kinds of blocks whose words are translated: tables, and commands with comments."""
TRANSLATIONS = [(name, lang) for name in games.names() for lang in translations(name) if lang != "en"]

every_translation = pytest.mark.parametrize(("name", "lang"), TRANSLATIONS)


class Part(NamedTuple):
    """A paragraph, a heading, a table or a fenced block: its first line in the file, and its lines."""

    line: int
    text: str

    @property
    def block(self) -> str:
        """What a fenced block contains: `request getAction`; empty for other parts."""
        return self.text.partition("\n")[0].removeprefix("```") if self.text.startswith("```") else ""


def text_of(name: str, lang: str) -> str:
    return (files(games) / name / translations(name)[lang]).read_text(encoding="utf-8")


def parts_of(text: str) -> Iterator[Part]:
    """The parts of a document, in order."""
    lines: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        inside = bool(lines) and lines[0].startswith("```")
        if inside or line.strip():
            lines.append(line)
        if lines and ((not line.strip() and not inside) or (inside and line == "```" and len(lines) > 1)):
            yield Part(number - len(lines) + 1, "\n".join(lines))
            lines = []
    assert not lines, "a block without an end"


def comparable(text: str, lang: str) -> list[Part]:
    """The parts of the chapters that are translated, without the one that links to the other languages."""
    chapter, parts = "", []
    for part in parts_of(text):
        chapter = part.text.removeprefix("## ") if part.text.startswith("## ") else chapter
        if (lang != "en" or chapter not in LEFT_OUT) and not re.search(r"\]\(README\.?\w*\.md\)", part.text):
            parts.append(part)
    return parts


def shape(part: Part) -> list[str]:
    """What kind of part this is: the beginnings of its lines without words, and its emphasis."""
    marks = re.findall(r"^ *(#+ |\d+\. (?=\*\*)|- |\|)", part.text, re.MULTILINE)
    return [*marks, *["**"] * part.text.count("**")]


def numbers(text: str, lang: str) -> Counter[str]:
    """The numbers of a text, in the English way without separators of thousands: `40000`, `0.5`."""
    separator = "," if lang == "en" else "[\u00a0\u202f]"
    joined = re.sub(rf"(?<=\d){separator}(?=\d{{3}}\b)", "", text)
    return Counter(re.findall(r"\d+(?:\.\d+)*", joined if lang == "en" else re.sub(r"(?<=\d),(?=\d)", ".", joined)))


def held(part: Part, lang: str) -> dict[str, Any]:
    """What a translation shares with the English text."""
    kind = part.block.partition(" ")[0]
    if kind in WORDED:
        rows = part.text.splitlines()
        words = [row.partition(" #")[0].rstrip() if kind == "sh" else re.findall(r"\d+|\b[A-Z]\b", row) for row in rows]
        return {"block": part.block, "rows": words}
    if kind:
        return {"block": part.text}
    return {
        "shape": shape(part),
        "numbers": numbers(part.text, lang),
        "literals": Counter(re.findall(r"`([^`]+)`", part.text)),
        "links": [link for link in re.findall(r"\]\(([^)]+)\)", part.text) if not link.startswith("#")],
        "links within": len(re.findall(r"\]\(#", part.text)),
    }


@every_translation
def test_a_translation_says_what_the_english_rules_say(name, lang):
    english, translated = (comparable(text_of(name, code), code) for code in ("en", lang))
    for ours, theirs in zip(english, translated, strict=False):
        assert (theirs.text, held(theirs, lang)) == (theirs.text, held(ours, "en")), (
            f"README.md:{ours.line}, README.{lang}.md:{theirs.line}"
        )
    assert len(translated) == len(english)


@every_translation
def test_each_language_links_to_the_other(name, lang):
    for one, other in (("en", lang), (lang, "en")):
        assert text_of(name, one).count(f"]({translations(name)[other]})") == 1


def test_links_within_a_page_lead_to_its_headings(game):
    for lang in translations(game.name):
        text = text_of(game.name, lang)
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        places = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= places
