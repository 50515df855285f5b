"""One dialogue over two pipes, without a process and by a mock clock: the test sits at the player's end.

Time passes only where a test says so: the mock clock jumps when all tasks wait.
"""

import os
from collections.abc import Iterator

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock, wait_all_tasks_blocked

from referee.clock import TICK, Clock, TimeControl
from referee.game import Fault, FaultKind
from referee.players.stream import Dialogue

CAP = 16
LARGE = b"x" * 100_000 + b"\n"
"""More than a pipe takes at once."""


class Far:
    """The player's end, and a dialogue at the referee's."""

    def __init__(self) -> None:
        self.stdin, near_in = os.pipe()
        near_out, self.stdout = os.pipe()
        self._near = [near_in, near_out]
        for end in (near_in, near_out, self.stdin):
            os.set_blocking(end, False)
        self.passed: list[tuple[str, bytes]] = []
        self.is_over = False
        self.dialogue = Dialogue(
            near_in, near_out, cap=CAP, tap=self, over=lambda: self.is_over, now=trio.current_time
        )  # fmt: skip

    def sent(self, data: bytes) -> None:
        self.passed.append(("sent", data))

    def received(self, data: bytes) -> None:
        self.passed.append(("received", data))

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


def clock(first: float = 1.0, answer: float = 1.0, total: float | None = None) -> Clock:
    return Clock(TimeControl(first, answer, total))


class Asking:
    """An exchange under way in a task; `result` and `elapsed` are there when the nursery has ended."""

    result: list[bytes] | Fault
    elapsed: float

    def __init__(
        self, far: Far, nursery: trio.Nursery, request: bytes = b"ask\n", lines: int = 1, by: Clock | None = None
    ):
        nursery.start_soon(self._ask, far, request, lines, by or clock())

    async def _ask(self, far: Far, request: bytes, lines: int, by: Clock) -> None:
        self.result, self.elapsed = await far.dialogue.exchange(request, lines, by)


def fault(result: object) -> tuple[FaultKind, str]:
    assert isinstance(result, Fault)
    return result.kind, result.detail


# -- answers ---------------------------------------------------------------------------------------------------------


async def test_an_answer_that_comes_later_is_charged_its_time(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery)
        await wait_all_tasks_blocked()
        assert far.read() == b"ask\n"
        await trio.sleep(0.25)
        far.say(b"N\n")
    assert asking.result == [b"N"]
    assert asking.elapsed == pytest.approx(0.25)
    assert far.passed == [("sent", b"ask\n"), ("received", b"N\n")]


async def test_the_clock_runs_from_before_the_request_is_written_until_the_last_line_is_read(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, LARGE, lines=2)
        await trio.sleep(0.25)
        assert far.read()
        far.say(b"1\n")
        await trio.sleep(0.25)
        assert far.read()
        far.say(b"2\n")
        await trio.sleep(0.25)
    assert asking.result == [b"1", b"2"]
    assert asking.elapsed == pytest.approx(0.5)


async def test_a_large_request_arrives_whole_and_once(far, autojump_clock):
    got = bytearray()
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, LARGE)
        while len(got) < len(LARGE):
            await trio.sleep(0.01)
            got += far.read()
        far.say(b"N\n")
    assert got == LARGE
    assert asking.result == [b"N"]
    assert b"".join(data for way, data in far.passed if way == "sent") == LARGE


async def test_who_answers_before_it_has_read_all_still_gets_the_rest(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, LARGE)
        await trio.sleep(0.25)
        far.say(b"N\n")
        await trio.sleep(0.25)
        got = far.read()
        await trio.sleep(0.25)
        got += far.read()
    assert asking.result == [b"N"]
    assert got == LARGE, "else the next request would stand behind a torn one"
    assert asking.elapsed <= 0.25 + TICK, "charged up to the answer"


async def test_who_answers_and_never_reads_the_rest_is_too_late(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, LARGE)
        await trio.sleep(0.25)
        far.say(b"N\n")
    kind, words = fault(asking.result)
    assert kind is FaultKind.TIMEOUT
    assert words == f"no answer within 1 s; {len(LARGE) - 65536} bytes of the request were not read"


