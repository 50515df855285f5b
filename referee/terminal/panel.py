"""The panel beside or below the board, in exactly the available lines.

1. The title always comes first, then the seats. The remaining lines go, in this order, to the turn of a person, the keys, the
   headings, one event, the progress bar, more events, blank lines, the legend, and the evidence of the last move. If the user
   has asked for the evidence, it comes after the progress bar.
2. Every line is at most as wide as asked; nothing wraps. Untrusted text is escaped and never read as markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from referee.moments import speed as speeds
from referee.moments.columns import cut, wrap
from referee.moments.scene import Scene
from referee.moments.telling import Told
from referee.moments.wording import bar, clean
from referee.terminal import evidence_lines as evidence
from referee.terminal.bindings import Keys, label
from referee.terminal.board import Mode, sample
from referee.terminal.palette import BOLD, DIM, NOTHING, Look, seat_style
from referee.terminal.seats import compact_lines, least_lines, table_lines
from referee.terminal.turn import turn_height, turn_lines

TOLD_FEW: Final = 3
"""Events that come before blank lines and the legend."""

KEY_LINES: Final = 4
HEADING_LEAST: Final = 14
"""The fewest columns of a heading that is cut."""


@dataclass(slots=True)
class _Share:
    """The lines of each part; `spare` is how many are left."""

    spare: int
    turn: int = 0
    keys: int = 0
    headed: bool = False
    progress: bool = False
    told: int = 0
    blanks: int = 0
    legend: int = 0
    evidence: int = 0

    def take(self, wanted: int) -> int:
        """Take at most `wanted` of the spare lines; returns how many."""
        got = max(0, min(wanted, self.spare))
        self.spare -= got
        return got

    def take_evidence(self, scene: Scene, width: int, look: Look, *, most: int) -> None:
        """Take at most `most` lines for the evidence, and one for the blank before it; none if they are too few."""
        if scene.evidence is not None and self.spare > evidence.LEAST:
            self.evidence = self.take(1 + min(most, evidence.evidence_height(scene.evidence, width, look)))


def least_height(scene: Scene, width: int) -> int:
    """The fewest lines with which the panel shows every seat, and the evidence if the user has asked for it."""
    if scene.inspected:  # also the headings, an event, and the blank before the evidence
        return good_height(scene) + 3 + evidence.LEAST
    return 1 + least_lines(len(scene.frame.seats), width) + turn_height(scene.turn)


def good_height(scene: Scene) -> int:
    """The lines of a panel with a title, a line for each seat, the turn of a person, and one line for the keys."""
    return 2 + len(scene.frame.seats) + turn_height(scene.turn)


def full_height(scene: Scene) -> int:
    """The lines of a panel with all of its parts: also progress, headings, events, blanks, the legend, and more keys."""
    return good_height(scene) + 2 + TOLD_FEW + 3 + len(scene.frame.legend) + 1 + evidence.LEAST


def panel_lines(scene: Scene, width: int, height: int, look: Look, keys: Keys, mode: Mode) -> list[Text]:
    """The panel in `width` columns and exactly `height` lines; no lines if either is 0."""
    if width < 1 or height < 1:
        return []
    seats = len(scene.frame.seats)
    rows = height - 1 - turn_height(scene.turn)
    if rows < least_lines(seats, width):
        rows = height - 1  # too little for a person's keys: the seats come first
    single = rows >= seats
    seat_rows = seats if single else min(rows, least_lines(seats, width))
    if not single and seat_rows < rows:
        seat_rows = min(rows, -(-seats // max(1, -(-seats // rows))))
    share = _Share(height - 1 - seat_rows)
    share.turn = share.take(turn_height(scene.turn))
    keys = [row for row in keys if row.hint]
    hints = key_lines(keys, width, look)
    share.keys = share.take(1)
    share.headed = single and seats > 0 and bool(share.take(1))
    rows = marked_lines(scene, width, look)
    told_lines = len(_joined(scene)) + max(0, rows - 1)
    share.told = share.take(max(rows, min(1, told_lines)))
    share.progress = scene.steps is not None and share.spare > 1 and bool(share.take(1))
    if scene.inspected:
        share.take_evidence(scene, width, look, most=height)
    share.told += share.take(min(TOLD_FEW, told_lines) - share.told)
    before_turn = scene.turn is not None and bool(share.take(1))
    share.blanks = share.take(3)
    share.keys += share.take(min(len(hints), KEY_LINES) - 1) if share.keys else 0
    legend = legend_lines(scene, width, look, mode)
    if share.spare > len(legend):
        share.legend = share.take(len(legend) + 1)
    if not scene.inspected:
        share.take_evidence(scene, width, look, most=evidence.USUAL)
    share.told += share.take(told_lines - share.told)

    lines = [title_line(scene, width, look, counted=share.progress)]
    if share.progress:
        lines.append(progress_line(scene, width, look, counted=count_of(scene) not in lines[0].plain))
    _blank(lines, share.blanks > 0)
    if single:
        lines += table_lines(scene, width, look, headed=share.headed)
    else:
        lines += compact_lines(scene, width, seat_rows, look)
    if scene.turn is not None:
        _blank(lines, before_turn)
        lines += turn_lines(scene.turn, width, look)[: share.turn]
    _blank(lines, share.blanks > 1)
    lines += told_block(scene, width, share.told, look)
    if scene.evidence is not None and share.evidence:
        lines += [_empty(), *evidence.evidence_lines(scene.evidence, width, share.evidence - 1, look)]
    bottom = hints if share.keys >= len(hints) else [_one_line(keys, width, look)][: share.keys]
    if share.legend:
        lines += [_empty(), *legend]
    lines += [_empty()] * (height - len(lines) - len(bottom))
    return lines + bottom


def count_of(scene: Scene) -> str:
    """The number of the step, as the title shows it."""
    return f"step {scene.step}" + (f"/{scene.steps}" if scene.steps is not None else "")


def title_line(scene: Scene, width: int, look: Look, *, counted: bool = False) -> Text:
    """The moment of the match on the left, step and speed on the right if there is room.

    Args:
        counted: whether another line has the step if the title has no room for it.
    """
    left = clean(scene.frame.title, look.ascii_only)
    heading = clean(scene.heading, look.ascii_only)
    over = f"over: {clean(scene.over, look.ascii_only)}" if scene.over is not None else ""
    state = over or ("paused" if scene.paused else speeds.words(scene.speed))
    count, dot = count_of(scene), "-" if look.ascii_only else "·"
    for right in (f"{count} {dot} {state}", *[count] * (not counted), state, ""):
        if cell_len(left) + 2 + cell_len(right) <= width:
            break
    text = Text.assemble((cut(left, width, look.ascii_only), BOLD), no_wrap=True, end="")
    room = width - text.cell_len - cell_len(right) - 4
    if heading and room >= min(HEADING_LEAST, cell_len(heading)):
        text.append("  " + cut(heading, room, look.ascii_only), DIM)
    if right:
        text.append(" " * (width - text.cell_len - cell_len(right)))
        text.append(right, BOLD if scene.paused or over else NOTHING)
    return text


def progress_line(scene: Scene, width: int, look: Look, *, counted: bool = False) -> Text:
    """The progress through a saved match; with `counted`, also the number of the step, if there is room."""
    count = f"  {count_of(scene)}" if counted else ""
    if len(count) > width // 2:
        count = ""
    full, empty = bar(scene.step / scene.steps if scene.steps else 1.0, width - len(count), look.ascii_only)
    if not look.ascii_only:
        full, empty = "━" * len(full), "─" * len(empty)
    return Text.assemble((full, BOLD), (empty, DIM), count, no_wrap=True, end="")


def told_block(scene: Scene, width: int, most: int, look: Look) -> list[Text]:
    """The last events, the newest below; events that say the same are one line, with the round of the last.

    Those of the step that n or N went to are bold, and not cut but wrapped.
    """
    lines: list[Text] = []
    joined = _joined(scene)
    lead = _lead_of([told for told, _ in joined[-most:]] if most > 0 else ())
    for told, times in reversed(joined):
        block = _told_lines(told, *lead, width, look, marked=told.step == scene.mark, times=times)
        if len(lines) + len(block) > most:
            return lines or block[: max(0, most)]
        lines = [*block, *lines]
    return lines


def marked_lines(scene: Scene, width: int, look: Look) -> int:
    """The lines of the events that n or N went to, if they are the last ones."""
    lead = _lead_of(scene.told)
    told = [told for told in scene.told if told.step == scene.mark == scene.step]
    return sum(len(_told_lines(one, *lead, width, look, marked=True)) for one in told)


def legend_lines(scene: Scene, width: int, look: Look, mode: Mode) -> list[Text]:
    """The meaning of the cells as they look in this mode; cells that look alike are explained once."""
    lines: dict[str, Text] = {}
    for mark, meaning in scene.frame.legend:
        swatch = sample(mark, mode, look)
        line = Text(" ", no_wrap=True, end="")
        line.append_text(swatch)
        line.append("  " + cut(clean(meaning, look.ascii_only), width - 5, look.ascii_only))
        line.truncate(width, overflow="crop")
        lines.setdefault(repr((swatch.plain, swatch.spans, swatch.style)), line)
    return list(lines.values())


def key_lines(keys: Keys, width: int, look: Look) -> list[Text]:
    """The hints packed into lines of `width` columns."""
    lines: list[Text] = []
    line = Text(no_wrap=True, end="")
    for row in keys:
        name = label(row.name, look)
        gap = "  " if line.plain else ""
        if line.plain and line.cell_len + len(gap) + cell_len(name) + 1 + cell_len(row.meaning) > width:
            lines.append(line)
            line, gap = Text(no_wrap=True, end=""), ""
        line.append(gap)
        line.append(name, BOLD)
        line.append(" " + row.meaning, DIM)
    lines.append(line)
    for line in lines:
        line.truncate(width, overflow="crop")
    return lines


def _one_line(keys: Keys, width: int, look: Look) -> Text:
    """As many hints as one line holds, always with the help key, which leads to the others."""
    for most in range(len(keys), 0, -1):
        kept = [key for index, key in enumerate(keys) if index < most or key.name == "?"]
        lines = key_lines(kept, width, look)
        if len(lines) == 1:
            return lines[0]
    return key_lines(keys[-1:], width, look)[0] if keys else _empty()


def _joined(scene: Scene) -> list[tuple[Told, int]]:
    """The events. Of those that follow each other and say the same, it has the last one and their number."""
    found: list[tuple[Told, int]] = []
    for told in scene.told:
        last, times = found[-1] if found else (None, 0)
        same = last is not None and (last.seat, last.text) == (told.seat, told.text)
        if same and last is not None and scene.mark not in (last.step, told.step):
            found[-1] = told, times + 1
        else:
            found.append((told, 1))
    return found


def _lead_of(told: Sequence[Told]) -> tuple[int, int]:
    """The columns of rounds and of seats before the words of events."""
    rounds = max((len(str(line.round)) for line in told), default=0)
    return rounds, max((len(str(line.seat + 1)) for line in told if line.seat is not None), default=0)


def _told_lines(
    told: Told, rounds: int, seats: int, width: int, look: Look, *, marked: bool, times: int = 1
) -> list[Text]:
    """An event, or `times` that say the same.

    The words of all events begin in one column, after `rounds` and `seats` columns of numbers.
    """
    line = Text.assemble((f"{told.round:>{rounds}} ", DIM), no_wrap=True, end="")
    if told.seat is not None:
        line.append(f"{told.seat + 1:>{seats}}", seat_style(told.seat, look.colour))
    elif seats:
        line.append(" " * seats)
    line.append(" " * bool(seats))
    words, room = clean(told.text, look.ascii_only), width - line.cell_len
    if not marked or room < 1:
        often = f" {'x' if look.ascii_only else '×'}{times}" if times > 1 else ""
        words = cut(words, max(0, room - len(often)), look.ascii_only) + often
        line.append(words, BOLD if marked else NOTHING)
        line.truncate(width, overflow="crop")
        return [line]
    lead = " " * line.cell_len
    first, *more = wrap(words, room)
    line.append(first, BOLD)
    return [line, *(Text.assemble(lead, (part, BOLD), no_wrap=True, end="") for part in more)]


def _empty() -> Text:
    return Text(no_wrap=True, end="")


def _blank(lines: list[Text], wanted: bool) -> None:
    if wanted:
        lines.append(_empty())
