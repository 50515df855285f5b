"""One dialogue over two pipes, without a process and with a mock clock: the test acts as the player.

Time passes only when a test says so: the mock clock jumps when all tasks wait.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import trio
from players.witnessing import Own, Witness
from seating import Keeps
from trio.testing import MockClock, wait_all_tasks_blocked

from referee.contract.clock import LOOK, Clock, Kind, TimeControl
from referee.contract.game import Fault, FaultKind
from referee.players.brief_wait import FIRST, NAP
from referee.players.exchange import Exchange
from referee.players.fairness import Stall
from referee.players.stream import Dialogue
from referee.text.words import quote

CAP = 16
LARGE = b"x" * 100_000 + b"\n"
"""More bytes than a pipe takes in one write."""


class Far(Keeps):
    """The player's ends of two pipes, and a dialogue at the referee's ends."""

    def __init__(self) -> None:
        super().__init__()
        self.stdin, near_in = os.pipe()
        near_out, self.stdout = os.pipe()
        self._near = [near_in, near_out]
        for end in (near_in, near_out, self.stdin):
            os.set_blocking(end, False)
        self.is_over = False
        self.own = Own()
        self.starved = 0
        self.resumed: Callable[[], object] = lambda: None
        self.paused: Callable[[], object] = lambda: None
        self.talk(CAP)

    def talk(self, cap: int) -> None:
        """Replaces the dialogue by one with this cap."""
        self.dialogue = Dialogue(
            *self._near, cap=cap, tap=self, over=lambda: self.is_over, own=self.own, starved=self._starve, now=trio.current_time,
            turns=(lambda: self.resumed(), lambda: self.paused()),
        )  # fmt: skip

    async def exchange(self, request: bytes, lines: int, by: Clock, meanwhile: Any = None) -> Exchange:
        """Write a request and read its reply."""
        if (reply := self.dialogue.at_once(request, lines, by, meanwhile)) is not None:
            return Exchange(reply, self.dialogue.elapsed, self.dialogue.cpu)
        return await self.dialogue.in_time(lines, by)

    def _starve(self) -> bool:
        self.starved += 1
        return True

    def say(self, data: bytes) -> None:
        os.write(self.stdout, data)

    def read(self) -> bytes:
        """All that the referee wrote."""
        data = b""
        try:
            while chunk := os.read(self.stdin, 1 << 20):
                data += chunk
        except BlockingIOError:
            pass
        return data

    def shut(self, *ends: int) -> None:
        for end in ends:
            os.close(end)

    def shut_all(self) -> None:
        for end in (self.stdin, self.stdout, *self._near):
            try:
                os.close(end)
            except OSError:
                continue


@pytest.fixture
def far() -> Iterator[Far]:
    far = Far()
    yield far
    far.shut_all()


def clock(first: float = 1.0, answer: float = 1.0, total: float | None = None, kind: Kind = "wall") -> Clock:
    return Clock(TimeControl(first, answer, total, kind))


class Asking:
    """An exchange that runs in a task. `whole`, `result` and `elapsed` are set when the nursery has ended."""

    whole: Exchange
    result: list[bytes] | Fault
    elapsed: float

    def __init__(self, far: Far, nursery: trio.Nursery, request: bytes = b"ask\n", **more: Any):
        nursery.start_soon(partial(self._ask, far, request, **more))

    async def _ask(
        self, far: Far, request: bytes, *, lines: int = 1, by: Clock | None = None, meanwhile: Any = None
    ) -> None:
        self.whole = await far.exchange(request, lines, by or clock(), meanwhile)
        self.result, self.elapsed = self.whole.reply, self.whole.elapsed


async def exchanged(far: Far, *acts: float | bytes | Callable[[], None], **more: Any) -> Asking:
    """An exchange. Meanwhile seconds pass or, when the referee waits, the player says something or a call is made."""
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, **more)
        for act in acts:
            if isinstance(act, float):
                await trio.sleep(act)
            else:
                await wait_all_tasks_blocked()
                far.say(act) if isinstance(act, bytes) else act()
    return asking


async def exchanged_while(far: Far, change: Callable[[], None], every: float, **more: Any) -> Asking:
    """An exchange during which something changes again and again, every so many seconds."""

    async def repeat() -> None:
        while True:
            await trio.sleep(every)
            change()

    async with trio.open_nursery() as repeating:
        repeating.start_soon(repeat)
        asking = await exchanged(far, **more)
        repeating.cancel_scope.cancel()
    return asking


@pytest.fixture
def at_first_look(monkeypatch) -> Callable[..., None]:
    """A function that makes something happen once: when a request is written, before the referee looks for the answer."""

    def happens(act: Callable[..., object], *args: object) -> None:
        once = iter([act])
        monkeypatch.setattr(os, "sched_yield", lambda: [act(*args) for act in once])

    return happens


def later(
    far: Far, clock: MockClock, seconds: float, data: bytes = b"N\n", *, stolen: float = 0.0
) -> Callable[[], None]:
    """Time passes, which the host may have stolen from the referee, and then the player says something."""

    def happens() -> None:
        clock.jump(seconds)
        far.own.delay += stolen
        far.say(data)

    return happens


async def asleep_until_the_answer(far: Far, mock_clock: MockClock, *, delayed: float) -> Asking:
    """An exchange with an answer after 0.1 s, which the referee cannot read before 30 s."""
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery)
        for _ in range(2):
            await wait_all_tasks_blocked()
            mock_clock.jump(0.05)
        await wait_all_tasks_blocked()
        far.say(b"N\n")
        far.own.delay += delayed
        mock_clock.jump(29.9)
    return asking


def fault(result: object) -> tuple[FaultKind, str]:
    return result.kind, result.detail


# -- answers ---------------------------------------------------------------------------------------------------------


async def test_the_time_until_an_answer_is_charged(far, autojump_clock):
    got: list[bytes] = []
    asking = await exchanged(far, lambda: got.append(far.read()), 0.25, b"N\n")
    assert (got, asking.result) == ([b"ask\n"], [b"N"])
    assert asking.elapsed == pytest.approx(0.25)
    assert far.passed == [("sent", b"ask\n"), ("received", b"N\n")]


async def test_the_clock_runs_from_before_the_request_is_written_until_the_last_line_is_read(far, autojump_clock):
    acts = (0.25, far.read, b"1\n", 0.25, far.read, b"2\n", 0.25)
    asking = await exchanged(far, *acts, request=LARGE, lines=2)
    assert asking.result == [b"1", b"2"]
    assert asking.elapsed == pytest.approx(0.5)


async def test_a_large_request_arrives_whole_and_once(far, autojump_clock):
    """What the referee does meanwhile, it does once."""
    got, done = bytearray(), list[int]()
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, LARGE, meanwhile=lambda: done.append(1))
        while len(got) < len(LARGE):
            await trio.sleep(0.01)
            got += far.read()
        far.say(b"N\n")
    assert got == LARGE
    assert (asking.result, done) == ([b"N"], [1])
    assert b"".join(data for direction, data in far.passed if direction == "sent") == LARGE


async def test_a_player_that_answers_before_it_has_read_all_still_gets_the_rest(far, autojump_clock):
    got: list[bytes] = []
    asking = await exchanged(far, 0.25, b"N\n", *[0.25, lambda: got.append(far.read())] * 2, request=LARGE)
    assert asking.result == [b"N"]
    assert b"".join(got) == LARGE, "otherwise the next request would follow an incomplete one"
    assert 0.25 <= asking.elapsed <= 0.25 + LOOK, "charged up to the answer"


async def test_a_player_that_answers_and_never_reads_the_rest_is_late(far, autojump_clock):
    asking = await exchanged(far, 0.25, b"N\n", request=LARGE)
    kind, words = fault(asking.result)
    assert kind is FaultKind.TIMEOUT
    assert words == f"no answer within 1 s; it left {len(LARGE) - 65536} bytes of the request unread"


# -- deadlines -------------------------------------------------------------------------------------------------------


async def test_bytes_that_arrive_do_not_move_the_deadline(far, autojump_clock):
    asking = await exchanged_while(far, partial(far.say, b"N"), 0.15)
    assert fault(asking.result) == (FaultKind.TIMEOUT, 'no answer within 1 s; there was "NNNNNN" without a line feed')
    assert asking.elapsed == pytest.approx(1.0)


@pytest.mark.parametrize(
    "act", [lambda far: far.say(b"N\n"), lambda far: far.shut(far.stdout)], ids=["an answer", "the end of its output"]
)
async def test_when_the_total_is_used_up_whatever_comes_immediately_is_late(far, at_first_look, autojump_clock, act):
    together = clock(total=1.5)
    together.charge(1.5)
    # It is there at the first look, right after the referee has written the request.
    at_first_look(act, far)
    exchange = await far.exchange(b"ask\n", 1, together)
    assert fault(exchange.reply)[0] is FaultKind.TIMEOUT
    assert fault(exchange.reply)[1].startswith("the 1.5 s for all answers together are used up")
    assert exchange.elapsed == 0.0


async def test_an_answer_that_arrives_while_the_referee_cannot_run_is_not_late(far, mock_clock):
    asking = await asleep_until_the_answer(far, mock_clock, delayed=29.9)
    assert asking.result == [b"N"]
    assert (asking.elapsed, asking.whole.late) == pytest.approx((0.1, 29.9))


async def test_a_player_that_puts_the_referee_to_sleep_is_late(far, mock_clock):
    asking = await asleep_until_the_answer(far, mock_clock, delayed=0.0)
    assert fault(asking.result) == (FaultKind.TIMEOUT, "no answer within 1 s")
    assert (asking.elapsed, asking.whole.stall) == (pytest.approx(30.0), None)


async def test_an_earlier_delay_of_the_referee_does_not_prevent_a_timeout(far, mock_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery)
        await wait_all_tasks_blocked()
        far.own.delay += 0.9
        mock_clock.jump(0.9)
        await wait_all_tasks_blocked()
        mock_clock.jump(0.11)
    assert fault(asking.result) == (FaultKind.TIMEOUT, "no answer within 1 s")


async def test_a_first_read_that_the_player_blocks_is_charged(far, at_first_look, mock_clock):
    """The answer arrives while the first read waits for the pipe's lock."""
    at_first_look(later(far, mock_clock, 30.0))
    exchange = await far.exchange(b"ask\n", 1, clock())
    assert fault(exchange.reply) == (FaultKind.TIMEOUT, "no answer within 1 s")
    assert exchange.elapsed == pytest.approx(30.0)


