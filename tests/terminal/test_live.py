from itertools import pairwise
from types import SimpleNamespace

import pytest
import trio
from raising import raising
from terminal.scripted import Pages, Script, directed, no_past, play
from trio.testing import MockClock, assert_no_checkpoints, wait_all_tasks_blocked

from referee.contract.game import Step
from referee.moments.speed import USUAL
from referee.terminal import keys as k
from referee.terminal.live import LiveView, Past, show
from referee.terminal.pace import Pace
from referee.terminal.palette import Look
from referee.terminal.screen import INTERVAL
from referee.terminal.viewer import Viewer

STEP = Step(1, 1, "getAction", (), ())


async def times(pace: Pace, steps: int, takes: float = 0.0) -> list[float]:
    """The time at which each of some steps ended; the answer to each takes `takes` seconds."""
    ended = []
    for _ in range(steps):
        await trio.sleep(takes)
        await pace.after(STEP)
        ended.append(trio.current_time())
    return ended


async def test_steps_have_the_interval_of_the_speed(autojump_clock: MockClock) -> None:
    assert await times(Pace(4.0), 4) == pytest.approx([0.0, 0.25, 0.5, 0.75])


async def test_a_slow_answer_does_not_speed_up_later_steps(autojump_clock: MockClock) -> None:
    pace = Pace(4.0)
    await times(pace, 1)
    assert await times(pace, 1, takes=1.0) == pytest.approx([1.0])
    assert await times(pace, 2) == pytest.approx([1.25, 1.5])


@pytest.mark.parametrize("watching", [True, False])
async def test_at_full_speed_or_unwatched_a_step_has_no_checkpoint(watching: bool) -> None:
    pace = Pace(0.0 if watching else 1.0)
    if not watching:
        pace.pause(True)
        pace.leave()
    with assert_no_checkpoints():
        for _ in range(100):
            await pace.after(STEP)


async def test_after_full_speed_the_next_step_comes_at_once(autojump_clock: MockClock) -> None:
    pace = Pace(4.0)
    await times(pace, 2)
    pace.set_speed(0.0)
    await times(pace, 1)
    pace.set_speed(0.25)
    assert await times(pace, 2) == pytest.approx([0.25, 4.25])


async def test_a_pause_holds_the_match_until_it_ends(autojump_clock: MockClock) -> None:
    pace = Pace(0.0)
    pace.pause(True)
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def later() -> None:
            await trio.sleep(9.0)
            pace.pause(False)

        assert await times(pace, 2) == [9.0, 9.0]


async def test_single_steps(autojump_clock: MockClock) -> None:
    pace = Pace(1.0)
    done: list[float] = []
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def match() -> None:
            for _ in range(10):
                await pace.after(STEP)
                done.append(trio.current_time())

        await trio.sleep(2.5)
        assert done == pytest.approx([0.0, 1.0, 2.0])
        pace.single()
        await trio.sleep(5)
        assert pace.paused
        assert len(done) == 3
        pace.single()
        await wait_all_tasks_blocked()
        assert len(done) == 4
        pace.leave()
    assert len(done) == 10
    assert done[-1] == pytest.approx(7.5)


async def test_a_new_speed_takes_effect_at_once(autojump_clock: MockClock) -> None:
    pace = Pace(0.25)
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def later() -> None:
            await trio.sleep(1.0)
            pace.set_speed(0.5)

        assert await times(pace, 3) == pytest.approx([0.0, 2.0, 4.0])


@pytest.mark.parametrize(
    ("keys", "speed", "paused"),
    [
        ("+", 2 * USUAL, False),
        ("--", USUAL / 4, False),
        ("3", 4.0, False),
        ("0", 0.0, False),
        (" ", USUAL, True),
        ("  ", USUAL, False),
        ("xyz\x00", USUAL, False),
    ],
)
def test_keys_set_the_pace(toy: SimpleNamespace, keys: str, speed: float, paused: bool) -> None:
    pace = Pace()
    view = LiveView(directed(toy, 9), pace, Look(), past=no_past)
    for key in keys:
        view.press(key)
    assert (pace.speed, pace.paused) == (speed, paused)


