"""The replay viewer, which plays, pauses and seeks in a saved match.

1. `Viewer` has no terminal: it gets keys and the time, and keeps a step `at` (0 … steps). Steps between two pages are not
   drawn, so that any speed and any length are possible.
2. While it plays, `at` advances by `speed` steps per second from a step at a time. A change of the speed or the step sets
   both anew.
3. `m` goes to the next move of the followed seat. Without one, the view then follows the seat to move.
4. `n` goes to the next event of any kind, or of the one kind that `k` has chosen among those of the match.
5. After `d`, playing stops before each turn of the followed seat, and the evidence is that of the turn that comes next.
6. A program's decision is explained only while the match stands still, because that takes milliseconds.
7. The points over the match are taken in small parts, one at each tick, and shown when all are there.
8. `:` opens a prompt, which then takes all keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from rich.text import Text

from referee.moments import speed as speeds
from referee.moments.evidence import Evidence, Explainers, Logs, choose_evidence, evidence_of, reasons
from referee.moments.moment import Moment, moment
from referee.moments.scene import LINES, Scene
from referee.moments.timeline import Timeline
from referee.saved.replay import Replay
from referee.terminal import keys as k
from referee.terminal.bindings import Binding, act, both_ways, digits, next_seat
from referee.terminal.console import Terminal
from referee.terminal.help import Help
from referee.terminal.keys import Key
from referee.terminal.page import compose, with_last
from referee.terminal.palette import Look
from referee.terminal.prompt import StepPrompt
from referee.terminal.screen import full_screen, run_view
from referee.terminal.seats import Points

PAGE_STEPS: Final = 10
STRIDES: Final = 20
"""The number of jumps by `[` and `]` through a match; each has at least `PAGE_STEPS`."""
WHOLE: Final = 5.0
"""Seconds for a whole match at full speed, if that is faster than all other speeds."""


class Viewer:
    """A view (`screen.View`) of a saved match. It plays from the start, or stands still at step `at`.

    A `speed` of None depends on the match's length.
    """

    def __init__(
        self,
        saved: Replay,
        look: Look,
        *,
        speed: float | None = None,
        at: int | None = None,
        logs: Logs | None = None,
        explainers: Explainers | None = None,
    ) -> None:
        self._timeline = Timeline(saved)
        self._look = look
        self._steps = len(saved.steps)
        self._logs, self._explainers = logs, explainers or {}
        self._debugging = False
        self.at = at or 0
        self.speed = speeds.sensible(self._steps) if speed is None else speed
        self.playing = at is None and self._steps > 0
        self.follow: int | None = None
        self.kind: str | None = None
        self._kinds: list[str] | None = None
        self._prompt = StepPrompt(self._steps)
        self._marked: int | None = None
        self._inspecting = False
        self._help = Help()
        self._evidence: Evidence | None = None
        self._evidence_for: object = None
        self.done = False
        self._line_from: tuple[float, int] | None = None
        self._drawn: Moment | None = None
        self._points = Points(self._timeline)

    def tick(self, now: float) -> None:
        """Advance to the step for this time; at the end, stop."""
        self._points.take()
        if not self.playing:
            return
        if self._line_from is None:
            self._line_from = now, self.at
        since, start = self._line_from
        end = self._next_turn(start) if self._debugging else self._steps
        self.at = start + int(min(end - start, (now - since) * self._rate() + 1e-9))
        if self.at == end:
            self._play(False)

    def press(self, key: Key) -> None:
        """Handle a key: the prompt gets it if it is open, then the help, then `VIEWER_KEYS`."""
        if self._prompt.typed is not None:
            if (step := self._prompt.press(key)) is not None:
                self._play(False)
                self._go(step)
            return
        self._prompt.notice = ""
        if not self._help.press(key):
            act(VIEWER_KEYS, self, key)

    def end_of_keys(self) -> None:
        """Close the view."""
        self.done = True

    def version(self) -> object:
        """Everything that the page depends on."""
        prompt = self._prompt.typed, self._prompt.notice
        view = self.follow, self.kind, self._marked, self._help.version(), self._inspecting, self._debugging
        return self.at, self.playing, self.speed, view, prompt, self._points.complete

    def scene(self) -> Scene:
        """The current moment."""
        evidence = self._evidence_at(self.at)
        now = self._moment()
        return Scene(
            frame=now.frame,
            heading=self._timeline.saved.title,
            events=self._timeline.last_sentences(self.at, self._names(), LINES),
            times=now.times,
            ranks=now.ranks,
            step=self.at,
            steps=self._steps,
            speed=self.speed,
            paused=not self.playing,
            follow=self.follow,
            over=now.over,
            mark=self._marked,
            evidence=evidence,
            points=self._points.scores if self._points.complete else (),
            inspected=self._inspecting or self._debugging,
        )

    def page(self, width: int, height: int) -> list[Text]:
        """The page of the current moment, or the help."""
        scene = self.scene()
        if self._help.open:
            lines = self._help.page(scene, width, height, self._look, VIEWER_KEYS)
        else:
            lines = compose(scene, width, height, self._look, VIEWER_KEYS)
        return lines if (prompt := self._prompt.line()) is None else with_last(lines, prompt, width, height)

    def _play(self, playing: bool) -> None:
        self.playing = playing
        self._line_from = None

    def _go(self, at: int) -> None:
        self.at = min(max(0, at), self._steps)
        self._line_from = None
        if self.at == self._steps:
            self.playing = False

    def _toggle(self) -> None:
        """Play or pause; at the end, play from the start."""
        if not self.playing and self.at == self._steps:
            self._go(0)
        self._play(not self.playing)

    def _step(self, forward: bool) -> None:
        self._play(False)
        self._go(self.at + (1 if forward else -1))

    def _jump(self, forward: bool, steps: int = PAGE_STEPS) -> None:
        self._go(self.at + (steps if forward else -steps))

    def _stride(self, forward: bool) -> None:
        self._jump(forward, max(PAGE_STEPS, self._steps // STRIDES))

    def _to_end(self, forward: bool) -> None:
        self._go(self._steps if forward else 0)

    def _to_round(self, forward: bool) -> None:
        self._play(False)
        self._go(self._timeline.round_from(self.at, forward=forward))

    def _set_speed(self, speed: float) -> None:
        self.speed = speed
        self._line_from = None

    def _change_speed(self, up: bool) -> None:
        self._set_speed(speeds.faster(self.speed) if up else speeds.slower(self.speed))

    def _rate(self) -> float:
        """Steps per second; full speed shows any match in a few seconds."""
        return self.speed or max(speeds.LADDER[-1], self._steps / WHOLE)

    def _seek(self, forward: bool) -> None:
        names = self._names()  # plays the steps that a search backwards reads
        event = self._timeline.seek(self.at, names, self.kind, forward=forward)
        if event is None:
            self._prompt.notice = f"there is no {'later' if forward else 'earlier'} {self.kind or 'event'}"
            return
        self._play(False)
        self._go(event.step)
        self._marked = event.step

    def _any_kind(self) -> None:
        self.kind = self._marked = None

    def _choose_kind(self) -> None:
        """From events of any kind to those of the first kind, through all kinds, and back."""
        if self._kinds is None:
            self._kinds = self._timeline.kinds(self._names())
        ring = [None, *self._kinds]
        self.kind = ring[(ring.index(self.kind) + 1) % len(ring)]
        self._prompt.notice = f"n and N go to events of {f'the kind {self.kind!r}' if self.kind else 'any kind'}"

    def _move(self, forward: bool) -> None:
        self._follow_one()
        if self.follow is None:
            return
        step = self._timeline.move_from(self.at, self.follow, forward=forward)
        if step is None:
            self._prompt.notice = f"seat {self.follow + 1} has no {'later' if forward else 'earlier'} move"
            return
        self._play(False)
        self._go(step)

    def _follow_next(self, forward: bool) -> None:
        self.follow = next_seat(self.follow, self._timeline.seats, forward=forward)
        self._line_from = None

    def _follow_one(self) -> None:
        """Follow the seat to move, if none is followed."""
        if self.follow is None:
            self.follow = next(iter(self._moment().frame.to_move), None)

    def _inspect(self) -> None:
        self._inspecting = not self._inspecting

    def _debug(self) -> None:
        self._debugging = not self._debugging
        self._line_from = None
        if self._debugging:
            self._follow_one()
        seat = "" if self.follow is None else f" of seat {self.follow + 1}"
        stops = "stops before each turn" if self._debugging else "does not stop before the turns"
        self._prompt.notice = f"playing {stops}{seat}"

    def _next_turn(self, start: int) -> int:
        """The step before the next turn of the followed seat after that of the step after `start`; the last one without any."""
        if self.follow is None:
            return self._steps
        move = self._timeline.move_from(start + 1, self.follow, forward=True)
        return self._steps if move is None else move - 1

    def _names(self) -> list[str]:
        return [line.name for line in self._moment().frame.seats]

    def _evidence_at(self, at: int) -> Evidence | None:
        """The evidence of a moment. It plays up to the step before, so it comes before the drawing of the step."""
        move = choose_evidence(self._timeline, at, self.follow, ahead=self._debugging)
        explain = move is not None and not self.playing and move[1] in self._explainers
        ahead = move is not None and move[0] > at
        if (key := (move, explain, ahead)) != self._evidence_for:
            why = partial(reasons, self._explainers) if explain else None
            self._evidence = (
                None if move is None else evidence_of(self._timeline, *move, self._logs, why=why, ahead=ahead)
            )
            self._evidence_for = key
        return self._evidence

    def _moment(self) -> Moment:
        """The current moment, which is drawn once."""
        if self._drawn is None or self._drawn.at != self.at:
            self._drawn = moment(self._timeline, self.at)
        return self._drawn


VIEWER_KEYS: Final[Sequence[Binding[Viewer]]] = (
    Binding("space", "play/pause", {k.SPACE: Viewer._toggle}),
    Binding("← →", "one step", both_ways(Viewer._step, k.LEFT, k.RIGHT)),
    Binding("↑ ↓", "round", both_ways(Viewer._to_round, k.UP, k.DOWN)),
    Binding("PgUp PgDn", "ten steps", both_ways(Viewer._jump, k.PAGE_UP, k.PAGE_DOWN), hint=False),
    Binding("[ ]", "5 % of the match", both_ways(Viewer._stride, "[", "]"), hint=False),
    Binding("Home End", "start, end", both_ways(Viewer._to_end, k.HOME, k.END), hint=False),
    Binding("+ −", "speed", both_ways(Viewer._change_speed, "-", "+") | both_ways(Viewer._change_speed, "_", "=")),
    Binding("0–9", "set speed", digits(lambda view, digit: view._set_speed(speeds.of_digit(digit))), hint=False),
    Binding(":", "go to a step", {":": lambda view: view._prompt.open()}, hint=False),
    Binding("n N", "next, previous event", both_ways(Viewer._seek, "N", "n")),
    Binding("k", "events of one kind", {"k": Viewer._choose_kind}, hint=False),
    Binding("Esc", "events of any kind", {k.ESCAPE: Viewer._any_kind}, hint=False),
    Binding("Tab", "follow", both_ways(Viewer._follow_next, k.BACK_TAB, k.TAB)),
    Binding("e", "evidence first", {"e": Viewer._inspect}),
    Binding("m M", "next, previous move of the followed seat", both_ways(Viewer._move, "M", "m"), hint=False),
    Binding("d", "stop before each turn of the followed seat", {"d": Viewer._debug}, hint=False),
    Binding("?", "help", {"?": lambda view: view._help.toggle()}),
    Binding("q", "quit", {"q": Viewer.end_of_keys}),
)


async def show_replay(viewer: Viewer, terminal: Terminal, fd: int | None = None) -> None:
    """Show a saved match on an interactive terminal until `q`, with keys from `fd` (None for stdin).

    Errors, such as those of `state_at`, are raised after the terminal was restored, and not in a group.
    """
    with full_screen(terminal.out, fd) as (screen, keys):
        await run_view(viewer, screen, keys)
