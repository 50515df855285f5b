"""Programs as text and as JSON documents for editors. A document may come from a browser, so it is read strictly.

1. A document has everything that a program says. It also has what an editor needs to know of the language: elements, groups,
   limits. `text_of` ignores that part.
2. The text of a document is written, read by the parser of programs, and written again. So the parser alone says what is wrong,
   with the line and column of that text, and the result has the usual form.
3. A program that has not changed keeps its bytes. If it has changed, empty lines and spaces get the usual form, and the ends of
   lines stay as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import starmap
from typing import Annotated, Any, Final, NamedTuple

from pydantic import AfterValidator, Field, StringConstraints

from referee.contract.programs import Document
from referee.errors import ProgramError
from referee.tailbite.matching import groups
from referee.tailbite.parsing import MOST_BYTES, MOST_WORDS, RUSSIAN, Dialect, Group, in_english, parse
from referee.tailbite.patterns import CHART_SIDE, ELEMENTS, HEADS, MOST_CHARTS, NOTHING, Chart, Program, in_words
from referee.tailbite.sight import Options
from referee.tailbite.verdicts import GroupVerdict, Meaning, offset
from referee.text.strict import Strict, read
from referee.text.words import MAX_NAME


class ChartText(NamedTuple):
    """A chart as text: the words before its colon, its description, and its rows."""

    heading: str
    description: str
    rows: Sequence[str]


def text(program: Program) -> str:
    """The text of a program. `parse` reads the same program from it."""
    charts = [ChartText(c.heading, c.description, [" ".join(row) for row in c.rows()]) for c in program.charts]
    return program_text(program.name, program.description, program.sets, charts, program.words)


def program_text(
    name: str,
    description: str,
    sets: Mapping[str, Sequence[str]],
    charts: Iterable[ChartText],
    words: Mapping[str, str],
) -> str:
    """The parts of a `Program` as text, with LF, single spaces, and one empty line before each chart. Checks nothing."""

    def line(key: str, value: str) -> str:
        return f"{words.get(key, key)}: {value}".rstrip(" ")

    lines = [line("name", name)]
    if description:
        lines.append(line("description", description))
    lines += [line(f"set {letter}", " ".join(elements)) for letter, elements in sets.items()]
    for chart in charts:
        lines += ["", f"{chart.heading}: {chart.description}".rstrip(" "), *chart.rows]
    return "\n".join(lines) + "\n"


FILE: Final = "the program"
"""What messages call a document, which has no file."""


def _look(text: str, tone: str, side: int | None = None, arms: int = 0) -> Mapping[str, Any]:
    """How an element is drawn, as a mark of a board: its text, its tone, its seat, 0 for an own part and 1 for an enemy's, and
    the sides on which it is joined to its neighbours (1 up, 2 right, 4 down, 8 left)."""
    return {"text": text, "tone": tone, "seat": side, "sides": arms}


_LOOKS: Final = {
    "V": _look("  ", "empty"),
    "W": _look("##", "wall"),
    "S": _look("1.", "body", 0, 5),
    "T": _look("1_", "tail", 0, 1),
    "X": _look("2v", "head", 1),
    "Y": _look("2.", "body", 1, 5),
    "Z": _look("2_", "tail", 1, 1),
}


def _one_line(value: str) -> str:
    if any(character < " " and character != "\t" for character in value):
        raise ValueError("must be one line of text")
    return value


_Line = Annotated[str, StringConstraints(max_length=2 * MOST_WORDS), AfterValidator(_one_line)]


class _Chart(Strict, extra="ignore"):
    kind: _Line
    heading: _Line = ""
    description: _Line = ""
    rows: Annotated[list[_Line], Field(min_length=CHART_SIDE, max_length=CHART_SIDE)]


class _Document(Strict, extra="ignore"):
    name: _Line
    description: _Line = ""
    words: Annotated[dict[_Line, _Line], Field(max_length=10)] = Field(default_factory=dict)
    sets: Annotated[dict[_Line, Annotated[list[_Line], Field(max_length=2 * len(ELEMENTS))]], Field(max_length=10)] = (
        Field(default_factory=dict)
    )
    charts: Annotated[list[_Chart], Field(max_length=2 * MOST_CHARTS)]


def document_of(source: bytes, file: str, meaning: Meaning) -> Document:
    """A program as a document. Raises: ProgramError."""
    program = parse(source, file, meaning.dialect)
    return {
        "name": program.name,
        "description": program.description,
        "words": dict(program.words),
        "sets": {letter: list(words) for letter, words in program.sets.items()},
        "charts": [
            {
                "kind": chart.kind,
                "heading": chart.heading,
                "description": chart.description,
                "rows": [" ".join(row) for row in chart.rows()],
                "reads": in_plain_words(chart, meaning),
            }
            for chart in program.charts
        ],
        **_language(meaning.dialect),
        "notes": _notes(source, program),
    }


def text_of(document: Any, source: bytes | None, dialect: Dialect) -> str:
    """The text of a document; `source` is the text before it was edited, None if it is new. Raises: ProgramError."""
    model = read(_Document, document, lambda why: ProgramError(FILE, 0, 0, why))
    for key, word in model.words.items():
        if in_english(word) != key:
            raise ProgramError(FILE, 0, 0, f"words: {word!a} does not mean {key!a}")
    charts = [
        ChartText(_heading(chart, number, dialect), chart.description, chart.rows)
        for number, chart in enumerate(model.charts, start=1)
    ]
    raw = program_text(model.name, model.description, model.sets, charts, model.words)
    program = parse(raw.encode(), FILE, dialect)
    if source is None:
        return text(program)
    try:
        if parse(source, FILE, dialect) == program:
            return source.decode()
    except ProgramError:
        return text(program)
    return text(program).replace("\n", "\r\n") if b"\r\n" in source else text(program)


def _heading(chart: _Chart, number: int, dialect: Dialect) -> str:
    """What stands before a chart's colon: the words of the document if they mean its kind, or the usual ones in its language."""
    kinds = {kind: heading for heading, kind in dialect.headings.items()}
    if (usual := kinds.get(chart.kind)) is None:
        choices = " or ".join(map(repr, kinds))
        raise ProgramError(FILE, 0, 0, f"{dialect.part} {number} has the kind {chart.kind!a}: write {choices}")
    if in_english(chart.heading) == usual:
        return chart.heading
    in_russian = {english: russian for russian, english in RUSSIAN.items()}
    return in_russian[usual] if chart.heading in RUSSIAN else usual


