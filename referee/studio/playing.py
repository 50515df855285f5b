"""The job of a match: plays it as `referee play` does, and reports it in progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing as closing_after
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import trio

from referee import games
from referee.cli import closing
from referee.cli.again import command, option_words, play_words, start_words
from referee.contract.frame import Control
from referee.contract.game import Step
from referee.errors import UsageError
from referee.export.document import snapshot
from referee.match.line_up import Options, Start, build_bots, make_config
from referee.match.session import Session
from referee.moments import speed
from referee.moments.scene import Director, draw_with_names
from referee.sandbox.tempdir import tempdir
from referee.text.words import harmless
from referee.web.processes import Channel


async def play(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Play a match; its result is that of `play --json`.

    Args:
        request: `game`, `map`, `rounds` and `seed`, the words of the `seats`, and the file for the saved game (`saved`). With the
            text of a `program`, the first word is its file's name.
    """
    game = games.find(request["game"])
    start = Start(seed=request["seed"], map=request["map"], rounds=request["rounds"])
    options = Options(people=True)
    words = list(request["seats"])
    with tempdir() as folder:
        if request["program"] is not None:
            file = folder / words[0]
            file.write_text(request["program"], encoding="utf-8")
            words[0] = str(file)
        config = make_config(game, start, words, options, channel.say)
    config = await build_bots(replace(config, saved=Path(request["saved"])), channel.say)
    words = [seat.word for seat in config.seats if seat.word]
    begin, others = start_words(config.map, start.rounds), option_words(game, options)
    again = command(*play_words(game, words, start=begin, seed=config.seed, options=others))
    with closing_after(Session(config)) as session:
        director = Director(game, session.state, session.clocks, session.entrants)
        viewer = next(iter(session.people), None)
        async with trio.open_nursery() as nursery:
            leave = nursery.cancel_scope.cancel
            match = LiveMatch(session, director, channel, leave, viewer)
            channel.listener = match.hear
            nursery.start_soon(match.report)
            await session.play(observers=[director.step], pace=match.pace if session.people else None)
            leave()
        match.show()
    if (result := session.result) is None:
        raise UsageError("the match was left before it began")
    return closing.report(config, result, again)


@dataclass
class LiveMatch:
    """A match in progress, as pages show it.

    Attributes:
        leave: a function that ends the match as it stands.
        viewer: the seat of the person who sees the board; None if only programs play.
    """

    session: Session
    director: Director
    channel: Channel
    leave: Callable[[], None]
    viewer: int | None
    _shown: object = None

    async def pace(self, _step: Step) -> None:
        """Wait after a step, so that people see each one."""
        await trio.sleep(1 / speed.AMONG_PEOPLE)

    async def report(self) -> None:
        """Show the match as it goes."""
        while True:
            self.show()
            await trio.sleep(0.1)

    def hear(self, message: dict[str, Any]) -> None:
        """Take a person's answer: `seat`, `step` and `answer`. An answer for another moment, or of no control, is dropped.

        A message with `leave` ends the match.
        """
        if "leave" in message:
            self.leave()
            return
        seat = self._asked_seat()
        if seat is None or (message["seat"], message["step"]) != (seat, self.director.last_step):
            return
        if message["answer"] in _answers(self._choices(seat)):
            self.session.people[seat].answer(message["answer"])

    def show(self) -> None:
        """Report this moment, if it has not been reported."""
        if (seat := self._asked_seat()) is not None:
            self.viewer = seat  # as at a terminal, of several people the one who is asked sees the board
        over = self.session.state.outcome() is not None
        if self._shown == (moment := (self.director.last_step, seat, over)):
            return
        self._shown = moment
        scene = self.director.scene(self.viewer)
        frame = scene.frame
        self.channel.tell(
            "step",
            step=scene.step,
            title=frame.title,
            over=scene.over,
            board=snapshot(frame),
            figures=list(frame.figures),
            seats=[
                {
                    "seat": line.seat,
                    "name": harmless(line.name),
                    "points": line.score,
                    "figures": list(line.figures),
                    "rank": rank,
                    "disqualified": line.disqualified,
                    "due": line.seat in frame.to_move,
                }
                for line, rank in zip(frame.seats, scene.ranks, strict=True)
            ],
            events=[harmless(event.text) for event in scene.events],
            turn=self._turn(),
        )

    def _turn(self) -> dict[str, Any] | None:
        """What the person who is asked can do."""
        if (seat := self._asked_seat()) is None:
            return None
        return {"seat": seat, "choices": [*map(_choice, self._choices(seat))]}

    def _asked_seat(self) -> int | None:
        """The seat of the person to answer now."""
        return next((seat for seat, person in self.session.people.items() if person.waits), None)

    def _choices(self, seat: int) -> Sequence[Control]:
        game, state = self.director.game, self.session.state
        assert game.controls is not None
        names = [line.name for line in draw_with_names(state, self.session.entrants).seats]
        return game.controls(state, seat, names)


def _choice(control: Control) -> dict[str, Any]:
    then = [*map(_choice, control.then)]
    return {"keys": list(control.keys), "words": harmless(control.words), "answer": control.answer, "then": then}


def _answers(controls: Sequence[Control]) -> Iterator[str]:
    for control in controls:
        if control.answer is not None:
            yield control.answer
        yield from _answers(control.then)
