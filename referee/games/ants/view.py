"""Ants for people: moments as frames, events as sentences, and what a turn meant for the teams.

Numbers in brackets are the rules of README.md. Each cell of a frame has two ASCII columns, readable without colour. On a cell
with ants, the first column is the team's number. The second is `o` for one ant, `+` for one ant with food, `z` for one disabled
ant, `2` to `9` or `&` (ten or more) for several ants, and `x` if ants of other teams are there too.

A smell has a colour for its hue, which gets darker as the smell fades. Many hues share a colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from referee.contract.frame import HUES, Frame, Mark, SeatLine, Tone
from referee.contract.game import Column, Effect, Event, Step
from referee.games.ants.field import Ant, Field
from referee.games.ants.position import FRESH
from referee.text.words import shown_name

_EMPTY: Final = Mark("  ", Tone.EMPTY)
_DIGIT: Final = 9
"""The largest number that one column can show."""
_STRONG_FROM: Final = 50
"""Smells of this intensity or more have two signs."""
_LEVELS: Final = 4
"""Steps of intensity that the colour of a smell shows: more would change too many cells in each unit."""


def _smell(hue: int, intensity: int) -> Mark:
    """The mark of a smell of intensity 1 to 100."""
    text = "~~" if intensity >= _STRONG_FROM else " ~"
    level = -(-intensity * _LEVELS // FRESH) / _LEVELS
    return Mark(text, Tone.EMPTY, hue=hue % HUES, level=level)


_SMELLS: Final = tuple(tuple(_smell(hue, scent - 1) for scent in range(2, FRESH + 2)) for hue in range(HUES))
"""By hue, and by the value of `Field.scents` less 2."""
LEGEND: Final = (
    (Mark("1o", Tone.HEAD, 0), "an ant of seat 1"),
    (Mark("1+", Tone.HEAD, 0, strong=True), "with food"),
    (Mark("1z", Tone.BODY, 0), "disabled"),
    (Mark("13", Tone.HEAD, 0), "three of its ants (1&: ten or more)"),
    (Mark("1x", Tone.HEAD, 0), "ants of seat 1 and of other seats"),
    (Mark("1H", Tone.GOAL, 0), "hill of seat 1"),
    (Mark("%3", Tone.ITEM), "3 mg of food (%%: ten or more)"),
    (_smell(0, 100), "smell of 50 or more, in the colour of its hue"),
    (_smell(0, 25), "smell below 50, darker as it fades"),
)
FIGURES: Final = ("ants", "with food", "disabled")

COLUMNS: Final = (
    Column("taken", lambda event: event["event"] == "take"),
    Column("put down", lambda event: event["event"] == "put"),
    Column("dropped", lambda event: event["event"] == "drop"),
    Column("bites", lambda event: event["event"] == "bite"),
)


def draw(
    field: Field,
    teams: Sequence[Sequence[Ant]],
    disqualified: Sequence[str | None],
    names: Sequence[str],
    *,
    title: str,
    to_move: Sequence[int],
) -> Frame:
    """A moment as a frame."""
    cells = []
    for y in range(field.size):
        row = slice(start := field.index(0, y), start + field.size)
        smells = zip(field.scents[row], field.hues[row], strict=True)
        cells.append([_SMELLS[int(hue) % HUES][scent - 2] if scent > 1 else _EMPTY for scent, hue in smells])
    for cell, amount in field.food.items():
        x, y = field.xy(cell)
        cells[y][x] = _heap(amount)
    for seat, hill in enumerate(field.hills):
        x, y = field.xy(hill)
        cells[y][x] = Mark(f"{seat + 1}H", Tone.GOAL, seat)
    crowds: dict[int, list[Ant]] = {}
    for ant in (ant for team in teams for ant in team):
        crowds.setdefault(ant.cell, []).append(ant)
    for cell, crowd in crowds.items():
        x, y = field.xy(cell)
        cells[y][x] = _crowd(crowd)
    seats = []
    for seat, (team, score) in enumerate(zip(teams, field.stores(), strict=True)):
        numbers = len(team), sum(ant.food for ant in team), sum(ant.disabled > 0 for ant in team)
        seats.append(SeatLine(seat, shown_name(names[seat], seat), score, tuple(map(str, numbers)), disqualified[seat]))
    return Frame(title=title, cells=cells, figures=FIGURES, seats=seats, to_move=to_move, legend=LEGEND)


def tell(event: Event, names: Sequence[str]) -> str | None:
    """An event as a sentence; None for moves, births and void actions."""
    match event["event"]:
        case "bite":
            seat, number = event["victim"]
            return f"{_ant(event, names)} bites {names[seat]}'s ant {number + 1}"
        case "drop":
            return f"{_ant(event, names)} drops its food"
        case "take":
            return f"{_ant(event, names)} picks up food"
        case "put":
            return f"{_ant(event, names)} puts food down"
    return None


def _ant(event: Event, names: Sequence[str]) -> str:
    return f"{names[event['seat']]}'s ant {event['ant'] + 1}"


def _crowd(ants: Sequence[Ant]) -> Mark:
    """The mark of a cell with ants, which are in the order of their seats."""
    first = ants[0]
    if len(ants) == 1:
        return _lone(first.seat, first.disabled > 0, bool(first.food))
    able, loaded = any(not ant.disabled for ant in ants), any(ant.food for ant in ants)
    mixed, amount = any(ant.seat != first.seat for ant in ants), None if len(ants) <= _DIGIT else len(ants)
    text = "x" if mixed else str(len(ants)) if amount is None else "&"
    tone = Tone.HEAD if able else Tone.BODY
    return Mark(f"{first.seat + 1}{text}", tone, first.seat, strong=loaded, amount=None if mixed else amount)


@cache
def _heap(amount: int) -> Mark:
    """The mark of a cell with food."""
    return Mark(f"%{amount}", Tone.ITEM) if amount <= _DIGIT else Mark("%%", Tone.ITEM, amount=amount)


@cache
def _lone(seat: int, disabled: bool, loaded: bool) -> Mark:
    """The mark of a cell with one ant."""
    text = "z" if disabled else "+" if loaded else "o"
    return Mark(f"{seat + 1}{text}", Tone.BODY if disabled else Tone.HEAD, seat, strong=loaded)


_VOID: Final = (
    *["walked into the border"] * 4,
    *["bit a cell without an enemy"] * 4,
    "took food where none was, or with food already",
    "put food down without carrying any",
)
_ON_HILLS: Final = {
    "put": ("carried home", "put there by rivals"),
    "take": ("taken away again", "taken by rivals"),
    "drop": ("dropped there", "dropped by rivals"),
}
"""What changed the points of a hill: by its own team, and by another one."""


def effects(step: Step, before: Sequence[float], after: Sequence[float]) -> Iterator[Effect]:
    """The effects of a step. An event does not say where it happened: the points say whether it was on a hill (9)."""
    biter: int | None = None
    for event in step.events:
        seat = event.get("seat", 0)
        match event["event"]:
            case "take" | "put" | "drop":
                yield from _on_hills(event, seat, before, after)
                if event["event"] == "drop":
                    yield Effect(seat, "loss", "mg of food dropped after a bite", 1, event, biter)
            case "bite":
                biter = seat
                yield Effect(event["victim"][0], "loss", "bites suffered, each costs 8 turns", 1, event, seat)
            case "void":
                yield Effect(seat, "nothing", _why(step.answers[0].text), 1, event)


def _on_hills(event: Event, seat: int, before: Sequence[float], after: Sequence[float]) -> Iterator[Effect]:
    """The change of points, at most one, that this event made. `seat` is that of its ant."""
    for owner, (old, new) in enumerate(zip(before, after, strict=True)):
        if new == old:
            continue
        own, by_rivals = _ON_HILLS[event["event"]]
        if owner == seat:
            yield Effect(owner, "points", own, new - old, event)
        else:
            yield Effect(owner, "points", by_rivals, new - old, event, seat)


def _why(answer: str | None) -> str:
    """Why an action had no effect (4)."""
    number = int((answer or "-1").split()[0])
    return _VOID[number] if 0 <= number < len(_VOID) else "answered a number that is no action"