async def test_a_first_read_that_the_host_delays_is_not_charged(far, at_first_look, mock_clock):
    at_first_look(later(far, mock_clock, 30.0, stolen=29.99))
    exchange = await far.exchange(b"ask\n", 1, clock())
    assert exchange.reply == [b"N"]
    assert (exchange.elapsed, exchange.late) == pytest.approx((0.01, 29.99))


# -- faults ----------------------------------------------------------------------------------------------------------


async def test_output_before_the_request_is_a_fault_and_nothing_is_sent(far):
    far.say(b"N\n")
    assert await far.exchange(b"ask\n", 1, clock()) == Exchange(
        Fault(FaultKind.INVALID, 'output without a request: "N\\n"'), 0.0
    )
    assert far.read() == b""


@pytest.mark.parametrize("extra", [b"N\n", b"N", b"\n", b"\r"])
async def test_output_after_the_answer_is_a_fault(far, extra, autojump_clock):
    asking = await exchanged(far, b"N\n" + extra)
    assert fault(asking.result)[0] is FaultKind.INVALID
    assert fault(asking.result)[1] == f'output after the answer "N", without a request: {quote(extra)}'


async def test_late_output_is_quoted_with_the_line_that_was_taken_as_the_answer(far, autojump_clock):
    await exchanged(far, b"a message\n")
    far.say(b"N\n")
    exchange = await far.exchange(b"ask\n", 1, clock())
    assert fault(exchange.reply)[1] == 'output after the answer "a message", without a request: "N\\n"'


