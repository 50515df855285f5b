"""The seats of people in a live view: whose turn it is, what each key would do, and the answer that a key gives.

1. While a person is asked, the keys of the game's `Control`s come before those of the view. At other times they do nothing, so
   that a key that comes too early or too late does not change the pace.
2. If several people are asked at once, they answer one after the other, by seat. The board is that of the person who answers, or
   who did so last.
3. The block of lines never gets shorter, so that the lines below it do not jump from turn to turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from referee.contract.clock import FOREVER
from referee.contract.frame import Control
from referee.moments.columns import cut
from referee.moments.formatting import clean
from referee.moments.scene import Director, Turn, draw_with_names, seats_to_mark
from referee.players.human import Person
from referee.terminal import keys as k
from referee.terminal.palette import BOLD, DIM, Look
from referee.terminal.seats import marker

ARROWS: Final = {k.UP: "↑", k.DOWN: "↓", k.LEFT: "←", k.RIGHT: "→"}
SOON: Final = 3
"""Seconds of a limit that are left when it is highlighted."""
URGENT: Final = Style(bold=True, reverse=True)


class PeoplesTurns:
    """The people in a live match, if there are any, and the keys that answer for them."""

    def __init__(self, director: Director, people: Mapping[int, Person]) -> None:
        self._director = director
        self._people = people
        self._turn_key: tuple[int, int] | None = None
        self._viewer = next(iter(people), None)
        self._choices: Sequence[Control] = ()
        self._opened: Control | None = None
        self._rows = 0
        self._now = 0.0

    def press(self, key: k.Key) -> bool:
        """Handle a key; False if it is none of a person's."""
        seat = self._look()
        if seat is None:
            return key in ARROWS
        if key == k.ESCAPE and self._opened is not None:
            self._opened = None
            return True
        for control in self._controls():
            if key in control.keys:
                if control.answer is not None:
                    self._people[seat].answer(control.answer)
                self._opened = None if control.then == () else control
                return True
        return key in ARROWS

    def tick(self, now: float) -> None:
        """Note that it is `now`, in seconds of trio's clock."""
        self._now = now

    def version(self) -> object:
        """Everything that the lines depend on, beside the moment of the match."""
        seat = self._look()
        return seat, id(self._opened), None if seat is None else self._seconds_left(seat)

    @property
    def viewer(self) -> int | None:
        """The seat of the person who looks at the board; None for spectators."""
        self._look()
        return self._viewer

    def turn(self) -> Turn:
        """The moment for the people who play."""
        seat = self._look()
        frame = draw_with_names(self._director.state, self._director.entrants)
        if seat is None:
            due = [frame.seats[mover].name for mover in seats_to_mark(frame)]
            return Turn(None, f"{due[0]} is to move" if len(due) == 1 else "the others are to move", (), self._rows)
        choices = [(control.keys, control.words) for control in self._controls()]
        if self._opened is not None:
            choices.append((["Esc"], "back"))
        self._rows = max(self._rows, len(choices))
        words = "your turn" if self._opened is None else self._opened.words
        heading = f"{frame.seats[seat].name}, {words}"
        return Turn(seat, heading, choices, self._rows, self._seconds_left(seat))

    def _controls(self) -> Sequence[Control]:
        return self._choices if self._opened is None else self._opened.then

    def _seconds_left(self, seat: int) -> int | None:
        """Whole seconds until the person's deadline."""
        deadline = self._people[seat].deadline
        return None if deadline == FOREVER else max(0, ceil(deadline - self._now))

    def _look(self) -> int | None:
        """The seat of the person to answer now. Its choices are found once for each request."""
        seat = next((seat for seat, person in self._people.items() if person.waits), None)
        turn_key = None if seat is None else (self._director.last_step, seat)
        if turn_key != self._turn_key:
            self._turn_key, self._opened = turn_key, None
            game, state = self._director.game, self._director.state
            self._viewer = self._viewer if seat is None else seat
            if seat is not None and game.controls is not None:
                names = [line.name for line in draw_with_names(state, self._director.entrants).seats]
                self._choices = game.controls(state, seat, names)
        return seat


def turn_height(turn: Turn | None) -> int:
    """The lines of `turn_lines`."""
    return 0 if turn is None else 1 + turn.rows


def turn_lines(turn: Turn, width: int, look: Look) -> list[Text]:
    """A line that says whose turn it is, and one for each choice; blank lines in place of choices that there are no more."""
    left = "" if turn.left is None else f" {turn.left}s"
    first = Text() if turn.seat is None else Text.assemble(marker(turn.seat, look), " ")
    heading = cut(clean(turn.heading, look.ascii_only), width - first.cell_len - len(left), look.ascii_only)
    first.append(heading, DIM if turn.seat is None else BOLD)
    if turn.left is not None:
        first.append(" " * (width - first.cell_len - len(left)))
        first.append(left, URGENT if turn.left <= SOON else BOLD)
    arrows = {} if look.ascii_only else ARROWS
    key_names = [" ".join(arrows.get(key, key) for key in keys) for keys, _ in turn.choices]
    column = max(map(cell_len, key_names), default=0)
    lines = [first]
    for name, (_, words) in zip(key_names, turn.choices, strict=True):
        shown = cut(clean(words, look.ascii_only), width - 3 - column, look.ascii_only)
        lines.append(Text.assemble(" ", (name + " " * (column - cell_len(name)), BOLD), "  ", shown))
    lines += [Text()] * (1 + turn.rows - len(lines))
    return lines
