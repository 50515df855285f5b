"""How people and links steer the page of a match: addresses, keys, buttons, clicks."""

import json

import pytest
from export.chromium import Chromium
from export.conftest import games
from export.seeing import BOXES, Address, WritePage, seen

from referee.moments.moment import moments
from referee.moments.timeline import Timeline
from referee.text.markup import el

pytestmark = pytest.mark.machine


def test_addresses_lead_to_steps(chromium: Chromium, address: Address) -> None:
    chromium.open(address("ava") + "#step=120")
    assert seen(chromium)["step"] == 120
    hashes = {"step=7": 7, f"step={'9' * 20}": 260, "step=-5": 0, "step=3": 3, "x": 0, "step=12": 12, "step=4.5": 0}
    for hash_, step in hashes.items():
        chromium.run(f"location.hash = '{hash_}'")
        chromium.until(f"document.documentElement.dataset.step === '{step}'")
    chromium.press("ArrowRight", "ArrowRight")
    chromium.until("location.hash === '#step=2'")


def test_addresses_say_how_a_page_opens(chromium: Chromium, write_page: WritePage) -> None:
    links = el("nav", el("a", "index", href="../index.html"), id="links")
    address = write_page(games("ava"), explanation="it led from step 11", links=links)
    top = "(id) => document.getElementById(id).getBoundingClientRect().top"
    chromium.open(f"{address}#step=110&play&bare", width=480, height=480)
    assert seen(chromium)["playing"] == "1"
    assert seen(chromium)["step"] >= 110
    parts = "[...document.querySelectorAll('#links, header, #board, #play, #seek, #now, #chart, #events, #answer, #explanation')]"
    ids = chromium.run(f"{parts}.filter((one) => one.offsetParent).map((one) => one.id)")
    assert ids == ["board", "seek", "play", "now"]
    assert chromium.run("document.querySelector('#seats tbody').innerText.split(/\\s+/)")[:3] == [
        str(seen(chromium)["rows"][0][0]), seen(chromium)["rows"][0][1], seen(chromium)["rows"][0][2]
    ]  # fmt: skip
    assert (
        chromium.run("[document.documentElement.scrollHeight <= innerHeight, board.clientHeight > 300]") == [True] * 2
    )
    chromium.press(" ")
    assert seen(chromium)["playing"] == "0"
    at = seen(chromium)["step"]
    chromium.until(f"location.hash === '#step={at}&bare'")
    chromium.run("location.hash = 'explain&step=12'")
    chromium.until("document.documentElement.dataset.step === '12'")
    assert chromium.run(f"({top})('explained') < ({top})('board')")
    chromium.run("document.querySelector('#explanation a').click()")
    chromium.settle()
    assert seen(chromium)["step"] == 11
    assert chromium.run("(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(explained.getBoundingClientRect())")
    chromium.run("why.click()")
    chromium.until("location.hash === '#step=11'")
    assert chromium.run(f"({top})('explained') > ({top})('board')")
    chromium.open(f"{address}#step=110&play", still=True)
    assert seen(chromium)["playing"] == "0", "nothing moves by itself"
    assert chromium.heard == []


def test_a_link_followed_while_the_address_is_written_is_not_lost(chromium: Chromium, address: Address) -> None:
    chromium.open(address("ava") + "#step=44")
    # A link, and before the page learns of it, the change of the address that was due after a step.
    chromium.run("location.hash = 'step=100'; history.replaceState(null, '', '#step=44')")
    chromium.until("document.documentElement.dataset.step !== '44'")
    assert seen(chromium)["step"] == 100
    chromium.until("location.hash === '#step=100'")


