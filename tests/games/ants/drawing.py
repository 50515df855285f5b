"""Drawn positions of Ants for tests, words for actions, and functions that build events.

    unit 50 of 99, A1 to move
    a,3    A0      .
    .      A1+,B0/3  5,~7/99
    .      .       b

Blanks separate cells, and commas separate the things on a cell. A small letter is that seat's hill. A capital with a number is
an ant: `+` means that it carries food, `/3` that it will lose 3 more turns. A number is that many mg of food. `~7/99` is a
smell of hue 7 and intensity 99. `.` is an empty cell. The line above the field is optional (default: unit 50 of 99, A0 to
move). Below the field, `B: timeout` disqualifies seat B. All teams have as many ants as the largest, and ants that are not
drawn are on their hill.

Actions are words: `U L D R` are steps, `^ < v >` are bites, `void` is an unknown number, and `!` is a timeout. The other words
are `take` and `put`. `R~7` first marks the cell with hue 7.
"""

from __future__ import annotations

import re
from typing import Any

from games.playing import SEATS, TIMEOUT, A, B, C, D, event, named, out, sides  # noqa: F401 (for this game's tests)

from referee.contract.game import Event, Fault
from referee.contract.positions import Position
from referee.games.ants.rules import Action, Ants, start

KINDS = {word: kind for kind, word in enumerate(["U", "L", "D", "R", "^", "<", "v", ">", "take", "put", "void"])}
NO_MEMORY = "0" * 64

_HEAD = re.compile(r"unit (\d+) of (\d+), (?:([A-D])(\d+) to move|over)")
_FOOT = re.compile(r"([A-D]): (\w+)")
_ANT = re.compile(r"([A-D])(\d+)(\+?)(?:/(\d))?")
_SMELL = re.compile(r"~(-?\d+)/(\d+)")


def read(drawing: str, ants: int | None = None) -> Position:
    """The position that a drawing shows, with every key. `ants` is the number per hill if some have not appeared yet."""
    unit, units = 50, 99
    next_: list[int] | None = [0, 0]
    faults: dict[int, str] = {}
    rows: list[list[str]] = []
    for line in filter(None, map(str.strip, drawing.splitlines())):
        if head := _HEAD.fullmatch(line):
            unit, units = int(head[1]), int(head[2])
            next_ = [SEATS.index(head[3]), int(head[4])] if head[3] else None
        elif foot := _FOOT.fullmatch(line):
            faults[SEATS.index(foot[1])] = foot[2]
        else:
            rows.append(line.split())
    assert {len(row) for row in rows} == {len(rows)}, "a field is a square"
    hills: dict[int, list[int]] = {}
    teams: dict[int, dict[int, dict[str, Any]]] = {}
    food, smells = [], []
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            for thing in cell.split(",") if cell != "." else ():
                if ant := _ANT.fullmatch(thing):
                    teams.setdefault(SEATS.index(ant[1]), {})[int(ant[2])] = {
                        "at": [x, y], "food": bool(ant[3]), "memory": NO_MEMORY, "disabled": int(ant[4] or 0),
                    }  # fmt: skip
                elif smell := _SMELL.fullmatch(thing):
                    smells.append([x, y, int(smell[1]), int(smell[2])])
                elif thing.isdigit():
                    food.append([x, y, int(thing)])
                else:
                    hills["abcd".index(thing)] = [x, y]
    assert sorted(hills) == [*range(len(hills))], "the hills of a drawing are a, b … without gaps"
    for team in teams.values():
        assert sorted(team) == [*range(len(team))], "the ants of a team are numbered 0, 1 … without gaps"
    most = max(map(len, teams.values()), default=0)
    for seat, hill in hills.items() if ants is None else ():
        team = teams.setdefault(seat, {})
        for number in range(len(team), most):
            team[number] = {"at": hill[:], "food": False, "memory": NO_MEMORY, "disabled": 0}
    return {
        "size": len(rows), "units": units, "unit": unit, "ants": ants or most or 1,
        "hills": [hills[seat] for seat in sorted(hills)], "food": food, "smells": smells,
        "teams": [[team[k] for k in sorted(team)] for team in (teams.get(seat, {}) for seat in sorted(hills))],
        "next": next_, "disqualified": [faults.get(seat) for seat in sorted(hills)],
    }  # fmt: skip


def drawn(position: Position) -> str:
    """A position as a drawing. Equal positions have equal drawings."""
    cells: list[list[list[str]]] = [[[] for _ in range(position["size"])] for _ in range(position["size"])]
    for seat, (x, y) in enumerate(position["hills"]):
        cells[y][x].append("abcd"[seat])
    for seat, team in enumerate(position["teams"]):
        for number, ant in enumerate(team):
            x, y = ant["at"]
            lost = f"/{ant['disabled']}" if ant["disabled"] else ""
            cells[y][x].append(f"{SEATS[seat]}{number}{'+' if ant['food'] else ''}{lost}")
    for x, y, amount in position["food"]:
        cells[y][x].append(str(amount))
    for x, y, hue, intensity in position["smells"]:
        cells[y][x].append(f"~{hue}/{intensity}")
    mover = "over" if position["next"] is None else f"{SEATS[position['next'][0]]}{position['next'][1]} to move"
    field = ["  ".join(f"{','.join(cell) or '.':10}" for cell in row).rstrip() for row in cells]
    notes = [f"{SEATS[seat]}: {why}" for seat, why in enumerate(position["disqualified"]) if why]
    return "\n".join([f"unit {position['unit']} of {position['units']}, {mover}", *field, *notes])


def begin(drawing: str, rng_seed: int = 1, ants: int | None = None) -> Ants:
    """Start a game from a drawing and give the players the names `a`, `b` …."""
    return named(start(read(drawing, ants), rng_seed))


def act(word: str, memory: str = NO_MEMORY) -> Action | Fault:
    """The action or fault that a word stands for."""
    if word == "!":
        return TIMEOUT
    word, mark, hue = word.partition("~")
    return Action(KINDS[word], bool(mark), int(hue or 0), memory.encode())


def play(state: Ants, words: str) -> list[Event]:
    """Answer for the seats that are due, one word each, and return the events."""
    return [event for word in words.split() for event in state.advance([act(word)])]


def check(drawing: str, words: str, *events: Event, after: str | None = None) -> Ants:
    """Play these actions, and compare the events and the position after them (`sides`).

    The unit and the ant to move are compared only if the drawing has them.
    """
    before, after = sides(drawing, after)
    state = begin(before)
    assert play(state, words) == list(events)
    actual, wanted = drawn(state.position()), drawn(read(after))
    if "unit" not in after:
        actual, wanted = actual.partition("\n")[2], wanted.partition("\n")[2]
    assert actual == wanted
    return state


def asked(state: Ants) -> tuple[int, int]:
    """The seat and the ant that are due."""
    ((_, _, ant),) = state.requests()
    return ant.seat, ant.number


def ant(state: Ants, seat: int, number: int) -> dict[str, Any]:
    """An ant as the position describes it."""
    ant: dict[str, Any] = state.position()["teams"][seat][number]
    return ant


def unit(number: int) -> Event:
    return {"event": "unit", "unit": number}


born = event("born", "ant")
drop = event("drop", "ant")
take = event("take", "ant")
put = event("put", "ant")
void = event("void", "ant")


def move(seat: int, number: int, x: int, y: int) -> Event:
    return {"event": "move", "seat": seat, "ant": number, "to": [x, y]}


def bite(seat: int, number: int, *victim: int) -> Event:
    return {"event": "bite", "seat": seat, "ant": number, "victim": list(victim)}
