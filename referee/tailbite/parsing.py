"""The text of programs. One parser reads the programs of both games; a `Dialect` holds the differences.

1. A program consists of lines: `name:`, optionally `description:`, optionally `set A:` lines, then the charts. A chart is a
   heading and seven rows of seven cells. Empty lines are allowed everywhere except inside a chart. There are no comments.
2. Every error has a line and a column. Both count from 1, and columns count characters. If something is missing, the error
   gives the place where it should be.
3. The words of these lines and of elements can be Russian too, in any mixture. A program keeps the words that it was written
   with, and errors quote them.
4. A program is an untrusted file: its size is capped, and quotations from it are shortened and escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, NoReturn

from referee.errors import ProgramError
from referee.tailbite.patterns import (
    BY_LETTER,
    BY_WORD,
    CHART_SIDE,
    ELEMENTS,
    EVERY,
    HEADS,
    MOST_CHARTS,
    NOTHING,
    Chart,
    Pattern,
    Program,
    elements_of,
    suits_of,
)
from referee.text.words import MAX_NAME, counted, shorten

MOST_BYTES: Final = 64 * 1024
"""The most bytes of a program. A program with nine full charts has about 2,000."""
MOST_WORDS: Final = 1024
"""The most characters of a description."""
RUSSIAN: Final[Mapping[str, str]] = {
    "имя": "name",
    "описание": "description",
    "набор": "set",
    "карта": "map",
    "схема И": "scheme and",
    "схема ИЛИ": "scheme or",
}
"""The Russian words before a colon, and the English ones. A set's letter follows its word."""
_KEY: Final = re.compile(r"[ \t]*([^\W\d_]+(?:[ \t]+[^ \t:]+)?)[ \t]*:[ \t]*")
_TOKEN: Final = re.compile(r"[^ \t]+")
_WORDS: Final = ", ".join(element.word for element in ELEMENTS)
_LOOKALIKES: Final = str.maketrans("АВСТХУасху", "ABCTXYacxy")
"""The Cyrillic letters that look like letters of cells, and those letters."""


class Group(NamedTuple):
    """A group of patterns: its words, its rich colour in terminals (None for the usual one), and its colour in pages."""

    words: str
    colour: str | None
    paint: str


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """What is special to the programs of a game.

    Attributes:
        part: the word that players use for a chart.
        headings: the kind of chart for each text that can stand before the colon of a heading.
        groups: the groups, by sign.
        negation: the word for what a small letter means.
        sets: the letters of the sets that a program can define.
    """

    part: str
    headings: Mapping[str, str]
    groups: Mapping[str, Group]
    negation: str
    sets: tuple[str, ...] = ()


@lru_cache(maxsize=16)  # pages explain the same program for each step
def parse(source: bytes, file: str, dialect: Dialect) -> Program:
    """Read a program: bytes in UTF-8, whose lines end with LF or CRLF. `file` is its name for messages.

    Raises: ProgramError: the program has a mistake; the message says where, and how to correct it.
    """
    return _Reader(source, file, dialect).program()


