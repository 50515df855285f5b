"""The part of the panel that shows the evidence of a move: time, answer, stderr and request, each with its label.

1. The line of the time comes first, then the answer or the fault, whole if there is room, then the reasons of a program up to
   all but `AFTER` lines. Of the other lines, stderr gets what it needs up to a half, and the request the rest. Of both, the last
   lines are shown, of the reasons the first.
2. A label ends in `…` (`~` in ASCII) if lines are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from referee.moments.columns import cut, wrap
from referee.moments.evidence import Evidence
from referee.moments.formatting import bar, clean, lapse
from referee.terminal.palette import BOLD, DIM, NOTHING, Look, seat_ink
from referee.terminal.seats import marker

LEAST: Final = 4
"""The fewest lines with which evidence is useful."""
USUAL: Final = 14
"""The most lines that evidence takes if the user has not asked for it."""
AFTER: Final = 3
"""The lines that reasons leave for stderr and the request."""
LABEL: Final = 9
"""Columns of a label and the blanks after it."""
_ANSWER_MOST: Final = 4
_BAR: Final = range(4, 25)
"""Columns of the bar of the time."""


def evidence_height(evidence: Evidence, width: int, look: Look) -> int:
    """The lines that the whole evidence takes."""
    return 1 + len(_answer(evidence, width, look)) + sum(map(len, (evidence.reasons, evidence.log, evidence.request)))


def evidence_lines(evidence: Evidence, width: int, height: int, look: Look) -> list[Text]:
    """The evidence for `width` columns, which some lines may exceed, and at most `height` lines."""
    whole = _answer(evidence, width, look)
    enough = height >= evidence_height(evidence, width, look)
    answer = whole if enough else whole[: max(1, min(_ANSWER_MOST, height - 1))]
    spare = max(0, height - 1 - len(answer))
    reasons = min(len(evidence.reasons), max(0, spare - min(AFTER, len(evidence.log) + len(evidence.request))))
    spare -= reasons
    log = min(len(evidence.log), max(spare // 2, spare - len(evidence.request)))
    lines = [_time_line(evidence, width, look)]
    label = "fault" if evidence.fault is not None else "answer"
    lines += _labelled(label, answer, len(whole) - len(answer), look, BOLD)
    why = [cut(clean(line, look.ascii_only), width - LABEL, look.ascii_only) for line in evidence.reasons[:reasons]]
    lines += _labelled("program", why, len(evidence.reasons) - reasons, look)
    lines += _tail("stderr", evidence.log, log, width, look)
    lines += _tail("request", evidence.request, spare - log, width, look)
    return lines[: max(0, height)]


def _time_line(evidence: Evidence, width: int, look: Look) -> Text:
    """Who was asked what and when, and the time of the answer as words and as a bar. What does not fit is left out whole."""
    text = marker(evidence.seat, look)
    step = f"  {'next: ' if evidence.ahead else ''}step {evidence.step}"
    ask = f", {clean(evidence.ask, look.ascii_only)}"
    took, limit = f"  {lapse(evidence.took)}", f" of {lapse(evidence.limit)}"
    wordings = (step + ask + took + limit, step + took + limit, step + took)
    text.append(next((words for words in wordings if text.cell_len + cell_len(words) <= width), step))
    room = min(width - text.cell_len - 2, _BAR.stop - 1)
    if room >= _BAR.start:
        full, empty = bar(evidence.took / evidence.limit if evidence.limit else 1.0, room, look.ascii_only)
        return Text.assemble(text, "  ", (full, seat_ink(evidence.seat, look)), (empty, DIM))
    return text


def _answer(evidence: Evidence, width: int, look: Look) -> list[str]:
    """The answer or the fault, wrapped."""
    if evidence.fault is not None:
        lines: Sequence[str] = [f"{evidence.fault.kind}: {evidence.fault.detail}"]
    else:
        lines = evidence.answer or [""]
    return [part for line in lines for part in wrap(clean(line, look.ascii_only), max(1, width - LABEL))]


def _tail(label: str, lines: Sequence[str], most: int, width: int, look: Look) -> list[Text]:
    """The last lines below their label."""
    tail = [cut(clean(line, look.ascii_only), width - LABEL, look.ascii_only) for line in lines[-most:]] if most else []
    return _labelled(label, tail, len(lines) - len(tail), look)


def _labelled(label: str, lines: Sequence[str], left_out: int, look: Look, style: Style = NOTHING) -> list[Text]:
    label += ("~" if look.ascii_only else "…") if left_out else ""
    names = chain([label], repeat(""))
    return [Text.assemble((f"{name:<{LABEL}}", DIM), (line, style)) for name, line in zip(names, lines, strict=False)]
