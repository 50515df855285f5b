"""The list of events of a page."""

from __future__ import annotations

import pytest
from export.chromium import Chromium
from export.conftest import games
from export.seeing import Address, seen, to

from referee.moments.moment import moments
from referee.moments.sentences import Sentence

pytestmark = pytest.mark.machine

LINES = """[...document.querySelectorAll('#events li')].filter((one) => one.offsetParent)
  .map((one) => [one.dataset.round, one.textContent, one.firstChild.dataset.times ?? ''])"""


def joined(events: list[Sentence]) -> list[list[str]]:
    """The last event of each run of events that say the same, with its rounds and their number."""
    runs: list[list[Sentence]] = []
    for event in events:
        if runs and runs[-1][-1].text == event.text and runs[-1][-1].round <= event.round:
            runs[-1].append(event)
        else:
            runs.append([event])
    rounds = [sorted({run[0].round, run[-1].round}) for run in runs]
    return [
        ["–".join(map(str, span)), run[0].text, f" ×{len(run)}" if len(run) > 1 else ""]
        for run, span in zip(runs, rounds, strict=True)
    ]


@pytest.mark.parametrize("name", ["ava", "egghunt"])
def test_events_that_say_the_same_are_one_line(chromium: Chromium, address: Address, name: str) -> None:
    events = [event for shown in moments(games(name)) for event in shown.events]
    chromium.open(address(name))
    times = set()
    for at in (*range(210, 190, -1), 30, *range(170, 200), 260) if name == "ava" else range(98):
        state = to(chromium, at)
        past = [event for event in events if event.step <= at]
        assert state["events"] == [[one.step, one.kind, one.text] for one in past][-60:], "each event is in the list"
        lines = chromium.run(LINES)
        assert lines == joined(past)[len(joined(past)) - len(lines) :]
        times |= {line[2] for line in lines}
        now = chromium.run("[...document.querySelectorAll('#events .now')].map((one) => Number(one.dataset.step))")
        assert now == [event.step for event in past if event.step == at]
    assert {"", " ×2", " ×3"} <= times


def test_the_list_of_events_is_patched(chromium: Chromium, address: Address) -> None:
    """From step to step only what comes and goes is touched, and what is listed does not depend on the way."""
    last = len(games("snakecore").steps)
    chromium.open(address("snakecore") + "#step=300")
    chromium.run("window.before = [...document.querySelectorAll('#events li')]; 0")
    for keys in (("n",), ("ArrowRight", "ArrowRight"), ("N",), ("PageUp",), ("PageDown",)):
        chromium.press(*keys)
        assert chromium.run("before.filter((one) => one.isConnected).length") >= 40, keys
    for step in (last, 7, 150, 140, 0, last - 3):
        walked = to(chromium, step)["events"], chromium.run(LINES)
        chromium.open(address("snakecore") + f"#step={step}")
        assert (seen(chromium)["events"], chromium.run(LINES)) == walked