class _Reader:
    """The parser of one file. `at` is the index of the next line, and `key` its text before the colon, as written."""

    def __init__(self, source: bytes, file: str, dialect: Dialect) -> None:
        self.file = shorten(file)
        self.dialect, self.part = dialect, dialect.part
        self.lines = _lines(source, self.file)
        self.at = 0
        self.key = ""
        self.sets: dict[str, tuple[str, ...]] = {}
        self.words: dict[str, str] = {}

    def program(self) -> Program:
        name = self._name()
        description = self._description(self._header_value("description")) if self._peek() == "description" else ""
        while self.dialect.sets and (header := self._peek() or "").startswith("set "):
            self._set(header.removeprefix("set "))
        charts: list[Chart] = []
        while (key := self._peek()) is not None:
            charts.append(self._chart(key, len(charts) + 1))
        if not charts:
            self._fail(len(self.lines), 1, f"the program has no {self.part}: write {self._headings()} and its rows")
        return Program(name, description, self.sets, tuple(charts), self.words)

    # -- Lines ------------------------------------------------------------------------------------------------

    def _peek(self) -> str | None:
        """The key of the next line that is not empty, in English; None at the end of the file."""
        while self.at < len(self.lines) and not self.lines[self.at].strip(" \t"):
            self.at += 1
        if self.at == len(self.lines):
            return None
        match = _KEY.match(self.lines[self.at])
        self.key = " ".join(_TOKEN.findall(match[1])) if match else ""
        return in_english(self.key)

    def _value(self) -> tuple[str, int]:
        """The text after the key of the next line, and its column. Consumes the line."""
        line = self.lines[self.at]
        match = _KEY.match(line)
        assert match is not None, "asked for lines that have a key"
        self.at += 1
        return line[match.end() :].rstrip(" \t"), match.end() + 1

    def _header_value(self, key: str) -> tuple[str, int]:
        """Like `_value`, for a line before the charts. Keeps the words of its key if they are not English."""
        if self.key != key:
            self.words[key] = self.key
        return self._value()

    def _fail(self, line: int, column: int, message: str) -> NoReturn:
        raise ProgramError(self.file, line, column, message)

    def _column(self) -> int:
        """The column where the text of the next line begins."""
        line = self.lines[self.at]
        return len(line) - len(line.lstrip(" \t")) + 1

    def _next_key(self) -> str:
        """The key of the next line, to end a message with; empty if it has none."""
        return f", not {shorten(repr(f'{self.key}:'), 40)}" if self.key else ""

    # -- The head of the file ----------------------------------------------------------------------------------

    def _name(self) -> str:
        key = self._peek()
        if key is None:
            self._fail(1, 1, "the file is empty: a program begins with the line name: NAME")
        if key != "name":
            self._fail(self.at + 1, self._column(), f"a program begins with the line name: NAME{self._next_key()}")
        name, column = self._header_value("name")
        self._check_length("name", name, column, MAX_NAME)
        if "\t" in name:
            self._fail(self.at, column + name.index("\t"), "a tab in the name: use spaces")
        return name

    def _description(self, value: tuple[str, int]) -> str:
        text, column = value
        self._check_length("description", text, column, MOST_WORDS)
        return text

    def _check_length(self, what: str, text: str, column: int, most: int) -> None:
        if len(text) > most:
            why = f"the {what} has {len(text)} characters, {most} are allowed: shorten it"
            self._fail(self.at, column + most, why)

    def _set(self, letter: str) -> None:
        line = self.at + 1
        column = len(self.lines[self.at].partition(":")[0].rstrip(" \t")) - len(letter) + 1
        if letter not in self.dialect.sets:
            advice = _latin(letter) or f"the sets are {', '.join(self.dialect.sets)}"
            self._fail(line, column, f"there is no set {shorten(repr(letter))}: {advice}")
        if letter in self.sets:
            self._fail(line, column, f"{self.key} is already defined: use another letter")
        text, first = self._header_value(f"set {letter}")
        words: list[str] = []
        for token in _TOKEN.finditer(text):
            word, column = token[0], first + token.start()
            if word not in BY_WORD:
                self._fail(line, column, f"{shorten(repr(word), 40)} is not an element: use {_WORDS}")
            if elements_of(words) & BY_WORD[word].bit:
                self._fail(line, column, f"{word} is already in this set: remove it")
            words.append(word)
            if elements_of(words) == EVERY:
                self._fail(line, column, "a set of all elements matches everything: remove one, or write -- in the map")
        if not words:
            self._fail(line, first, f"{self.key} is empty: write 1 to 6 of {_WORDS}")
        self.sets[letter] = tuple(words)

    # -- Charts -----------------------------------------------------------------------------------------------

    def _headings(self) -> str:
        return " or ".join(f"{heading}:" for heading in self.dialect.headings)

    def _chart(self, key: str, number: int) -> Chart:
        part, line, column = f"{self.part} {number}", self.at + 1, self._column()
        if key not in self.dialect.headings:
            header = "name, description, sets" if self.dialect.sets else "name, description"
            order = f"write {header}, each once, then {self.part}s of {CHART_SIDE} rows"
            self._fail(line, column, f"{self._headings()} was expected here{self._next_key()}: {order}")
        heading = self.key
        if number > MOST_CHARTS:
            self._fail(line, column, f"{part}: a program has at most {MOST_CHARTS}: remove one")
        description = self._description(self._value())
        head: tuple[int, int, str] | None = None
        patterns: list[Pattern] = []
        for y in range(CHART_SIDE):
            for x, (text, column) in enumerate(self._row(number, y)):
                if text in HEADS:
                    if head is not None:
                        self._fail(self.at, column, f"a second own head: {part} already has one in row {head[1] + 1}")
                    head = (x, y, HEADS[text])
                elif text != NOTHING:
                    patterns.append(Pattern(x, y, text, self._suits(text, column)))
        if head is None:
            choices = " ".join(HEADS)
            self._fail(line, 1, f"{part} has no own head: write its direction, one of {choices}, into one of the cells")
        return Chart(self.dialect.headings[key], heading, description, head[:2], head[2], tuple(patterns))

    def _row(self, number: int, y: int) -> Iterator[tuple[str, int]]:
        """The cells of the next row, each with its column. Consumes the line."""
        row = f"row {y + 1} of {self.part} {number}"
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        if not line.strip(" \t") or _KEY.match(line):
            at = min(self.at + 1, len(self.lines))
            self._fail(at, 1, f"{row} is missing: {CHART_SIDE} rows follow the heading, without empty lines")
        self.at += 1
        cells = list(_TOKEN.finditer(line))
        for token in cells:
            text, column = token[0], token.start() + 1
            if len(text) != 2:
                use = "write two characters for each, and spaces between cells"
                self._fail(self.at, column, f"{shorten(repr(text), 40)} is not a cell: {use}")
            yield text, column
        if len(cells) != CHART_SIDE:
            end = len(line.rstrip(" \t")) + 1
            self._fail(self.at, end, f"{row} has {counted(len(cells), 'cell')}, {CHART_SIDE} are needed")

    def _suits(self, text: str, column: int) -> int:
        """The set of elements that match a cell other than `--` and the own head."""
        letter, group = text[0], text[1]
        capital = letter.upper() if letter.isascii() else letter
        if capital in self.dialect.sets and capital not in self.sets:
            self._fail(self.at, column, f"there is no set {capital}: write a line set {capital}: before the maps")
        if capital not in BY_LETTER and capital not in self.sets:
            letters = "".join([*BY_LETTER, *self.dialect.sets])
            use = _latin(letter) or f"use one of {letters}, small for NOT, or {' '.join(HEADS)}"
            self._fail(self.at, column, f"{shorten(repr(letter))} is not an element: {use}")
        if group not in self.dialect.groups:
            groups = " ".join(self.dialect.groups)
            self._fail(self.at, column + 1, f"{shorten(repr(group))} is not a group: use one of {groups}")
        return suits_of(letter, self.sets)