async def test_the_fault_at_the_end_of_output_quotes_an_incomplete_line(far, autojump_clock):
    asking = await exchanged(far, b"half", partial(far.shut, far.stdout))
    assert fault(asking.result) == (FaultKind.EXIT, 'end of output; there was "half" without a line feed')


async def test_an_answer_counts_even_if_the_program_then_ends(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery)
        await wait_all_tasks_blocked()
        far.say(b"N\n")
        far.is_over = True
        far.shut(far.stdin, far.stdout)
    assert asking.result == [b"N"]
    result = (await far.exchange(b"ask\n", 1, clock())).reply
    assert fault(result) == (FaultKind.EXIT, "end of output")


async def test_a_program_that_has_ended_is_found_even_if_its_output_is_held_open(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, by=clock(first=15.0))
        await wait_all_tasks_blocked()
        far.is_over = True
    assert fault(asking.result)[0] is FaultKind.EXIT
    assert trio.current_time() <= 2 * LOOK
    far.is_over = True
    far.dialogue._look_again = 0.0
    result = (await far.exchange(b"ask\n", 1, clock())).reply
    assert fault(result)[0] is FaultKind.EXIT
    assert far.read() == b"ask\n", "the second request was not even written"


@pytest.mark.parametrize("written", [b"ask\n", LARGE], ids=["before the request", "in the middle of it"])
@pytest.mark.parametrize("answered", [True, False])
async def test_a_closed_input_is_neither_a_fault_nor_an_excuse(far, written, answered, autojump_clock):
    async with trio.open_nursery() as nursery:
        if written is not LARGE:
            far.shut(far.stdin)
        asking = Asking(far, nursery, written)
        await wait_all_tasks_blocked()
        if written is LARGE:
            far.shut(far.stdin)
        await trio.sleep(0.25)
        if answered:
            far.say(b"N\n")
    if answered:
        assert asking.result == [b"N"]
    else:
        assert fault(asking.result) == (FaultKind.TIMEOUT, "no answer within 1 s")


