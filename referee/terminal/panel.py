"""The panel beside or below the board, in exactly the available lines.

1. The title always comes first, then the seats. `_claims` says which parts get the remaining lines, the most important first.
2. Every line is at most as wide as asked; nothing wraps. Untrusted text is escaped and never read as markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from typing import Final, Literal, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.text import Text

from referee.moments import speed as speeds
from referee.moments.columns import cut, wrap
from referee.moments.formatting import bar, clean
from referee.moments.scene import Scene
from referee.terminal import evidence_lines as evidence
from referee.terminal.bindings import Keys, label
from referee.terminal.board import Mode, sample
from referee.terminal.palette import BOLD, DIM, NOTHING, Look, seat_style
from referee.terminal.seats import table_lines
from referee.terminal.turn import turn_height, turn_lines

TOLD_FEW: Final = 3
"""Events that come before blank lines and the legend."""

KEY_LINES: Final = 4
HEADING_LEAST: Final = 14
"""The fewest columns of a heading that is cut."""


Part: TypeAlias = Literal[
    "turn", "keys", "headings", "events", "progress", "evidence", "blank before the turn", "blanks", "legend"
]


class Claim(NamedTuple):
    """What a part of the panel wants.

    Attributes:
        lines: how many in all. A part has several claims if some of its lines are less important than others.
        least: it gets none if fewer are left.
    """

    part: Part
    lines: int
    least: int = 1


def allot(lines: int, claims: Iterable[Claim]) -> Counter[Part]:
    """Divide lines among parts. The first claim gets what it wants, if there are enough; the next one what is left, and so on."""
    shares: Counter[Part] = Counter()
    for part, most, least in claims:
        if lines >= least:
            more = max(0, min(most - shares[part], lines))
            shares[part] += more
            lines -= more
    return shares


def least_height(scene: Scene) -> int:
    """The fewest lines with which the panel shows every seat, and the evidence if the user has asked for it."""
    if scene.inspected:  # also the headings, an event, and the blank before the evidence
        return good_height(scene) + 3 + evidence.LEAST
    return 1 + len(scene.frame.seats) + turn_height(scene.turn)


def good_height(scene: Scene) -> int:
    """The lines of a panel with a title, a line for each seat, the turn of a person, and one line for the keys."""
    return 2 + len(scene.frame.seats) + turn_height(scene.turn)


def panel_lines(scene: Scene, width: int, height: int, look: Look, keys: Keys, mode: Mode) -> list[Text]:
    """The panel in `width` columns and exactly `height` lines; no lines if either is 0."""
    if width < 1 or height < 1:
        return []
    seats = len(scene.frame.seats)
    seat_rows = min(seats, height - 1)
    keys = [row for row in keys if row.hint]
    hints = key_lines(keys, width, look)
    legend = legend_lines(scene, width, look, mode)
    events = len(events_block(scene, width, height, look))
    claims = _claims(scene, width, look, headings=seats > 0, events=events, hints=len(hints), legend=len(legend))
    shares = allot(height - 1 - seat_rows, claims)

    lines = [title_line(scene, width, look)]
    if shares["progress"]:
        lines.append(progress_line(scene, width, look))
    if shares["blanks"] > 0:
        lines.append(Text())
    headed = shares["headings"]
    table = table_lines(scene, width, look, headed=headed > 0)
    first = headed + max(0, (scene.follow or 0) + 1 - seat_rows)  # the followed seat is always there
    lines += table[:headed] + table[first : first + seat_rows]
    if scene.turn is not None:
        if shares["blank before the turn"]:
            lines.append(Text())
        lines += turn_lines(scene.turn, width, look)[: shares["turn"]]
    if shares["blanks"] > 1:
        lines.append(Text())
    lines += events_block(scene, width, shares["events"], look)
    if scene.evidence is not None and shares["evidence"]:
        lines += [Text(), *evidence.evidence_lines(scene.evidence, width, shares["evidence"] - 1, look)]
    bottom = hints if shares["keys"] >= len(hints) else [_one_line(keys, width, look)][: shares["keys"]]
    if shares["legend"]:
        lines += [Text(), *legend]
    lines += [Text()] * (height - len(lines) - len(bottom))
    return crop(lines + bottom, width)


def crop(lines: list[Text], width: int) -> list[Text]:
    """The lines, cropped to `width` columns."""
    for line in lines:
        if line.cell_len > width:
            line.truncate(width, overflow="crop")
    return lines


def _claims(
    scene: Scene, width: int, look: Look, *, headings: bool, events: int, hints: int, legend: int
) -> Iterator[Claim]:
    """What the parts below the seats want; `events`, `hints` and `legend` are lines."""
    whole = 0 if scene.evidence is None else 1 + evidence.evidence_height(scene.evidence, width, look)
    yield Claim("turn", turn_height(scene.turn))
    yield Claim("keys", 1)
    yield Claim("headings", headings)
    yield Claim("events", min(1, events))
    yield Claim("progress", scene.steps is not None, least=2)
    if scene.inspected:
        yield Claim("evidence", whole, least=1 + evidence.LEAST)
    yield Claim("events", min(TOLD_FEW, events))
    yield Claim("blank before the turn", scene.turn is not None)
    yield Claim("blanks", 3)
    yield Claim("keys", min(hints, KEY_LINES))
    yield Claim("legend", 1 + legend, least=1 + legend)
    if not scene.inspected:
        yield Claim("evidence", min(1 + evidence.USUAL, whole), least=1 + evidence.LEAST)
    yield Claim("events", events)


def title_line(scene: Scene, width: int, look: Look) -> Text:
    """The moment of the match on the left, step and speed on the right if there is room; that it is over comes first."""
    left = clean(scene.frame.title, look.ascii_only)
    heading = clean(scene.heading, look.ascii_only)
    over = f"over: {clean(scene.over, look.ascii_only)}" if scene.over is not None else ""
    state = over or ("paused" if scene.paused else speeds.words(scene.speed))
    count = f"step {scene.step}" + (f"/{scene.steps}" if scene.steps is not None else "")
    for right in (f"{count} {'-' if look.ascii_only else '·'} {state}", over or count, ""):
        if cell_len(left) + 2 + cell_len(right) <= width:
            break
    text = Text.assemble((cut(left, width, look.ascii_only), BOLD))
    room = width - text.cell_len - cell_len(right) - 4
    if heading and room >= min(HEADING_LEAST, cell_len(heading)):
        text.append("  " + cut(heading, room, look.ascii_only), DIM)
    if right:
        text.append(" " * (width - text.cell_len - cell_len(right)))
        text.append(right, BOLD if over or scene.paused else NOTHING)
    return text


def progress_line(scene: Scene, width: int, look: Look) -> Text:
    """The progress through a saved match."""
    full, empty = bar(scene.part, width, look.ascii_only)
    if not look.ascii_only:
        full, empty = "━" * len(full), "─" * len(empty)
    return Text.assemble((full, BOLD), (empty, DIM))


def events_block(scene: Scene, width: int, most: int, look: Look) -> list[Text]:
    """The last events, the newest below. Those of the step that n or N went to are bold, and get all free lines."""
    events = scene.events[-most:] if most > 0 else ()
    rounds = max((len(str(event.round)) for event in events), default=0)
    seats = max((len(str(event.seat + 1)) for event in events if event.seat is not None), default=0)
    lines: list[Text] = []
    for event in reversed(events):
        start = Text.assemble((f"{event.round:>{rounds}} ", DIM))
        if event.seat is not None:
            start.append(f"{event.seat + 1:>{seats}}", seat_style(event.seat, look))
        elif seats:
            start.append(" " * seats)
        start.append(" " * bool(seats))
        words, room, marked = clean(event.text, look.ascii_only), width - start.cell_len, event.step == scene.mark
        texts, left = wrap(words, max(1, room)) if marked else [words], max(1, most - len(lines))
        if len(texts) > left:
            texts[left - 1 :] = [" ".join(texts[left - 1 :])]
        texts = [cut(text, room, look.ascii_only) for text in texts]
        starts = chain([start], repeat(Text(" " * start.cell_len)))
        rows = zip(starts, texts, strict=False)
        lines[:0] = [Text.assemble(before, (text, BOLD if marked else NOTHING)) for before, text in rows]
    return lines[-most:]


def legend_lines(scene: Scene, width: int, look: Look, mode: Mode) -> list[Text]:
    """The meaning of the cells as they look in this mode; cells that look alike are explained once."""
    lines: dict[str, Text] = {}
    for mark, meaning in scene.frame.legend:
        swatch = sample(mark, mode, look)
        line = Text.assemble(" ", swatch, "  ", cut(clean(meaning, look.ascii_only), width - 5, look.ascii_only))
        lines.setdefault(repr((swatch.plain, swatch.spans, swatch.style)), line)
    return list(lines.values())


def key_lines(keys: Keys, width: int, look: Look) -> list[Text]:
    """The hints packed into lines of `width` columns."""
    lines: list[Text] = []
    line = Text()
    for row in keys:
        name = label(row.name, look)
        gap = "  " if line.plain else ""
        if line.plain and line.cell_len + len(gap) + cell_len(name) + 1 + cell_len(row.meaning) > width:
            lines.append(line)
            line, gap = Text(), ""
        line.append(gap)
        line.append(name, BOLD)
        line.append(" " + row.meaning, DIM)
    return [*lines, line]


def _one_line(keys: Keys, width: int, look: Look) -> Text:
    """As many hints as one line holds, always with the help key, which leads to the others."""
    for most in range(len(keys), 0, -1):
        hints = [key for index, key in enumerate(keys) if index < most or key.name == "?"]
        lines = key_lines(hints, width, look)
        if len(lines) == 1:
            return lines[0]
    return key_lines(keys[-1:], width, look)[0] if keys else Text()
