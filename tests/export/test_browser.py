"""The page of a match in a real Chromium, by what people, links and other programs can rely on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from export.chromium import Chromium
from export.conftest import RECORDS

from referee import analysis
from referee.colours import SEAT_COLOURS, ink_on, luminance, mix, seat_colour
from referee.export.page import match_page
from referee.frame import Tone
from referee.names import harmless
from referee.record import load
from referee.replay import Replay
from referee.view.moments import moments
from referee.view.scene import called
from referee.view.telling import Told
from referee.view.text import board_lines, headings, remark_on, seat_rows, title_line
from referee.view.timeline import Timeline

Games = Callable[[str], Replay]
Address = Callable[[str], str]

STATE = """(() => {
  const text = (id) => document.getElementById(id)?.textContent ?? null;
  const { ready, step, steps, playing } = document.documentElement.dataset;
  const rows = [...document.querySelectorAll('#seats tbody tr')];
  return {
    ready, step: Number(step), steps: Number(steps), playing, board: text('board-text'),
    title: document.getElementById('seek').getAttribute('aria-valuetext'), seek: document.getElementById('seek').value,
    heads: [...document.querySelectorAll('#seats thead [data-col]')].map((cell) => cell.dataset.col),
    rows: rows.map((row) => [...row.querySelectorAll('[data-col]')].map((cell) => cell.textContent)),
    seats: rows.map((row) => row.dataset.seat),
    followed: rows.filter((row) => row.ariaCurrent === 'true').map((row) => row.dataset.seat),
    events: [...document.querySelectorAll('#events li')]
      .map((one) => [Number(one.dataset.step), one.dataset.kind, one.textContent]),
    request: text('request'), answer: text('answer'), log: text('log'), speed: text('speed'), scroll: scrollY,
  };
})()"""


def seen(chromium: Chromium) -> dict[str, Any]:
    """What the page shows."""
    state: dict[str, Any] = chromium.run(STATE)
    return state


def to(chromium: Chromium, step: int) -> dict[str, Any]:
    """What the page shows at a step."""
    chromium.run(f"location.hash = 'step={step}'")
    chromium.until(f"document.documentElement.dataset.step === '{step}'")
    return seen(chromium)


@pytest.mark.parametrize("name", RECORDS)
def test_the_page_shows_what_plain_text_shows(chromium: Chromium, games: Games, address: Address, name: str) -> None:
    saved = games(name)
    last = len(saved.steps)
    chromium.open(address(name))
    assert {key: seen(chromium)[key] for key in ("ready", "step", "steps", "playing")} == {
        "ready": "1", "step": 0, "steps": last, "playing": "0"
    }  # fmt: skip
    told: list[list[Any]] = []
    for shown in moments(saved):
        told += [[shown.at, one.kind, one.text] for one in shown.told]
        if shown.at in (0, min(100, last), last):
            state = to(chromium, shown.at)
            assert state["board"] == "\n".join(board_lines(shown.frame))
            assert state["title"] == title_line(shown.frame, remark_on(shown.at, last, shown.over))
            assert state["heads"] == [*headings(shown.frame)[:-1], "note"]
            assert state["rows"] == seat_rows(shown.frame)
            assert state["seats"] == [str(line.seat) for line in shown.frame.seats]
            assert state["events"] == told[-len(state["events"]) :] if told else not state["events"]
            assert len(state["events"]) >= min(40, len(told))
            moves = [a for step in saved.steps[: shown.at] for a in step.answers if a.seat == 0]
            said = (moves[-1].text or "") if moves else ""
            assert state["answer"] == "\n".join(harmless(line) for line in said.split("\n"))
            assert bool(state["request"]) == bool(moves)
            assert state["log"] is None
    assert chromium.heard == []


def test_addresses_lead_to_steps(chromium: Chromium, address: Address) -> None:
    chromium.open(address("ava") + "#step=120")
    assert seen(chromium)["step"] == 120
    hashes = {"step=7": 7, f"step={'9' * 20}": 260, "step=-5": 0, "step=3": 3, "x": 0, "step=12": 12, "step=4.5": 0}
    for hash_, step in hashes.items():
        chromium.run(f"location.hash = '{hash_}'")
        chromium.until(f"document.documentElement.dataset.step === '{step}'")
    chromium.press("ArrowRight", "ArrowRight")
    chromium.until("location.hash === '#step=2'")


def test_addresses_say_how_a_page_opens(chromium: Chromium, games: Games, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(match_page(games("ava"), explanation="it led from step 11"))
    top = "(id) => document.getElementById(id).getBoundingClientRect().top"
    chromium.open(page.as_uri() + "#step=110&play&bare", width=480, height=480)
    assert seen(chromium)["playing"] == "1"
    assert seen(chromium)["step"] >= 110
    shown = (
        "[...document.querySelectorAll('header, #board, #play, #seek, #now, #chart, #events, #request, #explanation')]"
    )
    ids = chromium.run(f"{shown}.filter((one) => one.offsetParent).map((one) => one.id)")
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
    chromium.open(page.as_uri() + "#step=110&play", still=True)
    assert seen(chromium)["playing"] == "0", "nothing moves by itself"
    assert chromium.heard == []


def test_a_link_followed_while_the_address_is_written_is_not_lost(chromium: Chromium, address: Address) -> None:
    chromium.open(address("ava") + "#step=44")
    # A link, and before the page learns of it, the change of the address that was due after a step.
    chromium.run("location.hash = 'step=100'; history.replaceState(null, '', '#step=44')")
    chromium.until("document.documentElement.dataset.step !== '44'")
    assert seen(chromium)["step"] == 100
    chromium.until("location.hash === '#step=100'")


def test_keys_do_what_they_do_in_the_terminal(chromium: Chromium, games: Games, address: Address) -> None:
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
    timeline = Timeline(saved, 4)
    down = timeline.round_from(89, forward=True)
    assert pressed("ArrowDown") == down
    assert pressed("ArrowUp", "ArrowUp") == timeline.round_from(timeline.round_from(down, forward=False), forward=False)
    assert pressed("End") == last
    assert pressed("Home") == 0
    chromium.run("document.getElementById('seek').focus()")
    assert pressed("ArrowRight") == 1, "no double step"
    assert pressed("PageDown") == 11
    assert pressed("PageUp") == 1
    told = [one for shown in moments(saved) for one in shown.told]
    steps = sorted({one.step for one in told if one.step > 2})
    assert [pressed("ArrowRight", "n"), pressed("n"), pressed("n"), pressed("N")] == [*steps[:3], steps[1]]
    kinds = list(dict.fromkeys(one.kind for one in told))
    of_kind = sorted({one.step for one in told if one.kind == kinds[1]})
    assert pressed("Home", "k", "k", "n", "n") == of_kind[1]
    at = pressed("N")
    assert at == of_kind[0]
    assert pressed("Home", "Escape", "n") == told[0].step
    chromium.until(f"location.hash === '#step={told[0].step}'")
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
    assert chromium.run("document.getElementById('help').open")
    chromium.press("Escape")
    assert not chromium.run("document.getElementById('help').open")
    chromium.run("document.activeElement.blur()")
    before = pressed("Home")
    chromium.press("ArrowRight", modifiers=1)
    chromium.press("n", modifiers=2)
    assert seen(chromium)["step"] == before, "combinations are the browser's"


def test_buttons_do_all_that_keys_do(chromium: Chromium, games: Games, address: Address) -> None:
    saved = games("snakecore")
    last = len(saved.steps)
    timeline = Timeline(saved, 4)
    told = [one for shown in moments(saved) for one in shown.told]
    steps = sorted({one.step for one in told})
    kind = told[-1].kind
    of_kind = sorted({one.step for one in told if one.kind == kind})
    chromium.open(address("snakecore"))

    def clicked(*ids: str) -> int:
        for one in ids:
            chromium.run(f"document.getElementById('{one}').click()")
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
    assert chromium.run("unit.selectedOptions[0].text") == told[0].kind
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
    assert clicked("debug") < turn
    assert chromium.run("document.getElementById('debug').ariaPressed") == "true"
    clicked("play")
    chromium.until("document.documentElement.dataset.playing === '0'")
    stopped = seen(chromium)["step"]
    assert saved.steps[stopped].answers[0].seat == 2
    clicked("debug")
    assert chromium.run("document.getElementById('debug').ariaPressed") == "false"


def test_a_menu_keeps_the_keys_that_choose_from_it(chromium: Chromium, address: Address) -> None:
    chromium.open(address("ava") + "#step=20")
    chromium.run("unit.focus()")
    chromium.press("ArrowDown")
    assert seen(chromium)["step"] == 20
    assert chromium.run("unit.selectedIndex") == 1
    chromium.press("n")
    assert seen(chromium)["step"] > 20


def test_it_plays_to_the_end_and_pauses(chromium: Chromium, address: Address) -> None:
    chromium.open(address("egghunt"))
    chromium.press("1", " ")
    assert seen(chromium)["playing"] == "1"
    chromium.press(" ")
    assert seen(chromium)["playing"] == "0"
    chromium.run("document.getElementById('next').focus()")
    chromium.press("Home", " ")
    assert (seen(chromium)["step"], seen(chromium)["playing"]) == (1, "0"), "space presses the focused button"
    chromium.run("document.activeElement.blur()")
    chromium.press("0", " ")
    chromium.until("document.documentElement.dataset.step === document.documentElement.dataset.steps")
    assert seen(chromium)["playing"] == "0"
    chromium.press("1", " ")
    assert (seen(chromium)["step"], seen(chromium)["playing"]) == (0, "1"), "from the end it starts again"


BOXES = """[...document.querySelectorAll('#board, #seats, #chart, #seek, #play')].map((one) => {
  const box = one.getBoundingClientRect();
  return [one.id, box.left, box.top, box.right, box.bottom];
})"""


@pytest.mark.parametrize(("width", "height", "least"), [(1440, 900, 540), (1024, 768, 480), (360, 740, 300)])
@pytest.mark.parametrize("name", ["snakecore", "egghunt"])
def test_the_board_comes_first(
    chromium: Chromium, address: Address, name: str, width: int, height: int, least: int
) -> None:
    chromium.open(address(name), width=width, height=height)
    boxes = {key: box for key, *box in chromium.run(BOXES)}
    left, top, right, bottom = boxes["board"]
    assert max(right - left, bottom - top) >= least
    for key in ("board", "seek", "play", *(("seats", "chart") if width == 1440 else ())):
        assert min(boxes[key][:2]) >= 0
        assert boxes[key][3] <= height, key
    assert chromium.run("document.documentElement.scrollWidth") <= width
    sizes = "[...document.querySelectorAll('main button')].map((one) => Math.min(one.offsetWidth, one.offsetHeight))"
    assert min(chromium.run(sizes)) >= 24


NOTES = """(() => {
  const box = document.getElementById('seats').parentNode.getBoundingClientRect();
  return [...document.querySelectorAll('#seats td[data-col=note] span')].filter((one) => one.textContent).map((one) => {
    const shape = one.getBoundingClientRect(), top = document.elementFromPoint(shape.right - 2, (shape.top + shape.bottom) / 2);
    return [one.textContent, shape.left >= box.left && shape.right <= box.right && shape.height < 24 && top === one];
  });
})()"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (360, 740)])
@pytest.mark.parametrize(("name", "step"), [("snakecore", 300), ("viper", 300), ("ants", 300)])
def test_who_is_to_move_and_who_is_out_is_seen_without_scrolling(
    chromium: Chromium, games: Games, address: Address, name: str, step: int, width: int, height: int
) -> None:
    chromium.open(address(name) + f"#step={step}", width=width, height=height)
    chromium.run("document.getElementById('seats').scrollIntoView()")
    notes = [row[-1] for row in seat_rows(called(games(name).state_at(step).draw(), games(name).entrants)) if row[-1]]
    assert "to move" in notes
    assert chromium.run(NOTES) == [[note, True] for note in notes]