def _language(dialect: Dialect) -> Mapping[str, Any]:
    """What an editor needs to know of the language."""
    return {
        "part": dialect.part,
        "kinds": [{"kind": kind, "heading": heading} for heading, kind in dialect.headings.items()],
        "elements": [
            {"letter": element.letter, "word": element.word, "look": _LOOKS[element.letter]} for element in ELEMENTS
        ],
        "letters": list(dialect.sets),
        "groups": [
            {"sign": sign, "word": group.words, "colour": group.paint} for sign, group in dialect.groups.items()
        ],
        "heads": [
            {"text": text, "move": move, "look": _look(f"1{text[0]}", "head", 0)} for text, move in HEADS.items()
        ],
        "nothing": NOTHING,
        "negation": dialect.negation,
        "limits": {
            "bytes": MOST_BYTES,
            "name": MAX_NAME,
            "description": MOST_WORDS,
            "charts": MOST_CHARTS,
            "side": CHART_SIDE,
            "set": len(ELEMENTS) - 1,
        },
    }


def _notes(source: bytes, program: Program) -> list[str]:
    if source.decode().replace("\r\n", "\n") == text(program):
        return []
    return ["when you change this program, its empty lines and spaces get the usual form; nothing else is lost"]


# -- A chart in words ---------------------------------------------------------------------------------------------


def in_plain_words(chart: Chart, meaning: Meaning) -> str:
    """What a chart requires, and where the snake then goes, as in `empty 1 up, and enemy tail in any of 3 cells (white)`."""
    if meaning.skips(chart):
        return f"an empty {meaning.dialect.part}: it is skipped"
    by_sign = groups([(pattern, pattern.y * CHART_SIDE + pattern.x) for pattern in chart.patterns])

    def group(sign: str, whole: bool) -> str:
        return _group(GroupVerdict(sign, whole, by_sign[sign], ()), chart, meaning.dialect.groups[sign])

    required = meaning.conditions(chart, list(by_sign), Options())
    conditions = [", or ".join(starmap(group, condition)) for condition in required]
    goes = {"U": "up", "L": "left", "D": "down", "R": "right"}[chart.facing]
    return f"{'; and '.join(conditions) or 'anything'} → goes {goes}, or any rotation or reflection of this"


def _group(group: GroupVerdict, chart: Chart, named: Group) -> str:
    by_suits: dict[int, list[str]] = {}
    for pattern, _ in group.patterns:
        by_suits.setdefault(pattern.suits, []).append(offset(pattern.x - chart.head[0], pattern.y - chart.head[1]))
    joint = " and " if group.whole else " or "
    parts = []
    for suits, places in by_suits.items():
        cells = f"in {'all' if group.whole else 'any'} of {len(places)} cells"
        parts.append(f"{in_words(suits)} {places[0] if len(places) == 1 else cells}")
    return joint.join(parts) + (f" ({named.words})" if named.colour else "")