async def run(
    toy: SimpleNamespace, script: Script, steps: int, speed: float, past: Past = no_past
) -> tuple[Pages, LiveView]:
    pace, pages = Pace(speed), Pages()
    view = LiveView(directed(toy, steps), pace, Look(), past=past)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(show, view, pages, script)
        await play(toy, view.director, pace)
        view.finish()
    return pages, view


async def test_pages_are_drawn_only_after_a_change_and_at_most_20_per_second(toy, autojump_clock):
    slow, _ = await run(toy, Script((6.0, "q")), 5, 1.0)
    assert len(slow.at) <= 8
    assert all(later - sooner > 0.9 * INTERVAL for sooner, later in pairwise(slow.at))
    start = trio.current_time()
    fast, _ = await run(toy, Script((start + 2, "q")), 1001, 1000.0)
    assert len(fast.at) <= 23
    assert fast.at[-1] - start >= 1.0
    assert any("over: rounds" in line for line in fast.last)


async def test_q_stops_watching_and_the_match_continues(toy: SimpleNamespace, autojump_clock: MockClock) -> None:
    _, view = await run(toy, Script((2.5, "q")), 1000, 1.0)
    assert view.director.last_step == 1000
    assert trio.current_time() == pytest.approx(2.5)


async def test_a_match_that_ended_can_be_walked_back(toy: SimpleNamespace, autojump_clock: MockClock) -> None:
    followed: list[int | None] = []

    def past(follow: int | None) -> Viewer:
        followed.append(follow)
        return Viewer(toy.SavedWalk(length=3), Look(), at=3)

    keys = Script(
        (1.5, k.TAB), (1.6, k.RIGHT), (1.7, k.SPACE), (6.0, k.LEFT), (7.0, k.LEFT), (8.0, k.ENTER), (9.0, "q")
    )
    pages, _ = await run(toy, keys, 3, 1.0, past=past)
    assert followed == [0]  # made once, and not before the end
    assert trio.current_time() == 9.0
    assert any("step 3 · over: rounds" in line for page in pages.pages for line in page)
    assert any("← walk back" in line for page in pages.pages for line in page)
    assert any("step 1/3 · paused" in line for line in pages.last)


@pytest.mark.parametrize("key", ["q", k.ENTER, k.ESCAPE])
async def test_the_last_page_stays_until_a_key_closes_it(toy, key, autojump_clock):
    pages, _ = await run(toy, Script((6.0, key)), 3, 1.0, past=raising(AssertionError("nobody walks back")))
    assert trio.current_time() == 6.0
    assert any("q close" in line for line in pages.last)


async def test_if_the_match_cannot_be_read_the_last_page_says_so(toy, autojump_clock):
    pages, _ = await run(toy, Script((6.0, k.LEFT), (7.0, k.LEFT), (8.0, "q")), 3, 1.0)
    assert trio.current_time() == 8.0
    assert pages.last[-1] == "the match cannot be walked back: a.jsonl: No such file or directory"
    assert any("over: rounds" in line for line in pages.last)


async def test_the_end_of_input_ends_a_pause_and_closes_the_last_page(toy, autojump_clock):
    _, view = await run(toy, Script((0.5, k.SPACE), (8.5, None)), 3, 1.0)
    assert view.director.last_step == 3
    assert trio.current_time() == pytest.approx(9.5, abs=2 * INTERVAL)


async def test_help_and_followed_seats_change_the_page(toy: SimpleNamespace, autojump_clock: MockClock) -> None:
    view = LiveView(directed(toy, 9), Pace(), Look(), past=no_past)
    seen = {view.version()}
    view.press("?")
    assert view.page(80, 24)[0].plain == "Keys"
    seen.add(view.version())
    view.press(k.ESCAPE)
    view.press(k.TAB)
    assert any("◆ 1  bot 1" in line.plain for line in view.page(80, 24))
    seen.add(view.version())
    assert len(seen) == 3