PIXELS = """(cell) => {
  const [, x, y] = /x ([0-9]+), y ([0-9]+)/.exec(cell), wide = board.width / W, found = {};
  const { data } = board.getContext('2d').getImageData(x * wide, y * wide, wide, wide);
  for (let i = 0; i < data.length; i += 4) {
    const colour = '#' + [0, 1, 2].map((k) => data[i + k].toString(16).padStart(2, '0')).join('');
    found[colour] = (found[colour] ?? 0) + 1;
  }
  return found;
}"""
"""How many pixels of a cell have each colour, on a board of W cells."""


def test_a_body_has_one_colour_from_head_to_tail(chromium: Chromium, games: Games, address: Address) -> None:
    """In text, every second cell of a body is darker; as shapes, these would be dark squares."""
    saved = games("viper")
    frame = saved.state_at(300).draw()
    chromium.open(address("viper") + "#step=300")
    body = mix(seat_colour(0), "#000000", 0.18)
    cells = [(x, y) for x, y in frame.bodies[0] if frame.cells[y][x].tone is Tone.BODY]
    assert {frame.cells[y][x].level for x, y in cells} == {1.0, 0.7}
    for x, y in cells:
        found = chromium.run(f"({PIXELS.replace('W', '11')})('x {x}, y {y}')")
        floor, *colours = sorted(found, key=found.__getitem__, reverse=True)[:2]
        assert body in (floor, *colours)
        assert mix(body, "#000000", 0.15) not in found


