"""The replay viewer: a saved match that plays, stands still and jumps.

1. `Viewer` is a view without a terminal: keys and the clock go in, a place `at` (0 … steps) comes out. A place that was
   passed between two pages is never computed, so no speed is too fast and no match too long.
2. Playing is a line through time: from a place at a time, `speed` steps a second. Whatever changes speed or place draws a
   new line from there.
3. `m` goes to the seat's own moves: of the one that is followed, and where nobody is, the one to move is from then on.
4. `n` goes to the next told event of the kind that n or N went to last; from scratch (also after ESC) to the next of any
   kind, whose kind then counts.
"""

from __future__ import annotations

from typing import Final

from rich.text import Text

from referee.view import keys as k
from referee.view import speed as speeds
from referee.view.console import Terminal
from referee.view.keys import Key
from referee.view.live import next_seat
from referee.view.page import compose
from referee.view.palette import Look
from referee.view.panel import Keys
from referee.view.scene import LINES, Scene, called, ranks_of
from referee.view.screen import full_screen, run_view
from referee.view.timeline import Saved, Timeline

PAGE_STEPS: Final = 10
STRIDES: Final = 20
"""Strides of `[` and `]` from end to end; none is shorter than `PAGE_STEPS`."""
WHOLE: Final = 5.0
"""Seconds for a whole match at full speed, when that is more than the fastest speed of the ladder."""

VIEWER_KEYS: Final[Keys] = (
    ("space", "space", "play/pause"),
    ("← →", "<- ->", "one step"),
    ("↑ ↓", "Up Down", "round"),
    ("PgUp PgDn", "PgUp PgDn", "ten steps"),
    ("[ ]", "[ ]", "5 % of the match"),
    ("Home End", "Home End", "start, end"),
    ("+ −", "+ -", "speed"),
    ("0–9", "0-9", "set speed"),
    ("n N", "n N", "next, previous event"),
    ("Esc", "Esc", "events of any kind"),
    ("Tab", "Tab", "follow"),
    ("m M", "m M", "next, previous move of the followed seat"),
    ("?", "?", "help"),
    ("q", "q", "quit"),
)
SHORT_KEYS: Final[Keys] = tuple(
    key for key in VIEWER_KEYS if key[1] in ("space", "<- ->", "Up Down", "+ -", "n N", "Tab", "?", "q")
)


