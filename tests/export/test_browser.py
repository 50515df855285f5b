"""The page of a match in a real Chromium, by what people, links and other programs can rely on."""

import json
from pathlib import Path
from typing import Any

import pytest
from export.chromium import Chromium
from export.conftest import RECORDS, games
from export.seeing import BOXES, Address, WritePage, seen, to

from referee import analysis
from referee.moments.moment import moments
from referee.moments.scene import with_names
from referee.moments.sentences import Sentence
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.terminal.text import board_lines, headings, remark_on, seat_rows, title_line
from referee.text.words import harmless

pytestmark = pytest.mark.machine


@pytest.mark.parametrize("name", RECORDS)
def test_the_page_shows_what_plain_text_shows(chromium: Chromium, address: Address, name: str) -> None:
    saved = games(name)
    last = len(saved.steps)
    chromium.open(address(name))
    assert {key: seen(chromium)[key] for key in ("ready", "step", "steps", "playing")} == {
        "ready": "1", "step": 0, "steps": last, "playing": "0"
    }  # fmt: skip
    events: list[list[Any]] = []
    for shown in moments(saved):
        events += [[shown.at, event.kind, event.text] for event in shown.events]
        if shown.at in (0, min(100, last), last):
            state = to(chromium, shown.at)
            assert state["board"] == "\n".join(board_lines(shown.frame))
            assert state["title"] == title_line(shown.frame, remark_on(shown.at, last, shown.over))
            assert state["heads"] == [*headings(shown.frame)[:-1], "note"]
            assert state["rows"] == seat_rows(shown.frame)
            assert state["seats"] == [str(line.seat) for line in shown.frame.seats]
            assert state["events"] == events[-len(state["events"]) :] if events else not state["events"]
            assert len(state["events"]) >= min(40, len(events))
            moves = [a for step in saved.steps[: shown.at] for a in step.answers if a.seat == 0]
            answer = (moves[-1].text or "") if moves else ""
            assert state["answer"] == "\n".join(harmless(line) for line in answer.split("\n"))
            assert bool(state["request"]) == bool(moves)
            assert state["log"] is None
    assert chromium.heard == []


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
  const box = $('seats').parentNode.getBoundingClientRect();
  return [...document.querySelectorAll('#seats td[data-col=note] span')].filter((one) => one.textContent).map((one) => {
    const shape = one.getBoundingClientRect(), top = document.elementFromPoint(shape.right - 2, (shape.top + shape.bottom) / 2);
    const inside = shape.left >= box.left && shape.right <= box.right && shape.bottom <= innerHeight;
    return [one.textContent, inside && shape.height < 24 && top === one];
  });
})()"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (360, 740)])
@pytest.mark.parametrize(("name", "step"), [("snakecore", 300), ("viper", 300), ("ants", 300)])
def test_who_is_to_move_and_who_is_out_is_seen_without_scrolling(
    chromium: Chromium, address: Address, name: str, step: int, width: int, height: int
) -> None:
    chromium.open(address(name) + f"#step={step}", width=width, height=height)
    notes = [
        row[-1] for row in seat_rows(with_names(games(name).state_at(step).draw(), games(name).entrants)) if row[-1]
    ]
    assert "to move" in notes
    assert chromium.run(NOTES) == [[note, True] for note in notes]


HOSTILE_NAME = "<img src=x>\u202e</script>"


HOSTILE_TEXT = '</script><img src=x onerror="document.title=1">\u202e\x1b[31m'


def test_hostile_names_answers_and_logs_are_text(chromium: Chromium, write_page: WritePage, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in RECORDS["egghunt"].read_text().splitlines()]
    lines[0]["players"][1] |= {"bot": HOSTILE_NAME, "given": True}
    for line in lines[30:]:
        for answer in line.get("answers", []):
            if answer["seat"] == 1 and answer.get("answer") is not None:
                answer["answer"] = "\n".join([*answer["answer"].split("\n")[:2], HOSTILE_TEXT])
    path = tmp_path / "hostile.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    saved = Replay(load(path))
    address = write_page(
        saved,
        logs=lambda step, seat: HOSTILE_TEXT,
        reasons=lambda request, answer: [HOSTILE_TEXT],
        explanation=HOSTILE_TEXT,
    )
    chromium.open(f"{address}#step=40")
    chromium.press("f", "f")
    state = seen(chromium)
    assert state["ready"] == "1"
    name = HOSTILE_NAME.replace("\u202e", "\ufffd")
    text = harmless(HOSTILE_TEXT)
    assert state["rows"][1][1] == name
    assert state["answer"].endswith(f"\n{text}")
    assert state["request"].endswith(f"\n{text}"), "its memory"
    assert state["log"] == text
    assert chromium.run("$('reasons').textContent") == text
    assert chromium.run("$('explanation').textContent") == text
    assert chromium.run("document.querySelectorAll('img').length") == 0
    assert chromium.run("[...document.querySelectorAll('bdi')].length") > 0
    assert name in chromium.run("document.title")
    assert chromium.heard == []