async def test_a_line_that_grows_too_long_is_a_fault_at_once(far, autojump_clock):
    asking = await exchanged(far, *[0.01, b"N"] * (CAP + 1), by=clock(first=15.0))
    assert fault(asking.result)[0] is FaultKind.OVERFLOW
    assert trio.current_time() < 1.0


async def test_a_closed_dialogue_is_never_read_from_again(far):
    far.dialogue.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        await far.exchange(b"ask\n", 1, clock())


# -- CPU time --------------------------------------------------------------------------------------------------------


@pytest.fixture
def seen(far: Far) -> Witness:
    """A witness of the player at the far end."""
    seen = Witness()
    far.dialogue.seen_by(seen)
    return seen


@pytest.mark.parametrize(
    ("at_once", "kind", "total"),
    [(True, "wall", 20.0), (True, "cpu", 20.0), (True, "cpu", None), (False, "wall", 20.0), (False, "cpu", 20.0)],
    ids=["at once", "at once, charged", "at once, without a total", "later", "later, charged"],
)
async def test_an_exchange_has_its_cpu_time(far, seen, at_once, kind, total, at_first_look, autojump_clock):
    def answer() -> None:
        seen.used += 0.25
        far.say(b"N\n")

    seen.used = 7.0  # earlier CPU time is not included
    if at_once:
        at_first_look(answer)
    asking = await exchanged(far, *[answer] * (not at_once), by=clock(total=total, kind=kind))
    assert asking.result == [b"N"]
    assert (asking.whole.cpu, asking.whole.late) == (0.25, 0.0)