def test_heaps_of_ten_or_more_have_their_number(chromium: Chromium, tmp_path: Path) -> None:
    header = json.loads(RECORDS["ants"].read_text().splitlines()[0])
    header["setup"] |= {
        "size": 31,
        "hills": [[0, 0], [30, 0], [0, 30]],
        "food": [[9, 0, 7], [11, 0, 10], [13, 0, 42], [15, 1, 137]],
    }
    path = tmp_path / "heaps.jsonl"
    path.write_text(json.dumps(header) + "\n")
    page = tmp_path / "heaps.html"
    page.write_text(match_page(Replay(load(path))))
    chromium.open(page.as_uri())
    chromium.run("""(() => {
      window.written = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
        written.push([String(text), parseInt(this.font.split(' ').find((word) => word.endsWith('px')))]);
        return fillText.call(this, text, ...more);
      };
      dispatchEvent(new Event('resize'));
    })()""")
    chromium.settle()
    written = dict(chromium.run("written"))
    for amount in ("7", "10", "42", "137"):
        assert written[amount] >= 8, "CSS pixels, with cells of 21"
    assert "%%" not in written
    assert "%%  42" in (pointed(chromium, "board", 13.5 / 31, 0.5 / 31) or "")


@pytest.mark.parametrize("ratio", [1, 1.5, 3])
def test_cells_are_whole_device_pixels(chromium: Chromium, address: Address, ratio: float) -> None:
    chromium.open(address("viper"), ratio=ratio)
    size = "(({ width, clientWidth }) => [width, clientWidth])(document.getElementById('board'))"
    width, shown = chromium.run(size)
    assert width % 11 == 0
    assert shown == pytest.approx(width / ratio, abs=1)


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


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