class Viewer:
    """A view (`screen.View`) of a saved match. It begins to play at once; `speed` None is chosen by the match's length."""

    def __init__(
        self, saved: Saved, look: Look, *, speed: float | None = None, at: int = 0, playing: bool = True
    ) -> None:
        self._saved = saved
        self._look = look
        self._steps = len(saved.steps)
        self._frame_at = -1
        self.at = min(max(0, at), self._steps)
        self.speed = speeds.sensible(self._steps) if speed is None else speeds.possible(speed)
        self.playing = playing and self.at < self._steps
        self.follow: int | None = None
        self.kind: str | None = None
        self._marked: int | None = None
        self._helping = False
        self._quit = False
        self._now = 0.0
        self._line_from: tuple[float, int] | None = None
        self._look_at(self.at)
        self._timeline = Timeline(saved, self._seats)

    @property
    def done(self) -> bool:
        """Whether it was quit."""
        return self._quit

    def tick(self, now: float) -> None:
        """Move to where playing has come to; at the end it stands still."""
        self._now = now
        if not self.playing:
            return
        if self._line_from is None:
            self._line_from = now, self.at
        since, start = self._line_from
        self.at = start + int(min(self._steps - start, (now - since) * self._rate() + 1e-9))
        if self.at == self._steps:
            self._play(False)

    def press(self, key: Key) -> None:
        """Keys that mean nothing here do nothing."""
        match key:
            case "q":
                self._quit = True
            case "?":
                self._helping = not self._helping
            case k.ESCAPE if self._helping:
                self._helping = False
            case k.ESCAPE:
                self.kind = self._marked = None
            case k.SPACE:
                if not self.playing and self.at == self._steps:
                    self._go(0)
                self._play(not self.playing)
            case k.RIGHT | k.LEFT:
                self._play(False)
                self._go(self.at + (1 if key == k.RIGHT else -1))
            case k.PAGE_DOWN | k.PAGE_UP:
                self._go(self.at + (PAGE_STEPS if key == k.PAGE_DOWN else -PAGE_STEPS))
            case "[" | "]":
                stride = max(PAGE_STEPS, self._steps // STRIDES)
                self._go(self.at + (stride if key == "]" else -stride))
            case k.DOWN | k.UP:
                self._play(False)
                self._go(self._timeline.round_from(self.at, forward=key == k.DOWN))
            case "m" | "M":
                self._move(forward=key == "m")
            case k.HOME:
                self._go(0)
            case k.END:
                self._go(self._steps)
            case "+" | "=":
                self._set_speed(speeds.faster(self.speed))
            case "-" | "_":
                self._set_speed(speeds.slower(self.speed))
            case "n" | "N":
                self._seek(forward=key == "n")
            case k.TAB | k.BACK_TAB:
                self.follow = next_seat(self.follow, self._seats, back=key == k.BACK_TAB)
            case _ if len(key) == 1 and key in "0123456789":
                self._set_speed(speeds.of_digit(key))

    def end_of_keys(self) -> None:
        """The keyboard has gone."""
        self._quit = True

    def version(self) -> object:
        """What the page depends on."""
        return self.at, self.playing, self.speed, self.follow, self.kind, self._marked, self._helping

    def scene(self) -> Scene:
        """The moment that is shown."""
        self._look_at(self.at)
        names = self._names()
        return Scene(
            frame=self._frame,
            heading=self._saved.title,
            told=self._timeline.told(self.at, names, LINES),
            times=self._timeline.times(self.at),
            ranks=self._ranks,
            step=self.at,
            steps=self._steps,
            speed=self.speed,
            paused=not self.playing,
            follow=self.follow,
            over=self._over,
            mark=self._marked,
            kind=self.kind,
        )

    def page(self, width: int, height: int) -> list[Text]:
        """The moment that is shown, or the help."""
        keys = VIEWER_KEYS if self._helping else hints(self.kind)
        return compose(self.scene(), width, height, self._look, keys, helping=self._helping)

    def _play(self, playing: bool) -> None:
        self.playing = playing
        self._line_from = None

    def _go(self, at: int) -> None:
        self.at = min(max(0, at), self._steps)
        self._line_from = None
        if self.at == self._steps:
            self.playing = False

    def _set_speed(self, speed: float) -> None:
        self.speed = speed
        self._line_from = None

    def _rate(self) -> float:
        """Steps a second; full speed shows any match in a few seconds."""
        return self.speed or max(speeds.LADDER[-1], self._steps / WHOLE)

    def _seek(self, *, forward: bool) -> None:
        self._look_at(self.at)  # plays the steps that are searched backwards
        told = self._timeline.seek(self.at, self._names(), self.kind, forward=forward)
        if told is None:
            return
        self._play(False)
        self._go(told.step)
        self.kind, self._marked = told.kind, told.step

    def _move(self, *, forward: bool) -> None:
        if self.follow is None:
            self._look_at(self.at)
            self.follow = next(iter(self._frame.to_move), None)
        if self.follow is None:
            return
        step = self._timeline.move_from(self.at, self.follow, forward=forward)
        if step is not None:
            self._play(False)
            self._go(step)

    def _names(self) -> list[str]:
        return [line.name for line in self._frame.seats]

    def _look_at(self, at: int) -> None:
        """Draw the state at a place, unless it is the one drawn last."""
        if at == self._frame_at:
            return
        state = self._saved.state_at(at)
        outcome = state.outcome()
        self._seats = state.seats
        self._frame = called(state.draw(), self._saved.entrants)
        self._ranks = ranks_of(outcome or state.current_result(), state.seats)
        self._over = outcome.reason if outcome is not None else None
        self._frame_at = at


def hints(kind: str | None) -> Keys:
    """The keys for one or a few lines; while n and N keep to a kind, it says to which."""
    if kind is None:
        return SHORT_KEYS
    return tuple((*key[:2], f"next, previous {kind}") if key[0] == "n N" else key for key in SHORT_KEYS)


async def view_replay(
    saved: Saved, terminal: Terminal, *, speed: float | None = None, at: int = 0, fd: int | None = None
) -> None:
    """Show a saved match on an interactive terminal until `q`; it begins to play at step `at`.

    Errors, those of `state_at` included, come after the terminal was given back, and not in a group.
    """
    viewer = Viewer(saved, terminal.look, speed=speed, at=at)
    with full_screen(terminal.out, fd) as (screen, keys):
        await run_view(viewer, screen, keys)