def test_steps_of_the_explanation_are_links(chromium: Chromium, write_page: WritePage) -> None:
    chromium.open(write_page(games("ava"), explanation="it led\nfrom round 3, step 11: referee replay --step 12"))
    assert chromium.run("[...document.querySelectorAll('#explanation a')].map((one) => one.textContent)") == ["step 11"]
    chromium.run("document.querySelector('#explanation a').click()")
    chromium.settle()
    assert seen(chromium)["step"] == 11


@pytest.mark.parametrize("name", RECORDS)
def test_at_the_end_a_page_says_who_won_as_the_explanation_does(
    chromium: Chromium, address: Address, name: str
) -> None:
    saved = games(name)
    last = len(saved.steps)
    verdict, *_ = analysis.explanation_lines(analysis.explain(saved), analysis.Commands("a.jsonl"))
    won = verdict.removeprefix(f"{saved.game.title}: ")
    chromium.open(address(name) + f"#step={last - 1}", width=1024, height=768)
    script = "$('winner').innerText"
    assert chromium.run(script) == ""
    chromium.press("ArrowRight")
    assert chromium.run(script) == won
    assert " wins with " in won or " share the first place with " in won
    assert chromium.run("winner.getBoundingClientRect().bottom <= seats.getBoundingClientRect().top")
    assert chromium.run("winner.querySelectorAll('bdi').length") > 0
    chromium.press("Home")
    assert chromium.run(script) == ""


def test_names_in_the_explanation_are_isolated(chromium: Chromium, write_page: WritePage, tmp_path: Path) -> None:
    text = RECORDS["snakecore"].read_text().replace('"Greedy"', '"שלום"').replace('"Python"', '"step 1"')
    (tmp_path / "a.jsonl").write_text(text)
    explanation = "2 step 1 leads שלום 12 points, step 11"
    chromium.open(write_page(Replay(load(tmp_path / "a.jsonl")), explanation=explanation))
    assert chromium.run("$('explanation').textContent") == explanation
    assert "שלום" in chromium.run("[...document.querySelectorAll('#explanation bdi')].map((one) => one.textContent)")


@pytest.mark.parametrize("name", ["snakecore", "ants"])
def test_long_names_leave_the_table_its_width(
    chromium: Chromium, write_page: WritePage, tmp_path: Path, name: str
) -> None:
    header, *rest = RECORDS[name].read_text().splitlines(keepends=True)
    data = json.loads(header)
    data["players"] = [player | {"bot": "W" * 31 + str(player["seat"]), "given": True} for player in data["players"]]
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(data) + "\n" + "".join(rest))
    chromium.open(f"{write_page(Replay(load(path)))}#step=200")
    boxes = {key: box for key, *box in chromium.run(BOXES)}
    assert boxes["seats"][2] <= 1440
    assert "W" * 31 in seen(chromium)["rows"][0][1]


def test_a_fault_is_told_with_its_kind_and_detail(chromium: Chromium, address: Address) -> None:
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
    assert "This match cannot be shown (" in chromium.run("$('failed').innerText")
    assert chromium.heard == []


LINES = """[...document.querySelectorAll('#events li')].filter((one) => one.offsetParent)
  .map((one) => [one.dataset.round, one.textContent, one.firstChild.dataset.times ?? ''])"""


def runs_of(events: list[Sentence]) -> list[list[str]]:
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
        assert lines == runs_of(past)[len(runs_of(past)) - len(lines) :]
        times |= {line[2] for line in lines}
        now = chromium.run("[...document.querySelectorAll('#events .now')].map((one) => Number(one.dataset.step))")
        assert now == [event.step for event in past if event.step == at]
    assert {"", " ×2", " ×3"} <= times


def test_the_list_of_events_is_patched(chromium: Chromium, address: Address) -> None:
    """From step to step, only events that come or go are touched. The list of a step does not depend on the way to it."""
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