COLOURS = """(() => {
  const { width, height } = chart, { data } = chart.getContext('2d').getImageData(0, 0, width, height), found = {};
  for (let i = 0; i < data.length; i += 4) {
    const colour = '#' + [0, 1, 2].map((k) => data[i + k].toString(16).padStart(2, '0')).join('');
    found[colour] = (found[colour] ?? 0) + 1;
  }
  return found;
})()"""
"""How many pixels of the chart have each colour."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_still_to_come_can_be_seen_in_the_chart(chromium: Chromium, address: Address, scheme: str) -> None:
    chromium.open(address("snakecore"), scheme=scheme, ratio=3)
    coming = chromium.run(COLOURS)
    chromium.press("End")
    past = chromium.run(COLOURS)
    grounds = [max(found, key=found.__getitem__) for found in (past, coming)]
    assert grounds[0] != grounds[1]
    for seat in range(4):
        for ground, found, line in zip(grounds, (past, coming), (seat_colour(seat), None), strict=True):
            colour = line or chromium.run(f"paler('{seat_colour(seat)}')")
            assert found.get(colour.lower(), 0) > 100, "the line has this colour"
            assert contrast(colour, ground) >= 3
            ink = ink_on(seat_colour(seat))
            assert found[seat_colour(seat).lower()] > 1000
            assert found[ink] > 100
            assert contrast(ink, seat_colour(seat)) >= 4.5, "its number at the end"
    words = chromium.run("FAINT")
    for ground, found in zip(grounds, (past, coming), strict=True):
        assert found[words] > 100
        assert contrast(words, ground) >= 4.5
    for colour in SEAT_COLOURS:
        assert 3 <= contrast(chromium.run(f"paler('{colour}')"), grounds[1]) < contrast(colour, grounds[1])


LINES = """[...document.querySelectorAll('#events li')].filter((one) => one.offsetParent)
  .map((one) => [one.dataset.round, one.textContent, one.firstChild.dataset.times ?? ''])"""


def joined(told: list[Told]) -> list[list[str]]:
    """The last event of each run of events that say the same, with its rounds and their number."""
    runs: list[list[Told]] = []
    for one in told:
        if runs and runs[-1][-1].text == one.text and runs[-1][-1].round <= one.round:
            runs[-1].append(one)
        else:
            runs.append([one])
    rounds = [sorted({run[0].round, run[-1].round}) for run in runs]
    return [
        ["–".join(map(str, span)), run[0].text, f" ×{len(run)}" if len(run) > 1 else ""]
        for run, span in zip(runs, rounds, strict=True)
    ]


@pytest.mark.parametrize("name", ["ava", "egghunt"])
def test_events_that_say_the_same_are_one_line(chromium: Chromium, games: Games, address: Address, name: str) -> None:
    told = [one for shown in moments(games(name)) for one in shown.told]
    chromium.open(address(name))
    times = set()
    for at in (*range(210, 190, -1), 30, *range(170, 200), 260) if name == "ava" else range(98):
        state = to(chromium, at)
        past = [one for one in told if one.step <= at]
        assert state["events"] == [[one.step, one.kind, one.text] for one in past][-60:], "each event is in the list"
        lines = chromium.run(LINES)
        assert lines == joined(past)[len(joined(past)) - len(lines) :]
        times |= {line[2] for line in lines}
        now = chromium.run("[...document.querySelectorAll('#events .now')].map((one) => Number(one.dataset.step))")
        assert now == [one.step for one in past if one.step == at]
    assert {"", " ×2", " ×3"} <= times


def pointed(chromium: Chromium, key: str, across: float, down: float = 0.5) -> str | None:
    """What stands beside the pointer on a part of the page, None if nothing does."""
    box = f"document.getElementById('{key}').getBoundingClientRect()"
    left, top, width, height = chromium.run(f"(({{ left, top, width, height }}) => [left, top, width, height])({box})")
    chromium.point(left + across * width, top + down * height)
    said: str | None = chromium.run("tip.hidden ? null : tip.innerText")
    return said


def test_the_page_says_what_is_under_the_pointer(chromium: Chromium, games: Games, address: Address) -> None:
    saved = games("snakecore")
    last = len(saved.steps)
    chromium.open(address("snakecore") + "#step=300")
    at = round(0.4 * last)
    points = [row[2] for row in seat_rows(saved.state_at(at).draw())]
    lines = [f"step {at}", *(f"{seat} {had}" for seat, had in enumerate(points, start=1))]
    assert pointed(chromium, "chart", at / last) == "\n".join(lines)
    (answer,) = saved.steps[at - 1].answers
    assert pointed(chromium, "times", at / last) == f"step {at}\n{answer.seat + 1} 0.50ms of 1.00s"
    marks = saved.state_at(300).draw().cells
    for x, y in ((0, 0), (8, 8), (4, 1), (1, 6)):
        said = pointed(chromium, "board", (x + 0.5) / 9, (y + 0.5) / 9)
        assert said == f"x {x}, y {y}" + (f"  {text}" if (text := marks[y][x].text).strip() else "")
    chromium.press("Home")
    assert saved.state_at(0).draw().cells[6][1].text == "  "
    assert chromium.run("tip.innerText") == "x 1, y 6", "also when the step changes"
    chromium.point(1, 1)
    assert chromium.run("tip.hidden")


def test_the_timeline_has_a_tick_for_each_event(chromium: Chromium, games: Games, address: Address) -> None:
    told = [one for shown in moments(games("viper")) for one in shown.told]
    last = len(games("viper").steps)
    chromium.open(address("viper"))
    columns = """(() => {
      const canvas = document.getElementById('ticks'), { width, height } = canvas, found = [];
      const { data } = canvas.getContext('2d').getImageData(0, height - 1, width, 1);
      for (let x = 3; x < width; x++) if (Math.max(...data.slice(4 * x, 4 * x + 3)) > 40) found.push(x);
      return [width, found];
    })()"""
    width, found = chromium.run(columns)
    for one in told:
        assert any(abs(x - one.step / last * width) <= 2 for x in found)
    (out,) = [one for one in told if one.kind == "disqualified"]
    chromium.press(*"k" * (1 + list(dict.fromkeys(one.kind for one in told)).index("disqualified")))
    width, found = chromium.run(columns)
    assert all(abs(x - out.step / last * width) <= 2 for x in found)
    assert found
    assert pointed(chromium, "ticks", (out.step + 1) / last) == f"step {out.step}\n{out.text}"
    assert pointed(chromium, "ticks", 0.9) == f"step {round(0.9 * last)}"
    box = {key: box for key, *box in chromium.run(BOXES.replace("#chart", "#ticks"))}["ticks"]
    chromium.click(box[0] + (box[2] - box[0]) / 2, (box[1] + box[3]) / 2)
    assert seen(chromium)["step"] == pytest.approx(last / 2, abs=2)


def test_the_list_of_events_is_patched(chromium: Chromium, games: Games, address: Address) -> None:
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


GROUND = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3).map(Number)"


def test_light_and_dark_follow_the_system_and_the_button(chromium: Chromium, address: Address) -> None:
    for scheme in ("light", "dark"):
        chromium.open(address("ants"), scheme=scheme, still=True)
        grounds = [sum(chromium.run(GROUND)) / 3]
        chromium.run("document.getElementById('theme').click()")
        grounds.append(sum(chromium.run(GROUND)) / 3)
        dark, light = sorted(grounds)
        assert (grounds[0] == light) == (scheme == "light")
        assert light > 200
        assert dark < 50
        assert chromium.run("document.getAnimations().length") == 0


HOSTILE_NAME = "<img src=x>\u202e</script>"
HOSTILE_TEXT = '</script><img src=x onerror="document.title=1">\u202e\x1b[31m'


def test_hostile_names_answers_and_logs_are_text(chromium: Chromium, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in RECORDS["egghunt"].read_text().splitlines()]
    lines[0]["players"][1] |= {"bot": HOSTILE_NAME, "given": True}
    for line in lines[30:]:
        for answer in line.get("answers", []):
            if answer["seat"] == 1 and answer.get("answer") is not None:
                answer["answer"] = "\n".join([*answer["answer"].split("\n")[:2], HOSTILE_TEXT])
    path = tmp_path / "hostile.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    saved = Replay(load(path))
    page = tmp_path / "hostile.html"
    page.write_text(
        match_page(
            saved,
            logs=lambda step, seat: HOSTILE_TEXT,
            reasons=lambda step, seat: HOSTILE_TEXT,
            explanation=HOSTILE_TEXT,
        )
    )
    chromium.open(page.as_uri() + "#step=40")
    chromium.press("f", "f")
    state = seen(chromium)
    assert state["ready"] == "1"
    name = HOSTILE_NAME.replace("\u202e", "\ufffd")
    text = harmless(HOSTILE_TEXT)
    assert state["rows"][1][1] == name
    assert state["answer"].endswith(f"\n{text}")
    assert state["request"].endswith(f"\n{text}"), "its memory"
    assert state["log"] == text
    assert chromium.run("document.getElementById('reasons').textContent") == text
    assert chromium.run("document.getElementById('explanation').textContent") == text
    assert chromium.run("document.querySelectorAll('img').length") == 0
    assert chromium.run("[...document.querySelectorAll('bdi')].length") > 0
    assert name in chromium.run("document.title")
    assert chromium.heard == []


def test_the_debugger_stops_before_each_move_of_the_followed_seat(
    chromium: Chromium, games: Games, tmp_path: Path
) -> None:
    saved = games("viper")
    page = tmp_path / "a.html"
    page.write_text(match_page(saved, reasons=lambda step, seat: f"chart {step} of {seat}"))
    turns = [step for step in range(1, len(saved.steps)) if saved.steps[step].answers[0].seat == 1]
    chromium.open(page.as_uri())
    chromium.press("f", "f", "0", "d")
    for turn in turns[:3]:
        chromium.press(" ")
        chromium.until("document.documentElement.dataset.playing === '0'")
        assert seen(chromium)["step"] == turn
        assert chromium.run("document.getElementById('reasons').textContent") == f"chart {turn + 1} of 1"
        assert chromium.run("document.getElementById('which').textContent") == "Next"
        assert seen(chromium)["answer"] == saved.steps[turn].answers[0].text
    chromium.press("d")
    assert chromium.run("document.getElementById('which').textContent") == "Last"
    chromium.press(" ")
    chromium.until("document.documentElement.dataset.step === document.documentElement.dataset.steps")


def test_steps_of_the_explanation_are_links(chromium: Chromium, games: Games, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(match_page(games("ava"), explanation="it led\nfrom round 3, step 11: referee replay --step 12"))
    chromium.open(page.as_uri())
    assert chromium.run("[...document.querySelectorAll('#explanation a')].map((one) => one.textContent)") == ["step 11"]
    chromium.run("document.querySelector('#explanation a').click()")
    chromium.settle()
    assert seen(chromium)["step"] == 11


@pytest.mark.parametrize("name", RECORDS)
def test_at_the_end_a_page_says_who_won_as_the_explanation_does(
    chromium: Chromium, games: Games, address: Address, name: str
) -> None:
    saved = games(name)
    last = len(saved.steps)
    told, *_ = analysis.explained(analysis.explain(saved), analysis.Commands("a.jsonl"))
    won = told.removeprefix(f"{saved.game.title}: ")
    chromium.open(address(name) + f"#step={last - 1}", width=1024, height=768)
    said = "document.getElementById('winner').innerText"
    assert chromium.run(said) == ""
    chromium.press("ArrowRight")
    assert chromium.run(said) == won
    assert " wins with " in won or " share the first place with " in won
    assert chromium.run("winner.getBoundingClientRect().bottom <= seats.getBoundingClientRect().top")
    assert chromium.run("winner.querySelectorAll('bdi').length") > 0
    chromium.press("Home")
    assert chromium.run(said) == ""


def test_names_in_the_explanation_are_isolated(chromium: Chromium, tmp_path: Path) -> None:
    text = RECORDS["snakecore"].read_text().replace('"Greedy"', '"שלום"').replace('"Python"', '"step 1"')
    (tmp_path / "a.jsonl").write_text(text)
    told = "2 step 1 leads שלום 12 points, step 11"
    page = tmp_path / "a.html"
    page.write_text(match_page(Replay(load(tmp_path / "a.jsonl")), explanation=told))
    chromium.open(page.as_uri())
    assert chromium.run("document.getElementById('explanation').textContent") == told
    assert "שלום" in chromium.run("[...document.querySelectorAll('#explanation bdi')].map((one) => one.textContent)")


@pytest.mark.parametrize("name", ["snakecore", "ants"])
def test_long_names_leave_the_table_its_width(chromium: Chromium, tmp_path: Path, name: str) -> None:
    header, *rest = RECORDS[name].read_text().splitlines(keepends=True)
    told = json.loads(header)
    told["players"] = [one | {"bot": "W" * 31 + str(one["seat"]), "given": True} for one in told["players"]]
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(told) + "\n" + "".join(rest))
    page = tmp_path / "a.html"
    page.write_text(match_page(Replay(load(path))))
    chromium.open(page.as_uri() + "#step=200")
    boxes = {key: box for key, *box in chromium.run(BOXES)}
    assert boxes["seats"][2] <= 1440
    assert "W" * 31 in seen(chromium)["rows"][0][1]


def test_a_fault_is_told_with_its_kind_and_detail(chromium: Chromium, games: Games, address: Address) -> None:
    saved = games("ava")
    number, seat = next((s.number, a.seat) for s in saved.steps for a in s.answers if a.text is None)
    chromium.open(address("ava") + f"#step={number}")
    chromium.press(*"f" * (seat + 1))
    assert seen(chromium)["answer"] == "timeout: no answer within 1 s"


def test_a_page_that_cannot_be_shown_says_why(chromium: Chromium, address: Address, tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    page = Path(address("ava").removeprefix("file://")).read_text()
    head, data = page.split('id="data">')
    broken.write_text(head + 'id="data">AAAA' + data)
    chromium.open(broken.as_uri())
    assert chromium.run("document.documentElement.dataset.ready") == "error"
    assert "cannot be shown" in chromium.run("document.getElementById('failed').innerText")
    assert chromium.heard == []