def test_keys_do_what_they_do_in_the_terminal(chromium: Chromium, address: Address) -> None:
    saved = games("snakecore")
    last = len(saved.steps)
    chromium.open(address("snakecore") + "#step=100", height=500)

    def pressed(*keys: str) -> int:
        chromium.press(*keys)
        state = seen(chromium)
        assert state["scroll"] == 0
        return int(state["step"])

    assert pressed("ArrowRight") == 101
    assert pressed("ArrowLeft", "ArrowLeft") == 99
    assert pressed("PageDown") == 109
    assert pressed("PageUp", "PageUp") == 89
    assert pressed("]") == 89 + last // 20
    assert pressed("[") == 89
    timeline = Timeline(saved)
    down = timeline.round_from(89, forward=True)
    assert pressed("ArrowDown") == down
    assert pressed("ArrowUp", "ArrowUp") == timeline.round_from(timeline.round_from(down, forward=False), forward=False)
    assert pressed("End") == last
    assert pressed("Home") == 0
    chromium.run("$('seek').focus()")
    assert pressed("ArrowRight") == 1, "no double step"
    assert pressed("PageDown") == 11
    assert pressed("PageUp") == 1
    events = [event for shown in moments(saved) for event in shown.events]
    steps = sorted({event.step for event in events if event.step > 2})
    assert [pressed("ArrowRight", "n"), pressed("n"), pressed("n"), pressed("N")] == [*steps[:3], steps[1]]
    kinds = list(dict.fromkeys(event.kind for event in events))
    of_kind = sorted({event.step for event in events if event.kind == kinds[1]})
    assert pressed("Home", "k", "k", "n", "n") == of_kind[1]
    at = pressed("N")
    assert at == of_kind[0]
    assert pressed("Home", "Escape", "n") == events[0].step
    chromium.until(f"location.hash === '#step={events[0].step}'")
    chromium.run(f"location.hash = 'step={at}'")
    chromium.until(f"document.documentElement.dataset.step === '{at}'")
    assert pressed("f", "f") == at
    assert seen(chromium)["followed"] == ["1"]
    move = timeline.move_from(at, 1, forward=True)
    assert pressed("m") == move
    assert pressed("M") == timeline.move_from(move, 1, forward=False)
    chromium.press("F", "F")
    assert seen(chromium)["followed"] == []
    chromium.press("5")
    assert seen(chromium)["speed"] == "16 steps/s"
    chromium.press("+", "=", "-")
    assert seen(chromium)["speed"] == "32 steps/s"
    chromium.press("0")
    assert seen(chromium)["speed"] == "full speed"
    chromium.press("?")
    assert chromium.run("$('help').open")
    chromium.press("Escape")
    assert not chromium.run("$('help').open")
    chromium.run("document.activeElement.blur()")
    before = pressed("Home")
    chromium.press("ArrowRight", modifiers=1)
    chromium.press("n", modifiers=2)
    assert seen(chromium)["step"] == before, "combinations are the browser's"


