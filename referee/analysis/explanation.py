"""From a saved match to the reasons for its result: one pass over its steps.

Numbers of steps are those of `Replay.state_at`: the numbers in the file are untrusted. Seats count from 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from referee.analysis.accounts import SeatAccounts, Stretch
from referee.analysis.times import Times
from referee.contract.clock import TimeControl
from referee.contract.game import Effect, Game, Step
from referee.contract.ranking import Outcome, Ranked, points_of
from referee.moments.formatting import places
from referee.moments.scene import draw_with_names
from referee.moments.sentences import in_words
from referee.saved.record import VOID
from referee.saved.replay import Replay
from referee.text.words import harmless

MARKS: Final = (25, 50, 75, 100)
"""The points are noted after these percents of the steps."""
_OF: Final = re.compile(r" of \d+")
Leaders: TypeAlias = tuple[int, ...]
"""The seats with the best rank. One seat leads; several share the lead, so nobody leads."""


@dataclass(frozen=True, slots=True)
class SeatStory(Ranked):
    """The line of a seat in the result, with the name that people see, and the course of the match for this seat.

    Attributes:
        progress: the points at each of `MARKS`.
        led: the part of the steps after which it led alone, 0 to 1.
        figures: the game's own figures at the end, by their headings.
    """

    progress: Sequence[float]
    led: float
    figures: Mapping[str, str]
    accounts: SeatAccounts
    times: Times

    @property
    def title(self) -> str:
        """The number of the seat, from 1, and its name."""
        return f"{self.seat + 1} {self.name}"


class LeadChange(NamedTuple):
    """The step in which a seat took the lead, and the events of this step in words."""

    step: int
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a match went as it did.

    Attributes:
        reason: why the match ended. rounds, steps: how many there were.
        names: what people call each seat, seats of the house too.
        seats: the ranked seats, best first.
        leads: each step in which the lead went to another seat.
        turning_point: the step from which the winner always led; None if nobody leads at the end.
        when: for each step, the moment in which it was asked, in the game's words: "round 12"; empty while names are asked.
    """

    game: Game[Any, Any]
    time: TimeControl
    reason: str
    rounds: int
    steps: int
    names: Sequence[str]
    seats: Sequence[SeatStory]
    leads: Sequence[LeadChange]
    turning_point: LeadChange | None
    when: Sequence[str]

    def rank(self, story: SeatStory) -> str:
        """The rank of a seat in words: `rank 2= of 4`."""
        place = places([other.rank for other in self.seats])[self.seats.index(story)]
        return f"rank {place} of {len(self.seats)}"

    def moment(self, step: int) -> str:
        """A step for people: the moment in the game's words, if it has one, and the number."""
        return f"{self.when[step]}, step {step}" if self.when[step] else f"step {step}"

    def words(self, stretch: Stretch) -> str:
        """The event of a single booking in words; without one, or for several, the source or reason. Harmless."""
        event, what = stretch.effect.event, stretch.effect.what
        text = None if event is None or stretch.times > 1 else in_words(self.game, event, self.names)
        return harmless(text or what)


def explain(saved: Replay) -> Explanation:
    """Find out why a match went as it did.

    Raises:
        SavedGameError: a step does not follow from the rules.
    """
    game, last = saved.game, len(saved.steps)
    state = saved.state_at(0)
    outcome = state.current_result()
    points = [points_of(outcome, state.seats)]  # after each step, by seat
    leaders = [_leaders(outcome)]
    accounts = [SeatAccounts(seat, start) for seat, start in enumerate(points[0])]
    times = [Times(saved.time) for _ in accounts]
    when = [""]
    causes: dict[int, list[Effect]] = {}
    for number, step in enumerate(saved.steps, start=1):
        if number == 1 or step.round != saved.steps[number - 2].round:
            label = _OF.sub("", draw_with_names(state, ()).title) if step.round else ""
        when.append(label)
        state = saved.state_at(number)
        for answer in step.answers:
            times[answer.seat].note(number, step.ask, answer, outcome, points[-1])
        outcome = state.current_result()
        points.append(points_of(outcome, state.seats))
        leaders.append(_leaders(outcome))
        effects = list(game.effects(step, points[-2], points[-1]))
        for seat, seat_accounts in enumerate(accounts):
            own = [effect for effect in effects if effect.seat == seat]
            seat_accounts.book(number, own, points[-1][seat] - points[-2][seat])
        if leaders[-1] != leaders[-2]:
            causes[number] = _causes(step, effects)
    frame = draw_with_names(state, saved.entrants)
    names = [line.name for line in frame.seats]

    def change(step: int) -> LeadChange:
        texts = _texts(game, causes.get(step, []), names)
        return LeadChange(step, leaders[step][0], harmless("; ".join(texts)))

    turning_point = turning_step(leaders)
    return Explanation(
        game=game,
        time=saved.time,
        reason=VOID if saved.void else outcome.reason,
        rounds=outcome.rounds,
        steps=last,
        names=names,
        seats=[
            SeatStory(
                seat=ranked.seat,
                name=names[ranked.seat],
                rank=ranked.rank,
                score=ranked.score,
                disqualified=ranked.disqualified,
                progress=[points[-(-last * percent // 100)][ranked.seat] for percent in MARKS],
                led=leaders[1:].count((ranked.seat,)) / max(1, last),
                figures=dict(zip(frame.figures, frame.seats[ranked.seat].figures, strict=True)),
                accounts=accounts[ranked.seat],
                times=times[ranked.seat],
            )
            for ranked in outcome.ranking
        ],
        leads=[change(step) for step in lead_steps(leaders)],
        turning_point=None if turning_point is None else change(turning_point),
        when=when,
    )


def _leaders(outcome: Outcome) -> Leaders:
    """The seats with the best rank in the game's own ranking."""
    return tuple(sorted(line.seat for line in outcome.ranking if line.rank == outcome.ranking[0].rank))


def lead_steps(leaders: Sequence[Leaders]) -> list[int]:
    """The steps in which a seat other than the last leader took the lead, beginning with the first lead.

    Args:
        leaders: after each step, from the setup on.
    """
    alone = [step for step, seats in enumerate(leaders) if len(seats) == 1]
    return [step for at, step in enumerate(alone) if not at or leaders[alone[at - 1]] != leaders[step]]


def turning_step(leaders: Sequence[Leaders]) -> int | None:
    """The step from which the winner always led; None if nobody leads at the end. See `lead_steps`."""
    if len(leaders[-1]) != 1:
        return None
    return next((step for step in range(len(leaders) - 1, 0, -1) if leaders[step - 1] != leaders[-1]), 0)


def _causes(step: Step, effects: Sequence[Effect]) -> list[Effect]:
    """What can have changed the ranking in a step: points, and disqualifications."""
    out = [event for event in step.events if event["event"] == "disqualified"]
    scoring = [effect for effect in effects if effect.kind == "points" and effect.event is not None]
    return [*scoring, *(Effect(event["seat"], "nothing", "disqualified", 1, event) for event in out)]


def _texts(game: Game[Any, Any], causes: Sequence[Effect], names: Sequence[str]) -> list[str]:
    """The events of these effects in words; if they do not name a seat whose points changed, with that seat."""
    others_by_text: dict[str, list[str]] = {}
    for effect in causes:
        if effect.event is not None and (text := in_words(game, effect.event, names)):
            others = others_by_text.setdefault(text, [])
            if names[effect.seat] not in text:
                others.append(f"{names[effect.seat]} {effect.amount:+g}, {effect.what}")
    return [f"{text} ({'; '.join(others)})" if others else text for text, others in others_by_text.items()]