def in_english(key: str) -> str:
    """A line's key in English; other words stay as they are."""
    word, blank, letter = key.partition(" ")
    return RUSSIAN.get(key) or (f"set {letter}" if blank and RUSSIAN.get(word) == "set" else key)


def _latin(letter: str) -> str:
    """What to write for a Cyrillic letter that looks like a letter of cells; empty for others."""
    latin = letter.translate(_LOOKALIKES)
    return "" if latin == letter else f"it is Cyrillic, write the Latin {latin}"


def _lines(source: bytes, file: str) -> list[str]:
    """The lines of a program, without their line ends.

    Raises: ProgramError: the program is too long, is not UTF-8, or has control characters.
    """
    if len(source) > MOST_BYTES:
        raise ProgramError(file, 0, 0, f"longer than {MOST_BYTES >> 10} KiB: shorten the program")
    try:
        text = source.decode()
    except UnicodeDecodeError as wrong:
        before = source[: wrong.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise ProgramError(file, line, column, f"{wrong.reason}: save the file as UTF-8") from None
    text = text.removeprefix("\ufeff")  # some editors write a byte order mark
    lines = [row.removesuffix("\r") for row in text.removesuffix("\n").split("\n")]
    for number, row in enumerate(lines, start=1):
        for column, character in enumerate(row, start=1):
            if character != "\t" and (character < " " or character == "\x7f"):
                raise ProgramError(file, number, column, f"a control character, {character!a}: remove it")
    return lines
