"""The loop of a match, with a small game and players without processes: requests, charges and events."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import Mock

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from referee.contract.clock import Clock, TimeControl
from referee.contract.frame import Frame
from referee.contract.game import Answer, Event, Fault, FaultKind, Request, State, Step
from referee.contract.positions import Position
from referee.contract.ranking import Outcome, rank
from referee.match import loop
from referee.players.base import Player
from referee.players.fairness import HostStalled, Stall
from referee.players.table import end_players

TIME = TimeControl(first=15.0, answer=1.0, total=20.0)
LATE = Fault(FaultKind.TIMEOUT, "no answer within 1 s")


def clocks_for(seats: int, time: TimeControl = TIME) -> list[Clock]:
    return [Clock(time) for _ in range(seats)]


class Numbers(State[str, int]):
    """In each round all seats name a number at once; a fault disqualifies the seat. The highest sum wins."""

    def __init__(self, seats: int, rounds: int) -> None:
        self.seats = seats
        self.scores = [0] * seats
        self.out: list[str | None] = [None] * seats
        self.rounds = rounds
        self.played = 0

    @property
    def round(self) -> int:
        return self.played + 1

    def requests(self) -> Sequence[Request[str]]:
        if self.played == self.rounds:
            return []
        return [Request(seat, "number", f"round {self.round}") for seat, out in enumerate(self.out) if out is None]

    def advance(self, actions: Sequence[int | Fault]) -> Sequence[Event]:
        for request, action in zip(self.requests(), actions, strict=True):
            if isinstance(action, Fault):
                self.out[request.seat] = str(action.kind)
            else:
                self.scores[request.seat] += action
        self.played += 1
        return [{"event": "counted", "scores": list(self.scores)}]

    def current_result(self) -> Outcome:
        reason = "interrupted" if self.requests() else "rounds"
        return Outcome(reason, self.played, rank(self.scores, self.out, ["" for _ in self.scores]))

    def position(self) -> Position:
        return {"scores": list(self.scores), "played": self.played}

    def draw(self) -> Frame:
        raise AssertionError("this game is never drawn")


@dataclass
class Fake(Player):
    """Gives these replies; each takes `elapsed` seconds. `wait` is awaited before each."""

    replies: Sequence[int | Fault]
    elapsed: float = 0.25
    cpu: float | None = None
    wait: Callable[[], Any] | None = None
    asked: list[tuple[str, float]] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)

    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        self.asked.append((request.observation, clock.limit))
        if self.wait is not None:
            await self.wait()
        action = self.replies[len(self.asked) - 1]
        return Answer(request.seat, action, None if isinstance(action, Fault) else str(action), self.elapsed, self.cpu)

    async def end(self, *, grace: float) -> None:
        await trio.lowlevel.checkpoint()  # a real end waits: this fails if `end` is cancelled
        self.ended.append(grace)


@dataclass
class Watches:
    """A recorder that keeps steps and results."""

    steps: list[Step] = field(default_factory=list)
    ends: list[tuple[str, Position]] = field(default_factory=list)

    def record(self, steps: Sequence[Step]) -> None:
        self.steps += steps

    def end(self, outcome: Outcome, final: Position) -> None:
        self.ends.append((outcome.reason, final))


class Thrown(Exception):
    """A bug in the referee."""


async def test_players_that_are_due_together_are_asked_concurrently():
    together = [trio.Event() for _ in range(3)]

    def meets(seat: int) -> Callable[[], Any]:
        async def meet() -> None:
            together[seat].set()
            for other in together:
                await other.wait()

        return meet

    players = [Fake([seat + 1], wait=meets(seat)) for seat in range(3)]
    watches = Watches()
    outcome = await loop.play(Numbers(3, 1), players, clocks_for(3), recorders=[watches])
    assert [ranked.seat for ranked in outcome.ranking] == [2, 1, 0]
    (step,) = watches.steps
    assert (step.number, step.round, step.ask) == (1, 1, "number")
    assert [(answer.seat, answer.action) for answer in step.answers] == [(0, 1), (1, 2), (2, 3)]


async def test_answers_are_in_the_order_of_the_requests():
    second_is_done = trio.Event()

    async def finish() -> None:
        second_is_done.set()

    players = [Fake([10], wait=second_is_done.wait), Fake([20], wait=finish)]
    state = Numbers(2, 1)
    await loop.play(state, players, clocks_for(2))
    assert state.scores == [10, 20]


async def test_a_player_that_fails_is_not_asked_again_and_the_others_continue():
    players = [Fake([1, LATE]), Fake([1, 1, 1]), Fake([1, 1, 1])]
    outcome = await loop.play(Numbers(3, 3), players, clocks_for(3))
    assert [len(player.asked) for player in players] == [2, 3, 3]
    ranking = [(ranked.seat, ranked.score, ranked.disqualified) for ranked in outcome.ranking]
    assert ranking == [(1, 3, None), (2, 3, None), (0, 1, "timeout")]


async def test_each_clock_is_charged_the_time_of_its_player_and_sets_its_limits():
    players = [Fake([1] * 9, elapsed=0.5), Fake([1] * 9, elapsed=2.5)]
    clocks = clocks_for(2)
    await loop.play(Numbers(2, 9), players, clocks)
    assert [limit for _, limit in players[0].asked] == [15.0, *[1.0] * 8]
    assert [limit for _, limit in players[1].asked] == [15.0, *[1.0] * 7, 0.0], "the total is used up after 8 answers"
    assert [(clock.used, clock.slowest, clock.answers) for clock in clocks] == [(4.5, 0.5, 9), (22.5, 2.5, 9)]


async def test_a_clock_for_cpu_time_is_charged_the_measured_cpu_time():
    clocks = clocks_for(2, TimeControl(first=15.0, answer=1.0, total=20.0, kind="cpu"))
    await loop.play(Numbers(2, 2), [Fake([1, LATE], cpu=1.5), Fake([1, 1], cpu=0.25)], clocks)
    assert [(clock.used, clock.slowest) for clock in clocks] == [(3.0, 0.25), (0.5, 0.25)]


async def test_recorders_and_observers_get_every_step_and_recorders_the_end_once():
    watches, steps = Watches(), list[Step]()
    players = [Fake([1] * 3), Fake([2] * 3)]
    await loop.play(Numbers(2, 3), players, clocks_for(2), recorders=[watches], observers=[steps.append])
    assert [step.number for step in steps] == [1, 2, 3]
    assert [step.events for step in steps] == [[{"event": "counted", "scores": [n, 2 * n]}] for n in (1, 2, 3)]
    assert (watches.steps, watches.ends) == (steps, [("rounds", {"scores": [3, 6], "played": 3})])


async def test_a_pace_is_awaited_after_each_step():
    watches = Watches()
    seen = []

    async def pace(step: Step) -> None:
        await trio.lowlevel.checkpoint()
        seen.append((step.number, len(watches.steps)))

    players = [Fake([1] * 3), Fake([1] * 3)]
    await loop.play(Numbers(2, 3), players, clocks_for(2), recorders=[watches], pace=pace)
    assert seen == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize("seats", [1, 2], ids=["one is asked", "several are asked"])
async def test_recorders_get_the_end_of_a_cancelled_match(seats):
    watches = Watches()
    players = [Fake([1], wait=trio.sleep_forever) for _ in range(seats)]
    with trio.CancelScope() as scope:
        async with trio.open_nursery() as nursery:

            async def play() -> None:
                async with end_players(players):
                    await loop.play(Numbers(seats, 1), players, clocks_for(seats), recorders=[watches])

            nursery.start_soon(play)
            await wait_all_tasks_blocked()
            scope.cancel()
    assert scope.cancelled_caught
    assert watches.ends == [("interrupted", {"scores": [0] * seats, "played": 0})]
    assert [player.ended for player in players] == [[0.0]] * seats, "ended once, without grace"


async def test_a_match_of_players_that_answer_at_once_can_be_cancelled():
    watches = Watches()
    clocks = clocks_for(1, TimeControl(1, 1, None))
    with trio.CancelScope() as scope:

        def cancel(step: Step) -> None:
            if step.number == 3:
                scope.cancel()

        await loop.play(Numbers(1, 10**7), [Fake([1] * 10**7)], clocks, recorders=[watches], observers=[cancel])
    assert scope.cancelled_caught
    assert [reason for reason, _ in watches.ends] == ["interrupted"]


@pytest.mark.parametrize("seats", [1, 2], ids=["one is asked", "several are asked"])
async def test_recorders_get_the_end_of_a_match_that_a_bug_ends(seats):
    async def fail() -> None:
        raise Thrown

    watches = Watches()
    players = [Fake([1], wait=fail), *[Fake([1], wait=trio.sleep_forever) for _ in range(seats - 1)]]
    with pytest.RaisesGroup(Thrown, allow_unwrapped=True):
        async with end_players(players):
            await loop.play(Numbers(seats, 1), players, clocks_for(seats), recorders=[watches])
    assert [reason for reason, _ in watches.ends] == ["interrupted"]
    assert [player.ended for player in players] == [[0.0]] * seats


async def test_recorders_get_no_end_if_the_rules_fail_in_the_middle_of_a_step(monkeypatch):
    monkeypatch.setattr(Numbers, "advance", Mock(side_effect=Thrown))
    watches = Watches()
    with pytest.raises(Thrown):
        await loop.play(Numbers(1, 1), [Fake([1])], clocks_for(1), recorders=[watches])
    assert watches.ends == []


async def stall() -> None:
    raise HostStalled(0, Stall(0.5, 1.0))


@pytest.mark.parametrize(("seats", "stalled"), [(1, [0]), (2, [1]), (3, [0, 1, 2])])
async def test_a_stall_of_the_host_makes_the_match_void(seats, stalled):
    async def stall_at_the_second() -> None:
        if len(players[stalled[0]].asked) == 2:
            await stall()

    watches, state = Watches(), Numbers(seats, 3)
    players = [Fake([1, 1, 1], wait=stall_at_the_second if seat in stalled else None) for seat in range(seats)]
    clocks = clocks_for(seats)
    with pytest.raises(HostStalled):
        async with end_players(players):
            await loop.play(state, players, clocks, recorders=[watches])
    assert [step.number for step in watches.steps] == [1], "the spoiled step is not counted"
    assert watches.ends == [("void", {"scores": [1] * seats, "played": 1})]
    assert state.out == [None] * seats
    assert [player.ended for player in players] == [[0.0]] * seats


async def test_a_stall_does_not_hide_another_exception():
    async def fail() -> None:
        raise Thrown

    watches = Watches()
    with pytest.RaisesGroup(HostStalled, Thrown):
        await loop.play(
            Numbers(2, 1), [Fake([1], wait=stall), Fake([1], wait=fail)], clocks_for(2), recorders=[watches]
        )
    assert [reason for reason, _ in watches.ends] == ["interrupted"]


async def test_a_match_that_is_already_over_has_no_requests():
    watches = Watches()
    players = [Fake([])]
    outcome = await loop.play(Numbers(1, 0), players, clocks_for(1), recorders=[watches])
    assert outcome.reason == "rounds"
    assert players[0].asked == []
    assert [reason for reason, _ in watches.ends] == ["rounds"]


# -- recorders and observers ----------------------------------------------------------------------------------------------


@dataclass
class Journal(Watches):
    """A recorder that notes its calls in `words`; it fails to write the step `fails`."""

    words: list[str] = field(default_factory=list)
    fails: int = 0

    def record(self, steps: Sequence[Step]) -> None:
        numbers = [step.number for step in steps]
        self.words.append(" ".join(map(str, ["written", *numbers])))
        if self.fails in numbers:
            raise OSError("the disk is full")

    def end(self, outcome: Outcome, final: Position) -> None:
        self.words.append(outcome.reason)


@dataclass
class Busy(Fake):
    """A player that notes its calls.

    It answers at once if it is `quick`, calls `meanwhile` if it `helps`, and raises at its second call if it `breaks`.
    """

    journal: list[str] = field(default_factory=list)
    quick: bool = True
    helps: bool = True
    breaks: bool = False

    def at_once(
        self, request: Request[Any], clock: Clock, meanwhile: Callable[[], None] | None = None
    ) -> Answer[Any] | None:
        self.journal.append("put")
        if self.breaks and self.journal.count("put") == 2:
            raise Thrown("at 2")
        if self.helps and meanwhile is not None:
            meanwhile()
        self.journal.append("quick" if self.quick else "slow")
        return Answer(request.seat, 1, "1", self.elapsed) if self.quick else None

    async def ask(self, request: Request[Any], clock: Clock) -> Answer[Any]:
        self.journal.append("waited for")
        return await super().ask(request, clock)


async def written(
    seats: int, *, quick: bool = True, helps: bool = True, breaks: bool = False, fails: int = 0,
    breath: float = float("inf"), **more: Any,
) -> list[str]:  # fmt: skip
    """The noted calls of a match of two steps, and its result; clocks do not matter."""
    journal = Journal(fails=fails)
    players = [Busy([1, 1], journal=journal.words, quick=quick, helps=helps, breaks=breaks) for _ in range(seats)]
    clocks = clocks_for(seats)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loop, "BREATH", breath)
            await loop.play(Numbers(seats, 2), players, clocks, recorders=[journal], **more)
    except Exception as failed:
        journal.words.append(str(failed))
    return journal.words


async def test_a_step_is_recorded_while_the_next_player_thinks():
    assert await written(1) == ["put", "quick", "put", "written 1", "quick", "written 2", "rounds"]
    both = ["put", "quick"]
    assert await written(2) == [*both, *both, "put", "written 1", "quick", *both, "written 2", "rounds"]


async def test_a_step_is_recorded_before_a_player_is_awaited():
    slow = ["put", "slow", "waited for"]
    assert await written(1, quick=False) == [*slow, "put", "written 1", *slow[1:], "written 2", "rounds"]
    late = [*slow, "put", "slow", "written 1", "waited for", "written 2", "rounds"]
    assert await written(1, quick=False, helps=False) == late
    both, waited = ["put", "slow"] * 2, ["waited for"] * 2
    late = [*both, *waited, *both, "written 1", *waited, "written 2", "rounds"]
    assert await written(2, quick=False, helps=False) == late


@pytest.mark.parametrize("seats", [1, 2])
async def test_steps_are_recorded_together_while_all_players_answer_at_once(seats):
    assert await written(seats, helps=False) == [*["put", "quick"] * 2 * seats, "written 1 2", "rounds"]


async def _no_pace(_: Step) -> None:
    await trio.lowlevel.checkpoint()


@pytest.mark.parametrize("more", [{"pace": _no_pace}, {"breath": -1.0}], ids=["with a pace", "a slow match"])
async def test_a_step_may_be_recorded_at_once(more):
    assert await written(1, **more) == ["put", "quick", "written 1", "put", "quick", "written 2", "rounds"]


async def test_observers_get_a_step_at_once_and_after_the_recorders():
    def give_up(step: Step) -> None:
        raise Thrown(f"at {step.number}")

    events = ["put", "quick", "written 1", "interrupted"]
    assert await written(1, observers=[give_up]) == [*events, "at 1"]
    assert await written(1, observers=[give_up], fails=1) == [*events, "the disk is full"]


async def test_an_exception_ends_a_match_after_the_last_step_is_recorded():
    events = ["put", "quick", "put", "written 1", "interrupted"]
    for fails in (0, 1):
        assert await written(1, breaks=True, fails=fails) == [*events, "at 2"]


@pytest.mark.parametrize("seats", [1, 2])
async def test_a_recorder_that_fails_gets_a_step_once(seats):
    words = ["put", "quick"] * seats + ["put", "written 1", "interrupted", "the disk is full"]
    assert await written(seats, fails=1) == words


async def test_a_recorder_that_fails_at_the_last_step_fails_the_match():
    words = ["put", "quick", "put", "written 1", "quick", "written 2", "rounds", "the disk is full"]
    assert await written(1, fails=2) == words


async def test_recorders_get_the_end_if_ctrl_c_interrupts_the_record_of_the_last_steps(monkeypatch):
    @dataclass
    class Interrupted(Journal):
        def record(self, steps: Sequence[Step]) -> None:
            super().record(steps)
            raise KeyboardInterrupt

    monkeypatch.setattr(loop, "BREATH", float("inf"))
    journal = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        await loop.play(Numbers(1, 2), [Busy([1, 1], helps=False)], clocks_for(1), recorders=[journal])
    assert journal.words == ["written 1 2", "rounds"]


async def test_a_recorder_that_cannot_write_the_end_fails_the_match_and_the_others_get_it():
    full, watches = Mock(end=Mock(side_effect=Thrown)), Watches()
    with pytest.raises(Thrown):
        await loop.play(Numbers(1, 1), [Fake([1])], clocks_for(1), recorders=[full, watches])
    assert [reason for reason, _ in watches.ends] == ["rounds"]
