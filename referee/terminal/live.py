"""The live view of a match: a page that follows it, and keys that control its pace.

The steps of a match do not draw. `Director.step` notes each step, `Pace.after` waits as long as the user wants, and one task
redraws the page if it has changed. After the end, the view hands over to another one in which the match can be walked back.

    director = Director(game, state, clocks)
    async with watching(director, terminal) as pace:
        ... after every step: director.step(step); await pace.after(step)
"""

from __future__ import annotations

import termios
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final, TypeAlias

import trio
from rich.text import Text

from referee.errors import RefereeError
from referee.moments import speed as speeds
from referee.moments.scene import Director, Scene
from referee.moments.timeline import SeatTime
from referee.players.human import Person
from referee.terminal import keys as k
from referee.terminal.bindings import Binding, act, both_ways, digits, next_seat
from referee.terminal.console import Terminal
from referee.terminal.help import Help
from referee.terminal.keys import Key, KeySource
from referee.terminal.pace import Pace
from referee.terminal.page import compose, with_last
from referee.terminal.palette import Look
from referee.terminal.screen import Screen, View, full_screen, run_view
from referee.terminal.turn import PeoplesTurns

Past: TypeAlias = Callable[[int | None], View]
"""Makes the view of the match that is over, from the followed seat. Raises: RefereeError: the saved game cannot be read."""


class LiveView:
    """A view (`screen.View`) of a match in progress.

    After `finish` it shows the last page until a key closes it. Other keys make `walked`, the view of the past, and end this
    one.
    """

    def __init__(
        self,
        director: Director,
        pace: Pace,
        look: Look,
        *,
        past: Past,
        people: Mapping[int, Person] = MappingProxyType({}),
    ) -> None:
        self.director = director
        self.pace = pace
        self._look = look
        self._linger = True
        self._past = past
        self.walked: View | None = None
        self._notice = ""
        self._seats = len(director.clocks)
        self._turns = PeoplesTurns(director, people)
        self._people = people
        self._leaving = False
        self._follow: int | None = next(iter(people)) if len(people) == 1 else None
        self._help = Help()
        self._finished = False

    @property
    def done(self) -> bool:
        """Whether the user has closed the view or walks back, or the match is over and the last page does not wait."""
        return self.walked is not None or not self.pace.watching or (self._finished and not self._linger)

    def finish(self) -> None:
        """The match is over."""
        self._finished = True
        self._help.close()
        self._leaving = False

    def press(self, key: Key) -> None:
        """Handle a key.

        In this order, it goes to the question before leaving, a person, the help, and the table of keys.
        """
        keys = self._keys()
        if self._leaving:
            self._leaving = False
            if key == "q":
                self.leave()
        elif self._answer(key) or self._help.press(key) or act(keys, self, key):
            pass
        elif keys is OVER_KEYS:  # it lists some keys of the past; the other ones work too
            self._walk_back(key)

    def leave(self) -> None:
        """Close the view. People who play leave the match."""
        self.pace.leave()
        for person in self._people.values():
            person.leave()

    def end_of_keys(self) -> None:
        """Without a keyboard, do not wait for a key to close the view or to end a pause. People who play leave the match."""
        self._linger = False
        for person in self._people.values():
            person.leave()
        self.pace.pause(False)

    def tick(self, now: float) -> None:
        """Note the time for the limits of people. The match sets its own pace."""
        self._turns.tick(now)

    def version(self) -> object:
        """Everything that the page depends on."""
        pace = self.director.last_step, self.pace.speed, self.pace.paused
        view = self._follow, self._help.version(), self._finished, self._notice, self._leaving
        return pace, view, self._turns.version()

    def page(self, width: int, height: int) -> list[Text]:
        """The match as it is now."""
        show = self._help.page if self._help.open else compose
        lines = show(self._scene(), width, height, self._look, self._keys())
        return with_last(lines, Text(self._notice), width, height) if self._notice else lines

    def _keys(self) -> Sequence[Binding[LiveView]]:
        if self._finished:
            return OVER_KEYS
        return PLAYING_KEYS if self._people else LIVE_KEYS

    def _answer(self, key: Key) -> bool:
        """Whether a key is one of a person's, who plays and does not read the help."""
        return bool(self._people) and not self._finished and not self._help.open and self._turns.press(key)

    def _walk_back(self, key: Key) -> None:
        """Open the past, which gets the key."""
        try:
            self.walked = self._past(self._follow)
        except RefereeError as failed:
            self._notice = f"the match cannot be walked back: {failed}"
        else:
            self.walked.press(key)

    def _ask_to_leave(self) -> None:
        self._leaving = True
        self._help.close()

    def _follow_next(self, forward: bool) -> None:
        self._follow = next_seat(self._follow, self._seats, forward=forward)

    def _change_speed(self, up: bool) -> None:
        self.pace.set_speed(speeds.faster(self.pace.speed) if up else speeds.slower(self.pace.speed))

    def _set_speed(self, digit: str) -> None:
        self.pace.set_speed(speeds.of_digit(digit))

    def _scene(self) -> Scene:
        """The current moment as this view shows it: with the turn of the people who play, and without clocks for them."""
        scene, pace = self.director.scene(self._turns.viewer), self.pace
        times = [SeatTime() if seat in self._people else time for seat, time in enumerate(scene.times)]
        turn = self._turns.turn() if self._people and not self._finished else None
        if turn is not None and self._leaving:
            turn = replace(turn, heading="q again to leave the match")
        return replace(scene, speed=pace.speed, paused=pace.paused, follow=self._follow, times=times, turn=turn)