async def test_a_reply_that_is_refused_costs_its_time(far, seen, at_first_look, autojump_clock):
    at_first_look(lambda: (seen.grow(used=0.25), far.say(b"N\n")))
    by, wrong = clock(total=20.0, kind="cpu"), Fault(FaultKind.INVALID, "no action")
    assert far.dialogue.at_once(b"ask\n", 1, by, None) == [b"N"]
    far.dialogue.refuse(wrong)
    refused = await far.dialogue.in_time(1, by)
    assert (refused.reply, refused.cpu) == (wrong, 0.25)


async def test_output_that_a_player_takes_back_does_not_count(far, monkeypatch, autojump_clock):
    # If there is a /proc, a player can read its own output: the pipe may be empty again between a look and the read.
    monkeypatch.setattr(far.dialogue, "_poll", lambda _: True)
    assert (await exchanged(far, b"N\n")).result == [b"N"]


@pytest.mark.parametrize("at_once", [True, False])
async def test_what_a_program_computes_until_it_is_stopped_is_charged(far, seen, at_once, autojump_clock):
    read = list[bytes]()

    def resumed() -> None:
        read.append(far.read())
        seen.grow(used=0.25)
        if at_once:
            far.say(b"N\n")

    far.resumed, far.paused = resumed, partial(seen.grow, used=0.5)
    asking = await exchanged(far, *[b"N\n"] * (not at_once))
    assert read == [b"ask\n"], "it is resumed when there is something to read"
    assert (asking.result, asking.whole.cpu) == ([b"N"], 0.75)


async def test_a_program_is_not_stopped_before_it_ends(far, seen, autojump_clock):
    calls = list[str]()
    far.resumed, far.paused = partial(calls.append, "resumed"), partial(calls.append, "paused")
    far.shut(far.stdout)
    for _ in range(2):
        assert (await exchanged(far)).result.kind is FaultKind.EXIT
    assert set(calls) == {"resumed"}


async def test_a_fault_has_its_cpu_time_too_and_without_a_witness_it_is_unknown(far, seen, autojump_clock):
    asking = await exchanged(far, partial(seen.grow, used=0.5))
    assert fault(asking.result)[0] is FaultKind.TIMEOUT
    assert asking.whole.cpu == 0.5
    blind = Far()
    try:
        asking = await exchanged(blind)
        assert fault(asking.result)[0] is FaultKind.TIMEOUT
        assert (asking.whole.cpu, asking.whole.stall) == (None, None)
    finally:
        blind.shut_all()


SPENT = (FaultKind.TIMEOUT, "the 1.5 s of CPU time for all answers together are used up")


async def test_a_player_that_uses_up_its_total_cpu_time_is_found_while_it_computes(far, seen, autojump_clock):
    by = clock(first=15.0, total=1.5, kind="cpu")

    asking = await exchanged_while(far, partial(seen.grow, used=0.2), 0.1, by=by)
    assert fault(asking.result) == SPENT
    assert asking.whole.stall is None
    assert 0.8 - 1e-6 <= asking.elapsed <= 0.8 + LOOK


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "later"])
@pytest.mark.parametrize("used", [1.5, 1.51])
async def test_an_answer_with_more_cpu_time_than_was_left_is_late(
    far, seen, used, at_once, at_first_look, autojump_clock
):
    def answer() -> None:
        seen.used += used
        far.say(b"N\n")

    seen.used = 0.0
    if at_once:
        at_first_look(answer)
    asking = await exchanged(far, *[answer] * (not at_once), by=clock(first=15.0, total=1.5, kind="cpu"))
    if used > 1.5:
        assert fault(asking.result) == SPENT
    else:
        assert asking.result == [b"N"]


async def test_a_sleeping_player_with_a_total_cpu_time_reaches_the_limit_of_the_answer(far, seen, autojump_clock):
    asking = await exchanged(far, by=clock(answer=1.0, total=0.5, kind="cpu"))
    assert fault(asking.result) == (FaultKind.TIMEOUT, "no answer within 1 s")


# -- whose time it is ------------------------------------------------------------------------------------------------