# -- deadlines -------------------------------------------------------------------------------------------------------


async def test_no_byte_that_comes_moves_the_deadline(far, autojump_clock):
    async def drip() -> None:
        while True:
            await trio.sleep(0.15)
            far.say(b"N")

    async with trio.open_nursery() as dripping:
        async with trio.open_nursery() as nursery:
            asking = Asking(far, nursery)
            dripping.start_soon(drip)
        dripping.cancel_scope.cancel()
    assert fault(asking.result) == (FaultKind.TIMEOUT, 'no answer within 1 s; there was "NNNNNN" without a line feed')
    assert asking.elapsed == pytest.approx(1.0)


async def test_the_first_answer_has_its_own_limit(far, autojump_clock):
    both = clock(first=15.0, answer=1.0)
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, by=both)
        await trio.sleep(14.0)
        far.say(b"N\n")
    assert asking.result == [b"N"]
    both.charge(asking.elapsed)
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, by=both)
    assert fault(asking.result) == (FaultKind.TIMEOUT, "no answer within 1 s")
    assert trio.current_time() == pytest.approx(15.0)


async def test_all_answers_together_have_a_limit(far, autojump_clock):
    together = clock(answer=1.0, total=1.5)
    for pause in (0.5, 0.75):
        async with trio.open_nursery() as nursery:
            asking = Asking(far, nursery, by=together)
            await trio.sleep(pause)
            far.say(b"N\n")
        assert asking.result == [b"N"]
        together.charge(asking.elapsed)
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, by=together)
    assert fault(asking.result) == (FaultKind.TIMEOUT, "the 1.5 s for all answers together are used up")
    assert asking.elapsed == pytest.approx(0.25)


async def test_when_the_total_is_used_up_even_an_answer_at_once_is_too_late(far, monkeypatch, autojump_clock):
    together = clock(total=1.5)
    together.charge(1.5)
    # The answer is there at the first look: it was written by the time the referee has written the request.
    monkeypatch.setattr(os, "sched_yield", lambda: far.say(b"N\n"))
    result, elapsed = await far.dialogue.exchange(b"ask\n", 1, together)
    assert fault(result)[0] is FaultKind.TIMEOUT
    assert fault(result)[1].startswith("the 1.5 s for all answers together are used up")
    assert elapsed == 0.0


@pytest.mark.parametrize("answered", ["while it was away", "after it came back"])
async def test_when_the_referee_is_away_nobody_is_late(far, answered, mock_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery)
        await wait_all_tasks_blocked()
        mock_clock.jump(TICK / 2)
        await wait_all_tasks_blocked()
        if answered == "while it was away":
            far.say(b"N\n")
        mock_clock.jump(30.0)
        await wait_all_tasks_blocked()
        if answered == "after it came back":
            far.say(b"N\n")
    assert asking.result == [b"N"]
    assert asking.elapsed == pytest.approx(TICK / 2 + TICK)


async def test_an_answer_that_is_found_at_the_first_look_behind_the_deadline_counts(far, mock_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery)
        for _ in range(19):
            await wait_all_tasks_blocked()
            mock_clock.jump(0.05)
        await wait_all_tasks_blocked()
        far.say(b"N\n")
        mock_clock.jump(0.08)
    assert asking.result == [b"N"]
    assert asking.elapsed == 1.0, "charged the limit: the rest was the referee's delay"


# -- faults ----------------------------------------------------------------------------------------------------------


async def test_output_before_the_request_was_not_asked_for_and_nothing_is_sent(far):
    far.say(b"N\n")
    assert await far.dialogue.exchange(b"ask\n", 1, clock()) == (
        Fault(FaultKind.INVALID, 'output that nobody asked for: "N\\n"'),
        0.0,
    )
    assert far.read() == b""