def _back(*keys: Key) -> dict[Key, Callable[[LiveView], object]]:
    """Keys that open the past and are pressed there."""
    return {key: partial(LiveView._walk_back, key=key) for key in keys}


_PAUSE: Final = Binding[LiveView]("space", "pause", {k.SPACE: lambda view: view.pace.pause(not view.pace.paused)})
_COMMON: Final = (
    Binding("+ −", "speed", both_ways(LiveView._change_speed, "-", "+") | both_ways(LiveView._change_speed, "_", "=")),
    Binding("0–9", "set speed", digits(LiveView._set_speed), hint=False),
    Binding("Tab", "follow", both_ways(LiveView._follow_next, k.BACK_TAB, k.TAB)),
    Binding[LiveView]("?", "help", {"?": lambda view: view._help.toggle()}),
)
LIVE_KEYS: Final = (
    _PAUSE,
    Binding[LiveView]("→", "one step", {k.RIGHT: lambda view: view.pace.single()}),
    *_COMMON,
    Binding("q", "stop watching", {"q": LiveView.leave}),
)
PLAYING_KEYS: Final = (_PAUSE, *_COMMON, Binding("q", "leave", {"q": LiveView._ask_to_leave}))
OVER_KEYS: Final = (
    Binding("q", "close", {"q": LiveView.leave, k.ENTER: LiveView.leave, k.ESCAPE: LiveView.leave}),
    Binding("←", "walk back", _back(k.LEFT)),
    Binding("space", "from the start", _back(k.SPACE)),
    Binding("n N", "next, previous event", _back("n", "N")),
    Binding("Tab", "follow", _back(k.TAB, k.BACK_TAB)),
    Binding("?", "help", _back("?")),
)


@asynccontextmanager
async def show_match(
    director: Director,
    terminal: Terminal,
    *,
    past: Past,
    people: Mapping[int, Person] = MappingProxyType({}),
    speed: float = speeds.USUAL,
    fd: int | None = None,
) -> AsyncIterator[Pace]:
    """Show a match while the block plays it; the block awaits `Pace.after(step)` after each step.

    After the block, the last page stays until a key closes it, except after `q`; `past` makes the view in which the match can
    be walked back then. The terminal is restored in any case, after errors and cancellations too. If the terminal is closed,
    the match goes on without a view, and `people`, who are by seat, leave it. Errors arrive as an ExceptionGroup.
    """
    pace = Pace(speed)
    view = LiveView(director, pace, terminal.look, people=people, past=past)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_on_terminal, view, terminal, fd)
        yield pace
        view.finish()


async def show(view: LiveView, screen: Screen, keys: KeySource) -> None:
    """Show a match until the view is closed, and then its past if the user walks back."""
    await run_view(view, screen, keys)
    if view.walked is not None:
        await run_view(view.walked, screen, keys)


async def _on_terminal(view: LiveView, terminal: Terminal, fd: int | None) -> None:
    try:
        with full_screen(terminal.out, fd) as (screen, keys):
            await show(view, screen, keys)
    except (OSError, termios.error):
        # The terminal was closed.
        pass
    finally:
        view.leave()