async def test_the_deadline_moves_by_the_time_in_which_the_player_could_not_run(far, seen, autojump_clock):
    asking = await exchanged(far, 0.5, partial(seen.grow, delay=0.4), 0.8, b"N\n")
    assert asking.result == [b"N"]
    assert (asking.elapsed, asking.whole.late) == pytest.approx((0.9, 0.4))
    asking = await exchanged(far, 0.5, partial(seen.grow, delay=0.4))
    assert fault(asking.result) == (FaultKind.TIMEOUT, "no answer within 1 s")
    assert (asking.elapsed, asking.whole.late) == pytest.approx((1.0, 0.8))


async def test_an_answer_in_time_is_charged_as_strictly_as_a_late_one(far, seen, autojump_clock):
    """An answer just before the deadline gains no free time."""
    asking = await exchanged(far, 0.9, partial(seen.grow, delay=5.0, used=0.7), b"N\n")
    assert asking.result == [b"N"]
    assert asking.elapsed == pytest.approx(0.7), "at least the CPU time that it used"


async def test_the_watch_begins_when_the_referee_parks_and_not_for_an_immediate_answer(
    far, seen, at_first_look, autojump_clock
):
    at_first_look(lambda: far.say(b"N\n"))
    await far.exchange(b"ask\n", 1, clock())
    assert seen.watched == 0
    async with trio.open_nursery() as nursery:
        Asking(far, nursery)
        await wait_all_tasks_blocked()
        assert seen.watched == 1
        far.say(b"N\n")


async def test_when_the_stolen_time_reaches_a_limit_the_others_are_stopped(far, seen, autojump_clock):
    starved: list[int] = []
    asking = await exchanged(
        far, 0.9, partial(seen.grow, delay=0.9), 0.9, lambda: starved.append(far.starved), partial(seen.grow, delay=0.3)
    )
    assert (starved, far.starved) == ([0], 1)
    kind, words = fault(asking.result)
    assert kind is FaultKind.TIMEOUT
    assert words == (
        "no answer within 1 s; another 1.2 s do not count: the machine was too busy to run it, so the other players "
        "were stopped"
    )


@pytest.mark.parametrize(("limit", "most"), [(0.1, 2.0), (1.0, 10.0), (15.0, 30.0)])
async def test_if_more_time_is_stolen_than_may_be_added_the_machine_is_to_blame(far, seen, limit, most, autojump_clock):
    asking = await exchanged_while(far, partial(seen.grow, delay=0.02), 0.02, by=clock(first=limit))
    assert asking.whole.stall == Stall(pytest.approx(most, abs=0.1), limit, alone=True)
    assert fault(asking.result)[0] is FaultKind.TIMEOUT
    assert asking.elapsed < limit


async def test_a_player_without_time_left_is_late_whatever_the_host_did(far, seen, at_first_look, mock_clock):
    by = clock(total=1.5)
    by.charge(1.5)
    at_first_look(later(far, mock_clock, 30.0, stolen=30.0))
    exchange = await far.exchange(b"ask\n", 1, by)
    assert fault(exchange.reply)[0] is FaultKind.TIMEOUT
    assert exchange.stall is None


async def test_a_starved_player_that_used_up_its_cpu_time_is_out(far, seen, autojump_clock):
    """A stall affects the charged wall time, but not the charged CPU time."""
    by = clock(first=5.0, total=0.5, kind="cpu")
    asking = await exchanged(far, 1.0, partial(seen.grow, delay=0.9, used=0.6), by=by)
    assert fault(asking.result) == (FaultKind.TIMEOUT, "the 0.5 s of CPU time for all answers together are used up")
    assert asking.whole.stall is None


@pytest.mark.parametrize("output", [b"N" * (CAP + 1), b"N\nN\n"])
async def test_a_fault_by_the_first_bytes_is_charged_too(far, output, at_first_look, mock_clock):
    at_first_look(later(far, mock_clock, 0.3, output))
    exchange = await far.exchange(b"ask\n", 1, clock())
    assert isinstance(exchange.reply, Fault)
    assert exchange.elapsed == pytest.approx(0.3)


