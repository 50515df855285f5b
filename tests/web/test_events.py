"""Live events: their order, what a follower missed, and followers that do not read."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from starlette.requests import Request
from web.sites import scope

from referee.web import events as events_
from referee.web.answers import Refusal
from referee.web.events import HEARTBEAT, KEPT_EVENTS, MOST_BEHIND, Events


def request(last: str | None = None, path: str = "/events") -> Request:
    return Request(scope("GET", path, [] if last is None else [("last-event-id", last)]))


@asynccontextmanager
async def following(
    events: Events, last: str | None = None, *, path: str = "/events", reads: bool = True, address: str = ""
) -> AsyncIterator[Callable[[], Any]]:
    """A follower; the function gives what it has read, once all that was published has been sent."""
    sent: list[str] = []

    async def send(message: Any) -> None:
        sent.append(message.get("body", b"").decode())
        if not reads:
            await trio.sleep_forever()

    async def read() -> list[str]:
        await trio.testing.wait_all_tasks_blocked()
        return [line for line in "".join(sent).split("\n") if line]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            events.follow(request(last, path), address), scope("GET", "/events", []), trio.sleep_forever, send
        )
        await trio.testing.wait_all_tasks_blocked()
        read.sent = sent  # type: ignore[attr-defined]
        yield read
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(("last", "news"), [(None, "id: 2"), ("2", None)])
async def test_a_page_misses_nothing_that_happened_after_it_was_made(last: str | None, news: str | None) -> None:
    events = Events()
    for number in range(2):
        events.publish("step", {"step": number})
    async with following(events, last, path="/events?last=1") as read:
        assert [line for line in await read() if line.startswith("id")] == ([news] if news else [])


async def test_followers_get_what_happens_in_order() -> None:
    events = Events()
    async with following(events) as one, following(events) as other:
        events.publish("match", {"id": "é"})
        events.publish("step", {"step": 2})
        expected = [
            "retry: 1000", "id: 1", "event: match", 'data: {"id":"é"}', "id: 2", "event: step", 'data: {"step":2}',
        ]  # fmt: skip
        assert (await one(), await other()) == (expected, expected)


async def test_events_of_one_moment_are_sent_together() -> None:
    events = Events()
    async with following(events) as read:
        await read()
        for step in range(3):
            events.publish("step", {"step": step})
        await read()
        assert [part.count("event: step") for part in read.sent] == [0, 0, 3]  # the headers, the beginning, these


async def test_a_line_feed_cannot_end_an_event() -> None:
    events = Events()
    async with following(events) as read:
        events.publish("match", {"name": "x\n\nevent: evil\r"})
        assert (await read())[1:] == ["id: 1", "event: match", r'data: {"name":"x\n\nevent: evil\r"}']


@pytest.mark.parametrize(("published", "last", "gets"), [
    (3, "3", []),
    (3, "1", [2, 3]),
    (3, "0", [1, 2, 3]),
    (3, "4", ["reset"]),
    (KEPT_EVENTS + 9, "9", list(range(10, KEPT_EVENTS + 10))),
    (KEPT_EVENTS + 9, "8", ["reset"]),
    (0, "5", ["reset"]),
    (3, "x", []),
])  # fmt: skip
async def test_a_follower_that_comes_back_gets_what_it_missed(
    published: int, last: str | None, gets: list[Any]
) -> None:
    events = Events()
    for number in range(published):
        events.publish("step", {"step": number + 1})
    async with following(events, last) as read:
        lines = (await read())[1:]
        ids = [int(line[4:]) for line in lines if line.startswith("id: ")]
        if gets == ["reset"]:
            assert (ids, lines[1]) == ([published], "event: reset")
        else:
            assert ids == gets
        events.publish("step", {})
        assert f"id: {published + 1}" in await read()


async def test_a_follower_of_the_process_before_learns_that_it_has_missed_something() -> None:
    events = Events(last=1_700_000_000_000)
    for _ in range(3):
        events.publish("step", {})
    async with following(events, "2") as read:
        assert (await read())[1:3] == ["id: 1700000000003", "event: reset"]


async def test_a_follower_that_does_not_read_is_dropped_and_disturbs_nobody() -> None:
    events = Events(followers=2)
    async with following(events, reads=False), following(events) as read:
        for number in range(MOST_BEHIND + 2):
            events.publish("step", {"step": number})
            await read()
        assert f"id: {MOST_BEHIND + 2}" in await read()
        async with following(events) as third:
            assert await third() == ["retry: 1000"]


async def test_a_site_has_a_limited_number_of_followers() -> None:
    events = Events(followers=2)
    responses = [events.follow(request()) for _ in range(2)]  # they count before a byte of them is sent
    with pytest.raises(Refusal, match="too many"):
        events.follow(request())

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    for response in responses:
        await response(scope("GET", "/events", []), receive, _drop)
    async with following(events) as read:
        assert await read() == ["retry: 1000"]


async def test_a_silent_stream_shows_that_it_is_there(autojump_clock: trio.testing.MockClock) -> None:
    async with following(Events()) as read:
        await trio.sleep(2.5 * HEARTBEAT)
        assert (await read())[1:] == [": still here"] * 2


async def test_a_stream_ends_after_a_while_so_that_its_page_is_let_in_anew(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    monkeypatch.setattr(events_, "STREAM_TIME", 40.0)
    began = trio.current_time()
    await Events().follow(request())(scope("GET", "/events", []), trio.sleep_forever, _drop)
    assert 40 <= trio.current_time() - began <= 40 + HEARTBEAT


async def test_streams_end_with_the_site() -> None:
    events = Events()
    async with trio.open_nursery() as nursery:  # which waits for the stream
        for response in (events.follow(request()), events.follow(request())):
            nursery.start_soon(response, scope("GET", "/events", []), trio.sleep_forever, _drop)
        await trio.testing.wait_all_tasks_blocked()
        events.close()
    with pytest.raises(Refusal):
        events.follow(request())


async def _drop(_message: object) -> None:
    await trio.lowlevel.checkpoint()


async def test_no_address_takes_all_streams() -> None:
    events = Events(each=2)
    async with following(events, address="7.7.7.7"), following(events, address="7.7.7.7"):
        with pytest.raises(Refusal, match="too many"):
            events.follow(request(), "7.7.7.7")
        async with following(events, address="8.8.8.8") as read:
            assert await read() == ["retry: 1000"]
