"""A program in a game's own language as an SVG picture, from its document: its charts with the elements and groups in them.

A cell shows the element's letter in the colour of its group. A bar through the letter means except, and a triangle is the own
head. Like the pictures of matches, it has no script, no link and no style sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from referee.contract.programs import Document
from referee.export.shapes import FAINT, GROUND, LINES, TEXT
from referee.export.svg import MARGIN, label, svg
from referee.moments.colours import FLOOR, mix
from referee.moments.columns import cut, wrap
from referee.moments.formatting import clean
from referee.text.markup import Html, el

UNIT: Final = 36
"""The side of a cell."""
ACROSS: Final = 3
"""The most charts in a row."""
HEAD: Final = 72
TITLE: Final = 30
LINE: Final = 17
"""The heights of the program's name, of a chart's title, and of a line of text."""
READS: Final = 4
"""The most lines that say what a chart means."""
_COLUMNS: Final = 40
"""Columns of text that a chart has room for."""
_TRIANGLES: Final = {
    "U": "10,26 18,8 26,26",
    "D": "10,10 18,28 26,10",
    "L": "26,10 8,18 26,26",
    "R": "10,10 28,18 10,26",
}


def program_picture(document: Document) -> str:
    """The picture of a program."""
    charts = document["charts"]
    side = UNIT * document["limits"]["side"]
    across = min(ACROSS, len(charts))
    down = -(-len(charts) // across)
    wide, high = side + MARGIN * 2, TITLE + side + LINE * READS + MARGIN * 2
    sets = [{"letter": letter, "word": " or ".join(words)} for letter, words in document["sets"].items()]
    legend = [*document["elements"], *sets]
    width = MARGIN * 2 + max(across, 2) * wide
    height = HEAD + down * high + LINE * (-(-len(legend) // 2) + 2) + MARGIN
    title = clean(document["name"]) or f"a program of {document['part']}s"
    parts = [
        el("title", title),
        el("desc", *(f"{number}. {clean(chart['reads'])} " for number, chart in enumerate(charts, start=1))),
        el("rect", width=width, height=height, rx=12, fill=GROUND),
        label(MARGIN * 2, 36, 20, title, TEXT, weight=600),
        label(MARGIN * 2, 58, 13, cut(clean(document["description"]), _COLUMNS * across), FAINT),
    ]
    for index, chart in enumerate(charts):
        x, y = MARGIN * 2 + index % across * wide, HEAD + index // across * high
        parts.append(el("g", *_chart(document, chart, index + 1, side), transform=f"translate({x} {y})"))
    parts.append(el("g", *_legend(document, legend), transform=f"translate({MARGIN * 2} {HEAD + down * high + LINE})"))
    return f"{svg(width, height, *parts)}\n"


def _chart(document: Document, chart: Mapping[str, Any], number: int, side: int) -> Iterator[Html]:
    kind = f" ({chart['kind']})" if len(document["kinds"]) > 1 else ""
    yield label(0, 20, 14, cut(clean(f"{number}{kind} {chart['description']}"), _COLUMNS - 8), TEXT, weight=600)
    yield el("rect", y=TITLE, width=side, height=side, rx=6, fill=FLOOR)
    moves = {head["text"]: head["move"] for head in document["heads"]}
    colours = {group["sign"]: group["colour"] for group in document["groups"]}
    for y, row in enumerate(chart["rows"]):
        for x, text in enumerate(row.split()):
            shapes = [el("rect", x=1.5, y=1.5, width=UNIT - 3, height=UNIT - 3, rx=5, fill="none", stroke=LINES)]
            if text in moves:
                shapes.append(el("polygon", points=_TRIANGLES[moves[text]], fill=TEXT))
            elif text != document["nothing"]:
                shapes = list(_pattern(text[0], colours[text[1]]))
            yield el("g", *shapes, transform=f"translate({x * UNIT} {TITLE + y * UNIT})")
    reads = wrap(clean(chart["reads"].partition(" → ")[0]), _COLUMNS)
    if len(reads) > READS:
        reads[READS - 1 :] = [cut(" ".join(reads[READS - 1 :]), _COLUMNS)]
    for at, line in enumerate(reads, start=1):
        yield label(0, TITLE + side + LINE * at, 12, line, FAINT)


def _pattern(letter: str, colour: str) -> Iterator[Html]:
    yield el(
        "rect", x=2.5, y=2.5, width=UNIT - 5, height=UNIT - 5, rx=5, fill=mix(FLOOR, colour, 0.22), stroke=colour,
        stroke_width=2,
    )  # fmt: skip
    yield label(UNIT / 2, UNIT / 2 + 6, 17, letter.upper(), TEXT, anchor="middle", weight=700)
    if letter.islower():
        yield el("path", d=f"M8 {UNIT - 8}L{UNIT - 8} 8", stroke=TEXT, stroke_width=2)


def _legend(document: Document, legend: list[Mapping[str, str]]) -> Iterator[Html]:
    for index, entry in enumerate(legend):
        words = clean(f"{entry['letter']}  {entry['word'].replace('-', ' ')}")
        yield label(index % 2 * UNIT * 7, index // 2 * LINE, 12, words, FAINT)
    y = -(-len(legend) // 2) * LINE
    yield label(0, y, 12, f"with a bar: {document['negation']}", FAINT)
    yield label(0, y + LINE, 12, f"Each {document['part']} also fits rotated and reflected.", FAINT)
    other = {document["nothing"], *(head["text"] for head in document["heads"])}
    cells = {text for chart in document["charts"] for row in chart["rows"] for text in row.split()}
    signs = {text[1] for text in cells - other}
    x = 7 * UNIT
    for group in document["groups"]:
        if group["sign"] in signs:
            yield el("rect", x=x, y=y - 10, width=11, height=11, rx=3, fill=group["colour"])
            yield label(x + 16, y, 12, group["word"], FAINT)
            x += 30 + 8 * len(group["word"])