# -- where a read ends -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cap", [1024, FIRST - 1, FIRST - 2])
@pytest.mark.parametrize("room", [0, 1, 2, 500])
async def test_output_after_an_answer_is_seen_wherever_a_read_ends(far, at_first_look, cap, room, autojump_clock):
    far.talk(cap)
    at_first_look(far.say, b"N" * max(1, cap - room) + b"\n" + b"U\n")
    assert fault((await far.exchange(b"ask\n", 1, clock())).reply)[0] is FaultKind.INVALID


@pytest.mark.parametrize("cap", [CAP, FIRST - 2, FIRST - 1, FIRST, 1024])
@pytest.mark.parametrize("more", [-1, 0, 1, 2])
async def test_the_cap_of_a_line_holds_wherever_a_read_ends(far, at_first_look, cap, more, autojump_clock):
    far.talk(cap)
    line = b"N" * (cap + more)
    at_first_look(far.say, line + b"\n")
    result = (await far.exchange(b"ask\n", 1, clock())).reply
    assert result == [line] if more <= 0 else fault(result)[0] is FaultKind.OVERFLOW


@pytest.mark.parametrize(
    ("output", "result"),
    [
        (b"a\nbc\n\n", [b"a", b"bc", b""]),
        (b"a\nb\nc\nd", FaultKind.INVALID),
        (b"a\nb\nc\n\n", FaultKind.INVALID),
        (b"N" * CAP + b"\nb\nc\n", [b"N" * CAP, b"b", b"c"]),
        (b"a\n" + b"N" * (CAP + 1) + b"\nc\n", FaultKind.OVERFLOW),
        (b"a\nb\n", FaultKind.TIMEOUT),
    ],
)
async def test_a_reply_of_three_lines_at_once(far, output, result, at_first_look, autojump_clock):
    at_first_look(far.say, output)
    reply = (await far.exchange(b"ask\n", 3, clock())).reply
    assert reply == result if isinstance(result, list) else fault(reply)[0] is result


@pytest.mark.parametrize("cap", [CAP, FIRST - 2, FIRST - 1, 1024])
@pytest.mark.parametrize("less", [0, 1, 2, 3, 4])
async def test_output_after_three_lines_is_seen_wherever_a_read_ends(far, at_first_look, cap, less, autojump_clock):
    far.talk(cap)
    at_first_look(far.say, b"a\nb\n" + b"N" * (cap - less) + b"\nU\n")
    assert fault((await far.exchange(b"ask\n", 3, clock())).reply)[0] is FaultKind.INVALID


@pytest.mark.parametrize("length", [1025, 2000, 60_000])
async def test_a_line_that_is_too_long_is_an_overflow_after_a_stall(far, length, monkeypatch, autojump_clock):
    far.talk(1024)
    far.dialogue.seen_by(Witness())
    chunks = iter([b"N" * length])

    def say_and_be_away() -> None:
        for data in chunks:
            far.say(data)
            autojump_clock.jump(2.0)

    monkeypatch.setattr(os, "sched_yield", say_and_be_away)
    whole = await far.exchange(b"ask\n", 1, clock(first=0.05))
    assert (fault(whole.reply)[0], whole.stall) == (FaultKind.OVERFLOW, None)


@pytest.mark.parametrize("more", [0, 1])
async def test_a_line_that_is_too_long_is_an_overflow_even_after_the_deadline(far, more, mock_clock):
    def say_late() -> None:
        far.say(b"N" * (CAP + more))
        mock_clock.jump(1.01)

    asking = await exchanged(far, say_late)
    assert fault(asking.result)[0] is (FaultKind.OVERFLOW if more else FaultKind.TIMEOUT)


# -- the brief wait before the referee parks (test_brief_wait.py) --------------------------------------------------------