def test_buttons_do_all_that_keys_do(chromium: Chromium, address: Address) -> None:
    saved = games("snakecore")
    last = len(saved.steps)
    timeline = Timeline(saved)
    events = [event for shown in moments(saved) for event in shown.events]
    steps = sorted({event.step for event in events})
    kind = events[-1].kind
    of_kind = sorted({event.step for event in events if event.kind == kind})
    chromium.open(address("snakecore"))

    def clicked(*ids: str) -> int:
        for name in ids:
            chromium.run(f"$('{name}').click()")
        chromium.settle()
        return int(seen(chromium)["step"])

    def chosen(words: str) -> str:
        value = f"[...unit.options].find((one) => one.text === {json.dumps(words)}).value"
        chromium.run(f"unit.value = {value}; unit.dispatchEvent(new Event('change'))")
        chromium.settle()
        return str(chromium.run("unit.selectedOptions[0].text"))

    assert chromium.run("unit.selectedOptions[0].text") == "any event"
    assert [clicked("ahead"), clicked("ahead"), clicked("back")] == [steps[0], steps[1], steps[0]]
    chromium.press("Home")
    assert chosen(kind) == kind
    assert [clicked("ahead"), clicked("ahead"), clicked("back")] == [of_kind[0], of_kind[1], of_kind[0]]
    chromium.press("Escape")
    assert chromium.run("unit.selectedOptions[0].text") == "any event"
    chromium.press("k")
    assert chromium.run("unit.selectedOptions[0].text") == events[0].kind
    at = clicked("back")
    assert chosen("round") == "round"
    assert clicked("ahead") == timeline.round_from(at, forward=True)
    at = clicked("ahead")
    assert clicked("back") == timeline.round_from(at, forward=False)
    assert chosen("start or end") == "start or end"
    assert [clicked("ahead"), clicked("back")] == [last, 0]
    chosen("ten steps")
    assert [clicked("ahead", "ahead"), clicked("back")] == [20, 10]
    chosen("5 % of the match")
    assert [clicked("ahead"), clicked("back")] == [10 + last // 20, 10]
    chosen("move of the followed seat")
    chromium.run("document.querySelector('#seats [data-seat=\"2\"] button').click()")
    assert clicked("ahead") == timeline.move_from(10, 2, forward=True)
    chromium.press("0")
    turn = next(at for at in range(20, last) if saved.steps[at].answers[0].seat == 2)
    assert chromium.run("[back.ariaLabel, ahead.title]") == [
        "Previous: move of the followed seat", "Next: move of the followed seat"
    ]  # fmt: skip
    assert clicked("debug") < turn
    assert chromium.run("$('debug').ariaPressed") == "true"
    clicked("play")
    chromium.until("document.documentElement.dataset.playing === '0'")
    stopped = seen(chromium)["step"]
    assert saved.steps[stopped].answers[0].seat == 2
    clicked("debug")
    assert chromium.run("$('debug').ariaPressed") == "false"


def test_a_menu_keeps_the_keys_that_choose_from_it(chromium: Chromium, address: Address) -> None:
    chromium.open(address("ava") + "#step=20")
    chromium.run("unit.focus()")
    chromium.press("ArrowDown")
    assert seen(chromium)["step"] == 20
    assert chromium.run("unit.selectedIndex") == 1
    chromium.press("n")
    assert seen(chromium)["step"] > 20


def test_a_text_that_is_too_long_for_its_box_is_scrolled_by_keys(chromium: Chromium, address: Address) -> None:
    chromium.open(address("snakecore") + "#step=20", width=360, height=740)
    chromium.run("request.style.maxHeight = '4rem', request.focus()")
    assert chromium.run("document.activeElement.id") == "request"
    chromium.press("End")
    chromium.until("request.scrollTop > 0")
    assert seen(chromium)["step"] == 20
    chromium.press("n")
    assert seen(chromium)["step"] > 20


def test_it_plays_to_the_end_and_pauses(chromium: Chromium, address: Address) -> None:
    chromium.open(address("egghunt"))
    chromium.press("1", " ")
    assert seen(chromium)["playing"] == "1"
    chromium.press(" ")
    assert seen(chromium)["playing"] == "0"
    chromium.run("$('next').focus()")
    chromium.press("Home", " ")
    assert (seen(chromium)["step"], seen(chromium)["playing"]) == (1, "0"), "space presses the focused button"
    chromium.run("document.activeElement.blur()")
    chromium.press("0", " ")
    chromium.until("document.documentElement.dataset.step === document.documentElement.dataset.steps")
    assert seen(chromium)["playing"] == "0"
    chromium.press("1", " ")
    assert (seen(chromium)["step"], seen(chromium)["playing"]) == (0, "1"), "from the end it starts again"


def test_the_chart_seeks_and_events_and_seats_are_clicked(chromium: Chromium, address: Address) -> None:
    chromium.open(address("viper"))
    left, top, right, bottom = next(box for key, *box in chromium.run(BOXES) if key == "chart")
    chromium.click(left + (right - left) / 2, (top + bottom) / 2)
    assert seen(chromium)["step"] == pytest.approx(seen(chromium)["steps"] / 2, abs=2)
    step = seen(chromium)["events"][0][0]
    chromium.run("document.querySelector('#events a').click()")
    chromium.settle()
    assert seen(chromium)["step"] == step
    chromium.run("document.querySelector('#seats [data-seat=\"2\"] button').click()")
    chromium.settle()
    assert seen(chromium)["followed"] == ["2"]


def test_only_programs_that_are_known_have_reasons(chromium: Chromium, write_page: WritePage) -> None:
    saved = games("viper")
    chromium.open(write_page(saved, reasons=lambda request, answer: ["a reason"] * (request.seat == 1)))
    chromium.press("End")
    for seat in range(len(saved.entrants)):
        chromium.press("f")
        assert seen(chromium)["followed"] == [str(seat)]
        assert chromium.run("$('reasons').checkVisibility()") == (seat == 1)


def test_the_debugger_stops_before_each_move_of_the_followed_seat(chromium: Chromium, write_page: WritePage) -> None:
    saved = games("viper")
    turns = [step for step in range(1, len(saved.steps)) if saved.steps[step].answers[0].seat == 1]
    chromium.open(write_page(saved, reasons=lambda request, answer: [f"{answer} of {request.seat}"]))
    chromium.press("f", "f", "0", "d")
    for turn in turns[:3]:
        chromium.press(" ")
        chromium.until("document.documentElement.dataset.playing === '0'")
        assert seen(chromium)["step"] == turn
        assert chromium.run("$('reasons').textContent") == f"{saved.steps[turn].answers[0].text} of 1"
        assert chromium.run("$('which').textContent") == "Next"
        assert seen(chromium)["answer"] == saved.steps[turn].answers[0].text
    chromium.press("d")
    assert chromium.run("$('which').textContent") == "Last"
    chromium.press(" ")
    chromium.until("document.documentElement.dataset.step === document.documentElement.dataset.steps")