@pytest.mark.parametrize("extra", [b"N\n", b"N", b"\n", b"\r"])
async def test_nothing_may_stand_behind_the_answer(far, extra, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery)
        await wait_all_tasks_blocked()
        far.say(b"N\n" + extra)
    assert fault(asking.result)[0] is FaultKind.INVALID
    assert fault(asking.result)[1].startswith("output behind the answer that nobody asked for")


async def test_the_end_of_output_tells_what_was_begun(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery)
        await wait_all_tasks_blocked()
        far.say(b"half")
        far.shut(far.stdout)
    assert fault(asking.result) == (FaultKind.EXIT, 'end of output; there was "half" without a line feed')


async def test_an_answer_counts_even_if_it_was_the_last_word(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery)
        await wait_all_tasks_blocked()
        far.say(b"N\n")
        far.is_over = True
        far.shut(far.stdin, far.stdout)
    assert asking.result == [b"N"]
    result, _ = await far.dialogue.exchange(b"ask\n", 1, clock())
    assert fault(result) == (FaultKind.EXIT, "end of output")


async def test_who_has_ended_is_found_though_its_output_is_held_open(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, by=clock(first=15.0))
        await wait_all_tasks_blocked()
        far.is_over = True
    assert fault(asking.result)[0] is FaultKind.EXIT
    assert trio.current_time() <= TICK
    far.is_over = True
    far.dialogue._look_again = 0.0
    result, _ = await far.dialogue.exchange(b"ask\n", 1, clock())
    assert fault(result)[0] is FaultKind.EXIT
    assert far.read() == b"ask\n", "the second request was not even written"


@pytest.mark.parametrize("written", [b"ask\n", LARGE], ids=["before the request", "in the middle of it"])
@pytest.mark.parametrize("answered", [True, False])
async def test_a_closed_input_is_no_fault_and_no_excuse(far, written, answered, autojump_clock):
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


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "later"])
async def test_a_line_may_be_as_long_as_the_cap_and_no_longer(far, monkeypatch, at_once, autojump_clock):
    for length, fits in ((CAP, True), (CAP + 1, False)):
        line = b"N" * length + b"\n"
        if at_once:
            said = iter([line])
            monkeypatch.setattr(os, "sched_yield", lambda said=said: [far.say(data) for data in said])
        async with trio.open_nursery() as nursery:
            asking = Asking(far, nursery)
            await wait_all_tasks_blocked()
            if not at_once:
                far.say(line)
        if fits:
            assert asking.result == [line[:-1]]
        else:
            assert fault(asking.result)[0] is FaultKind.OVERFLOW
            assert fault(asking.result)[1].startswith("a line longer than 16 bytes")


async def test_a_line_that_grows_too_long_is_a_fault_at_once(far, autojump_clock):
    async with trio.open_nursery() as nursery:
        asking = Asking(far, nursery, by=clock(first=15.0))
        for _ in range(CAP + 1):
            await trio.sleep(0.01)
            far.say(b"N")
    assert fault(asking.result)[0] is FaultKind.OVERFLOW
    assert trio.current_time() < 1.0


async def test_a_dialogue_that_was_closed_is_never_read_from_again(far):
    far.dialogue.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        await far.dialogue.exchange(b"ask\n", 1, clock())


@given(
    lines=st.lists(st.binary(max_size=CAP).filter(lambda line: b"\n" not in line), min_size=1, max_size=3),
    data=st.data(),
)
def test_any_chunking_of_an_answer_is_the_same_answer(lines, data):
    reply = b"".join(line + b"\n" for line in lines)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(reply) - 1)) if len(reply) > 1 else st.just(set())))
    chunks = [reply[a:b] for a, b in zip([0, *cuts], [*cuts, len(reply)], strict=True)]

    async def exchange() -> None:
        far = Far()
        try:
            async with trio.open_nursery() as nursery:
                asking = Asking(far, nursery, lines=len(lines))
                for chunk in chunks:
                    await wait_all_tasks_blocked()
                    far.say(chunk)
            assert asking.result == lines
        finally:
            far.shut_all()

    trio.run(exchange, clock=MockClock())