@pytest.mark.parametrize(("took", "yields"), [(2 * NAP, 0), (NAP / 2, 1)])
async def test_after_a_slow_answer_the_referee_parks_immediately(far, monkeypatch, took, yields, mock_clock):
    counted: list[None] = []
    monkeypatch.setattr(os, "sched_yield", lambda: counted.append(None))
    for wanted in (1, yields):
        counted.clear()
        async with trio.open_nursery() as nursery:
            asking = Asking(far, nursery)
            await wait_all_tasks_blocked()
            mock_clock.jump(took)
            far.say(b"N\n")
        assert (asking.result, len(counted)) == ([b"N"], wanted)


# -- what the referee does meanwhile --------------------------------------------------------------------------------------


async def test_meanwhile_is_called_after_the_request_is_written_if_no_reply_comes_soon(far, mock_clock):
    def meanwhile() -> None:
        assert far.read() == b"ask\n"
        assert far.passed == [("sent", b"ask\n")]
        far.say(b"N\n")

    assert (await far.exchange(b"ask\n", 1, clock(), meanwhile)).reply == [b"N"]


async def test_meanwhile_is_not_called_if_the_reply_comes_soon(far, at_first_look, mock_clock):
    done: list[int] = []
    at_first_look(far.say, b"N\n")
    assert far.dialogue.at_once(b"ask\n", 1, clock(), lambda: done.append(1)) == [b"N"]
    assert done == []
    assert far.passed == [("sent", b"ask\n"), ("received", b"N\n")]


@pytest.mark.parametrize("charged", [0.0, 0.05])
async def test_the_time_of_meanwhile_is_charged_to_no_player(far, at_first_look, charged, mock_clock):
    at_first_look(mock_clock.jump, charged)
    reply, elapsed, *_ = await far.exchange(b"ask\n", 1, clock(), later(far, mock_clock, 5.0))
    assert (reply, elapsed) == ([b"N"], pytest.approx(charged))


@pytest.mark.parametrize(("thought", "result"), [(0.9, [b"N"]), (1.1, FaultKind.TIMEOUT)])
async def test_the_time_of_meanwhile_moves_the_deadline(far, thought, result, autojump_clock):
    asking = await exchanged(far, 5.0 + thought, b"N\n", meanwhile=partial(autojump_clock.jump, 5.0))
    assert (asking.result.kind if isinstance(asking.result, Fault) else asking.result) == result
    assert asking.whole.late == 0.0


async def test_cpu_time_during_meanwhile_is_not_charged(far, seen, at_first_look, mock_clock):
    def meanwhile() -> None:
        seen.used += 0.02
        far.say(b"N\n")

    at_first_look(partial(seen.grow, used=0.25))
    exchange = await far.exchange(b"ask\n", 1, clock(kind="cpu", total=0.26), meanwhile)
    assert (exchange.reply, exchange.cpu) == ([b"N"], pytest.approx(0.25))


async def test_cpu_time_during_meanwhile_does_not_raise_the_charge(far, seen, mock_clock):
    def meanwhile() -> None:
        mock_clock.jump(5.0)
        seen.used += 5.0

    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, meanwhile=meanwhile)
        await wait_all_tasks_blocked()
        far.own.delay += 0.7
        mock_clock.jump(0.03)
        far.say(b"N\n")
        mock_clock.jump(0.67)
    assert asking.result == [b"N"]
    assert (asking.elapsed, asking.whole.late) == pytest.approx((0.0, 0.7))


async def test_meanwhile_is_not_called_if_nothing_is_asked(far, mock_clock):
    done: list[int] = []
    far.say(b"too early\n")
    exchange = await far.exchange(b"ask\n", 1, clock(), lambda: done.append(1))
    assert (fault(exchange.reply)[0], done) == (FaultKind.INVALID, [])


async def test_the_time_of_meanwhile_is_not_charged_if_a_part_of_the_reply_is_there(far, at_first_look, mock_clock):
    at_first_look(far.say, b"N")
    exchange = await far.exchange(b"ask\n", 1, clock(), later(far, mock_clock, 5.0, b"\n"))
    assert (exchange.reply, exchange.elapsed) == ([b"N"], 0.0)
    assert far.passed == [("sent", b"ask\n"), ("received", b"N"), ("received", b"\n")]
