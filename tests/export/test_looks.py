"""What the board and the charts of a page look like, and what they say under the pointer."""

import json
from pathlib import Path

import pytest
from export.chromium import Chromium
from export.conftest import RECORDS, games
from export.seeing import BOXES, Address, WritePage, pointed, seen
from moments.test_colours import contrast

from referee.contract.frame import Tone
from referee.moments.colours import SEAT_COLOURS, ink_on, mix, seat_colour
from referee.moments.moment import moments
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal.text import seat_rows
from referee.text.markup import el

pytestmark = pytest.mark.machine

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


def test_on_a_phone_tables_of_the_explanation_keep_their_columns(chromium: Chromium, write_page: WritePage) -> None:
    table = "points after  25 %  50 %  75 %  100 %   led\n1 Worm           8   223   321    402  90 %"
    explanation = f"{'It led. ' * 20}\n\n{table}\n  {'gains ' * 20}"
    chromium.open(write_page(games("ava"), explanation=explanation), width=360, height=740)
    boxes = "[...one.getClientRects()].filter((box) => box.width)"
    lines = chromium.run(f"[...document.querySelectorAll('#explanation > span')].map((one) => {boxes}.length)")
    assert lines[2:4] == [1, 1]
    assert min(lines[0], lines[4]) > 1, "sentences are wrapped"
    assert chromium.run("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("width", [1440, 1024, 360])
def test_no_button_is_too_small_for_its_words_and_no_number_stands_alone_in_a_line(
    chromium: Chromium, write_page: WritePage, width: int
) -> None:
    address = write_page(games("snakecore"), explanation="why")
    chromium.open(f"{address}#step=100&explain", width=width, height=900)
    assert (
        chromium.run("[...document.querySelectorAll('button')].filter((one) => one.scrollHeight > one.clientHeight)")
        == []
    )
    lines = chromium.run("$('now').textContent").split(" ")
    assert [word for word in lines if word[:1].isdigit()] == [], "spaces before numbers do not break"


@pytest.mark.parametrize("width", [1280, 1024, 360])
@pytest.mark.parametrize("name", RECORDS)
def test_the_table_of_the_seats_is_not_cut(chromium: Chromium, address: Address, name: str, width: int) -> None:
    chromium.open(f"{address(name)}#step=9999", width=width, height=900)
    cut = "$('seats').scrollWidth - document.querySelector('.box').clientWidth"
    assert chromium.run(cut) <= 0
    shown = "[...document.querySelectorAll('#seats tbody tr:first-child td')].filter((one) => one.checkVisibility())"
    texts = f"{shown}.map((one) => getComputedStyle(one, '::before').content.slice(1, -2) || one.dataset.col || '')"
    heads = chromium.run("[...document.querySelectorAll('#seats th')].map((one) => one.textContent)")
    if width < 1280:
        unsaid = {"rank", *(("points", "last") if width == 360 else ())}
        assert {*heads} - unsaid == {*chromium.run(texts)} - {*unsaid, ""}, "figures have their headings"


def test_the_followed_seat_is_seen_without_the_colours_of_the_page(chromium: Chromium, address: Address) -> None:
    chromium.open(f"{address('snakecore')}#step=100")
    chromium.emulate(forced_colors="active")
    chromium.press("f")
    rows = "[...document.querySelectorAll('#seats tbody tr')].map((one) => getComputedStyle(one).outlineStyle)"
    assert chromium.run(rows) == ["solid", "none", "none", "none"]
    assert chromium.run("getComputedStyle(document.querySelector('.time i')).forcedColorAdjust") == "none"


def test_on_a_phone_the_title_and_the_links_are_not_cut(chromium: Chromium, write_page: WritePage) -> None:
    words = ("Studio", "play again", "edit rattler", "ask again", "saved game", "film")
    title = el("span", "Collector – Apprentice – Trailblazer – Surveyor, crossroads, 6th")  # of a match of four
    nav = el("nav", *(el("a", each, href="/") for each in words), title, id="links")
    chromium.open(write_page(games("viper"), links=nav), width=360, height=740)
    rights = chromium.run("[...document.querySelectorAll('#links *')].map((one) => one.getBoundingClientRect().right)")
    assert max(rights) <= 360
    assert chromium.run("(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('h1'))")
    assert chromium.run("document.querySelector('h1').innerText").split()[-1] == "hedgehog"


@pytest.mark.parametrize("width", [1440, 1024, 800, 360])
def test_who_is_to_move_stands_beside_the_number_of_the_seat_and_not_on_it(
    chromium: Chromium, address: Address, width: int
) -> None:
    chromium.open(f"{address('snakecore')}#step=40", width=width, height=900)
    note = "[...document.querySelectorAll('td[data-col=note] span')].find((one) => one.textContent)"
    button = "document.querySelector('#seats td button')"
    assert chromium.run(f"{note}.getBoundingClientRect().left > {button}.getBoundingClientRect().right")


def test_a_body_has_one_colour_from_head_to_tail(chromium: Chromium, address: Address) -> None:
    """In text, every second cell of a body is darker; as shapes, these would be dark squares."""
    saved = games("viper")
    frame = saved.state_at(300).draw()
    chromium.open(address("viper") + "#step=300")
    body = mix(seat_colour(0), "#000000", 0.18)
    cells = [(x, y) for x, y in frame.bodies[0] if frame.cells[y][x].tone is Tone.BODY]
    assert {frame.cells[y][x].level for x, y in cells} == {1.0, 0.7}
    for x, y in cells:
        counts = chromium.run(f"({PIXELS.replace('W', '11')})('x {x}, y {y}')")
        floor, *colours = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
        assert body in (floor, *colours)
        assert mix(body, "#000000", 0.15) not in counts


def test_the_number_of_an_eaten_snake_is_white_on_its_dark_cell(chromium: Chromium, address: Address) -> None:
    marks = games("viper").state_at(250).draw().cells
    [(x, y)] = [(x, y) for y, row in enumerate(marks) for x, mark in enumerate(row) if mark.text.endswith("x")]
    chromium.open(f"{address('viper')}#step=250")
    assert chromium.run(f"({PIXELS.replace('W', '11')})('x {x}, y {y}')").get("#ffffff", 0) > 10


def test_heaps_of_ten_or_more_have_their_number(chromium: Chromium, write_page: WritePage, tmp_path: Path) -> None:
    header = json.loads(RECORDS["ants"].read_text().splitlines()[0])
    header["setup"] |= {
        "size": 31,
        "hills": [[0, 0], [30, 0], [0, 30]],
        "food": [[9, 0, 7], [11, 0, 10], [13, 0, 42], [15, 1, 137]],
    }
    path = tmp_path / "heaps.jsonl"
    path.write_text(json.dumps(header) + "\n")
    chromium.open(write_page(Replay(load(path))))
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
    size = "(({ width, clientWidth }) => [width, clientWidth])($('board'))"
    width, shown = chromium.run(size)
    assert width % 11 == 0
    assert shown == pytest.approx(width / ratio, abs=1)


COLOURS = """(() => {
  const { width, height } = chart, { data } = chart.getContext('2d').getImageData(0, 0, width, height), found = {};
  for (let i = 0; i < data.length; i += 4) {
    const colour = '#' + [0, 1, 2].map((k) => data[i + k].toString(16).padStart(2, '0')).join('');
    found[colour] = (found[colour] ?? 0) + 1;
  }
  return found;
})()"""
"""How many pixels of the chart have each colour."""


def test_what_is_still_to_come_can_be_seen_in_the_chart(chromium: Chromium, address: Address) -> None:
    chromium.open(address("snakecore"), ratio=3)
    coming = chromium.run(COLOURS)
    chromium.press("End")
    past = chromium.run(COLOURS)
    grounds = [max(counts, key=counts.__getitem__) for counts in (past, coming)]
    assert grounds[0] != grounds[1]
    for seat in range(4):
        for ground, counts, line in zip(grounds, (past, coming), (seat_colour(seat), None), strict=True):
            colour = line or chromium.run(f"paler('{seat_colour(seat)}')")
            assert counts.get(colour.lower(), 0) > 100, "the line has this colour"
            assert contrast(colour, ground) >= 3
            ink = ink_on(seat_colour(seat))
            assert counts[seat_colour(seat).lower()] > 1000
            assert counts[ink] > 100
            assert contrast(ink, seat_colour(seat)) >= 4.5, "its number at the end"
    words = chromium.run("FAINT")
    for ground, counts in zip(grounds, (past, coming), strict=True):
        assert counts[words] > 100
        assert contrast(words, ground) >= 4.5
    for colour in SEAT_COLOURS:
        assert 3 <= contrast(chromium.run(f"paler('{colour}')"), grounds[1]) < contrast(colour, grounds[1])


def test_the_page_says_what_is_under_the_pointer(chromium: Chromium, address: Address) -> None:
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
        words = pointed(chromium, "board", (x + 0.5) / 9, (y + 0.5) / 9)
        assert words == f"x {x}, y {y}" + (f"  {text}" if (text := marks[y][x].text).strip() else "")
    chromium.press("Home")
    assert saved.state_at(0).draw().cells[6][1].text == "  "
    assert chromium.run("tip.innerText") == "x 1, y 6", "also when the step changes"
    chromium.point(1, 1)
    assert chromium.run("tip.hidden")


def test_the_timeline_has_a_tick_for_each_event(chromium: Chromium, address: Address) -> None:
    events = [event for shown in moments(games("viper")) for event in shown.events]
    last = len(games("viper").steps)
    chromium.open(address("viper"))
    columns = """(() => {
      const canvas = $('ticks'), { width, height } = canvas, found = [];
      const { data } = canvas.getContext('2d').getImageData(0, height - 1, width, 1);
      for (let x = 3; x < width; x++) if (Math.max(...data.slice(4 * x, 4 * x + 3)) > 40) found.push(x);
      return [width, found];
    })()"""
    width, ticks = chromium.run(columns)
    for event in events:
        assert any(abs(x - event.step / last * width) <= 2 for x in ticks)
    (out,) = [event for event in events if event.kind == "disqualified"]
    chromium.press(*"k" * (1 + list(dict.fromkeys(event.kind for event in events)).index("disqualified")))
    width, ticks = chromium.run(columns)
    assert all(abs(x - out.step / last * width) <= 2 for x in ticks)
    assert ticks
    assert pointed(chromium, "ticks", (out.step + 1) / last) == f"step {out.step}\n{out.text}"
    assert pointed(chromium, "ticks", 0.9) == f"step {round(0.9 * last)}"
    box = {key: box for key, *box in chromium.run(BOXES.replace("#chart", "#ticks"))}["ticks"]
    chromium.click(box[0] + (box[2] - box[0]) / 2, (box[1] + box[3]) / 2)
    assert seen(chromium)["step"] == pytest.approx(last / 2, abs=2)


GROUND = "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3).map(Number)"


def test_light_and_dark_follow_the_system_and_the_button(chromium: Chromium, address: Address) -> None:
    for scheme in ("light", "dark"):
        chromium.open(address("ants"), scheme=scheme, still=True)
        grounds = [sum(chromium.run(GROUND)) / 3]
        chromium.run("$('theme').click()")
        grounds.append(sum(chromium.run(GROUND)) / 3)
        dark, light = sorted(grounds)
        assert (grounds[0] == light) == (scheme == "light")
        assert light > 200
        assert dark < 50
        assert chromium.run("document.getAnimations().length") == 0
