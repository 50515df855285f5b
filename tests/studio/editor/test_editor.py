"""The editor in a real browser."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from export.chromium import Chromium
from studio.studios import Studio

pytestmark = pytest.mark.machine

Edit = Callable[..., Chromium]

STATE = """(() => {
  const id = (name) => document.getElementById(name), dataset = document.documentElement.dataset;
  return {
    saved: dataset.saved, name: id('name').value, text: id('text').value, reads: id('reads').textContent,
    charts: [...document.querySelectorAll('#charts > li')].map((item) => item.querySelector('.about').textContent),
    chosen: Number(document.querySelector('#charts > li[aria-current]').dataset.chart),
    grid: [...id('grid').rows].map((row) => [...row.querySelectorAll('button')].map((cell) => cell.textContent).join(' ')),
    problem: id('problem').hidden ? null : [id('problem').dataset.line, id('problem').dataset.column, id('problem').textContent],
    reasons: [...document.querySelectorAll('#reasons > li')].map((item) => item.dataset.verdict),
    answer: { ...id('answer').dataset }, step: id('step').value, laid: id('overlay').dataset.chart,
    tests: [...document.querySelectorAll('#tests > li')].map((item) => item.dataset.verdict),
  };
})()"""


SAVED = "document.documentElement.dataset.saved = 1"
"""Otherwise the browser asks whether to leave."""


@pytest.fixture(scope="module")
def signed_in(chromium: Chromium, running: Studio) -> Iterator[Chromium]:
    """The browser with the session of the studio."""
    chromium.open(running.url)
    chromium.until("document.getElementById('play')")
    yield chromium
    chromium.run(SAVED)


@pytest.fixture
def edit(signed_in: Chromium, studio: Studio) -> Edit:
    """Opens a program, perhaps in a saved game."""

    def edit(name: str, *, game: str | None = None, words: str = "", **window: Any) -> Chromium:
        match = "" if game is None else f"match={studio.match_of(f'{game}.jsonl')}&"
        signed_in.run(SAVED)
        signed_in.open(f"{studio.origin}/edit/{name}?{match}{words}", **window)
        settle(signed_in)
        return signed_in

    return edit


def settle(page: Chromium) -> None:
    """Wait until the server has answered all that the page asked."""
    page.until("!editor.answers.running")
    page.settle()


def seen(page: Chromium) -> dict[str, Any]:
    """What the page shows, when it is at rest."""
    settle(page)
    state: dict[str, Any] = page.run(STATE)
    return state


def cell(page: Chromium, x: int, y: int) -> None:
    """Click on a cell of the grid."""
    box = page.run(
        f"(({{ left, top, width, height }}) => [left + width / 2, top + height / 2])"
        f'(document.querySelector(\'#grid [data-x="{x}"][data-y="{y}"]\').getBoundingClientRect())'
    )
    page.click(*box)


def click(page: Chromium, selector: str) -> None:
    page.run(f"document.querySelector({json.dumps(selector)}).click()")


def test_a_program_that_is_only_saved_keeps_its_bytes(edit: Edit, folder: Path) -> None:
    before = (folder / "boa.ava").read_bytes()
    page = edit("boa")
    state = seen(page)
    assert (state["saved"], state["name"], len(state["charts"])) == ("1", "Boa", 7)
    assert state["text"].encode() == before
    page.press("s", modifiers=2)
    assert seen(page)["saved"] == "1"
    assert (folder / "boa.ava").read_bytes() == before


def test_cells_are_painted_with_the_mouse_and_cleared_by_the_same_brush(edit: Edit) -> None:
    page = edit("adder", words="chart=2")
    click(page, "[data-element=Y]")
    click(page, "[data-group=b]")
    cell(page, 0, 0)
    state = seen(page)
    assert state["grid"][0] == "Yb -- -- -- -- -- --"
    assert state["text"].count("Yb -- -- -- -- -- --") == 1
    assert "enemy body 4 up, 3 left (blue)" in state["reads"]
    assert state["saved"] == "0"
    cell(page, 0, 0)
    assert seen(page)["grid"][0] == "-- -- -- -- -- -- --"


def test_the_whole_grid_works_by_the_keyboard(edit: Edit) -> None:
    page = edit("adder")
    page.press("g", "Home", "ArrowUp", "ArrowUp", "ArrowUp")
    page.press("x")
    page.press("3", "!", "ArrowRight", "t")
    state = seen(page)
    assert state["grid"][0] == "xb tb -- -- -- -- --"
    page.press("0", "ArrowRight", "h", "h")
    state = seen(page)
    assert state["grid"][0] == "xb t- >> -- -- -- --"
    assert page.run("document.activeElement.ariaLabel") == ">>, own head, → right, column 3, row 1"
    assert [row for row in state["grid"] if "^^" in row] == []
    page.press("Delete", "ArrowLeft", "Delete", "ArrowLeft", "Backspace")
    assert seen(page)["grid"][0] == "-- -- >> -- -- -- --"


def test_the_head_cannot_be_painted_over(edit: Edit) -> None:
    page = edit("adder")
    page.press("g", "ArrowDown", "v", "Delete")
    assert [row for row in seen(page)["grid"] if "^^" in row] == ["-- -- -- ^^ -- -- --"]


def test_undo_and_redo_go_through_all_kinds_of_edits(edit: Edit) -> None:
    page = edit("krait", words="chart=2")
    first = seen(page)
    click(page, "#rotate")
    click(page, "#mirror")
    click(page, "#copy")
    page.run("document.activeElement.blur()")
    changed = seen(page)
    assert len(changed["charts"]) == 8
    for _ in range(3):
        page.press("z", modifiers=2)
    undone = seen(page)
    assert (undone["text"], undone["saved"]) == (first["text"], "1")
    for _ in range(3):
        page.press("y", modifiers=2)
    assert seen(page)["text"] == changed["text"]


def test_undo_in_the_text_brings_back_what_was_drawn_faster_than_the_server_answers(edit: Edit) -> None:
    page = edit("adder")
    page.run("editor.put(0, 0, 'W-'), editor.put(1, 0, 'W-'), $('text').focus()")
    page.press("z", modifiers=2)
    assert "\nW- -- --" in seen(page)["text"]
    page.press("z", modifiers=2)
    assert seen(page)["saved"] == "1"


def test_undo_puts_the_cursor_where_the_text_has_changed(edit: Edit) -> None:
    page = edit("adder")
    page.run("$('text').focus(), $('text').setSelectionRange(8, 8)")
    page.press(*"ab")
    cursor = "[$('text').value.slice(0, $('text').selectionStart), $('text').selectionStart === $('text').selectionEnd]"
    assert page.run(cursor) == ["name: Adab", True]
    for key, before in (("z", "name: Ad"), ("y", "name: Adab")):
        page.press(key, modifiers=2)
        assert page.run(cursor) == [before, True]
        settle(page)
        assert page.run(cursor) == [before, True], "also when the server has answered"


def test_a_typed_text_changes_the_grid_and_a_wrong_one_says_where(edit: Edit, folder: Path) -> None:
    page = edit("adder")
    whole = seen(page)["text"]
    type_text(page, whole.replace("Z- --", "Zg --", 1))
    assert seen(page)["grid"][3] == "-- -- -- Zg -- -- --"
    type_text(page, whole.replace("Z- --", "Q- --", 1))
    state = seen(page)
    assert state["problem"] is not None
    assert state["problem"][:2] == ["8", "10"]
    assert "Line 8, column 10" in state["problem"][2]
    silent = "['problem', 'notes', 'reads', 'debug'].filter((id) => !$(id).closest('[aria-live]'))"
    assert page.run(silent) == [], "who hears the page hears what it says"
    cell(page, 0, 0)
    page.run("$('name').value = 'lost', $('name').dispatchEvent(new Event('input'))")
    state = seen(page)
    assert state["text"] == whole.replace("Z- --", "Q- --", 1), "an edit of the charts would lose what was typed"
    assert state["name"] == "Adder", "and a field does not seem to take one"
    click(page, "#save")
    assert seen(page)["saved"] == "0"
    assert (folder / "adder.viper").read_text() == whole
    click(page, "#undo")
    assert seen(page)["problem"] is None


def type_text(page: Chromium, text: str) -> None:
    page.run(f"$('text').focus(), $('text').value = {json.dumps(text)}, $('text').dispatchEvent(new Event('input'))")


def test_charts_are_put_in_another_order(edit: Edit) -> None:
    page = edit("adder")
    page.run("document.querySelector('#charts [data-chart=\"1\"] button').focus()")
    page.press("ArrowDown", modifiers=1)
    state = seen(page)
    assert (state["charts"], state["chosen"]) == (["a tail two steps away", "bite", "a tail three steps away"], 2)
    page.press("ArrowDown", modifiers=1)
    assert seen(page)["charts"][2] == "bite"
    page.press("ArrowUp")
    assert seen(page)["chosen"] == 2
    click(page, "#delete")
    assert seen(page)["charts"] == ["a tail two steps away", "bite"]
    click(page, "#add")
    empty = "-- -- -- -- -- -- --"
    assert seen(page)["grid"] == [empty] * 3 + ["-- -- -- ^^ -- -- --"] + [empty] * 3


def test_a_chart_is_dragged_to_another_place(edit: Edit) -> None:
    page = edit("adder")
    for kind, chart in (("dragstart", 3), ("dragover", 1), ("drop", 1), ("dragend", 3)):
        event = f"new DragEvent('{kind}', {{ bubbles: true, cancelable: true, dataTransfer: new DataTransfer() }})"
        page.run(f"document.querySelector('#charts [data-chart=\"{chart}\"] canvas').dispatchEvent({event})")
    assert seen(page)["charts"] == ["a tail three steps away", "bite", "a tail two steps away"]


def test_a_stroke_paints_all_cells_that_it_crosses_and_is_one_edit(edit: Edit) -> None:
    page = edit("adder")
    click(page, "[data-element=W]")
    for kind, x in (("pointerdown", 0), ("pointerover", 1), ("pointerover", 2), ("pointerup", 2), ("pointerover", 3)):
        event = f"new PointerEvent('{kind}', {{ bubbles: true, cancelable: true, pointerType: 'mouse' }})"
        page.run(f'document.querySelector(\'#grid [data-x="{x}"][data-y="6"]\').dispatchEvent({event})')
    assert seen(page)["grid"][6] == "W- W- W- -- -- -- --"
    click(page, "#undo")
    assert seen(page)["grid"][6] == "-- -- -- -- -- -- --"


def test_a_touch_paints_by_a_click_so_that_a_finger_can_scroll(edit: Edit) -> None:
    page = edit("adder")
    for kind, painted in (("pointerdown", "--"), ("click", "V-")):
        event = f"new PointerEvent('{kind}', {{ bubbles: true, pointerType: 'touch', detail: 1 }})"
        page.run(f'document.querySelector(\'#grid [data-x="0"][data-y="0"]\').dispatchEvent({event})')
        assert seen(page)["grid"][0] == f"{painted} -- -- -- -- -- --"


def test_space_and_arrows_step_outside_of_the_grid(edit: Edit) -> None:
    page = edit("krait", game="viper", words="seat=1&step=1")
    page.run("document.activeElement.blur()")
    first = int(seen(page)["step"])
    page.press("ArrowRight")
    second = int(seen(page)["step"])
    assert second > first
    page.press("ArrowLeft")
    assert int(seen(page)["step"]) == first
    page.press(" ")
    page.until(f"Number($('step').value) > {second}")
    page.press(" ")
    assert page.run("$('play').ariaLabel") == "Play"
    page.run(f"$('step').value = {second}, $('step').dispatchEvent(new Event('change'))")
    assert int(seen(page)["step"]) == second


def test_sets_are_made_of_elements(edit: Edit) -> None:
    page = edit("boa")
    click(page, "[data-set=B] [data-word=border]")
    click(page, "[data-set=B] [data-word=enemy-head]")
    click(page, "[data-set=A] [data-word=empty]")
    text = seen(page)["text"]
    assert "set A: own-tail enemy-tail\nset B: border enemy-head\n" in text


def test_a_renamed_program_is_saved(edit: Edit, folder: Path) -> None:
    page = edit("adder")
    page.run("$('name').focus(), $('name').select()")
    page.press(*"Ядро ")
    assert seen(page)["name"] == "Ядро ", "the server answers before the next word"
    page.press(*"<b>")
    shown = "(({ clientWidth, textContent }) => [clientWidth > 60, textContent])(document.querySelector('h1 small'))"
    assert page.run(shown) == [True, "adder.viper"], "the file keeps its own name"
    click(page, "#save")
    page.until("document.documentElement.dataset.saved === '1'")
    assert (folder / "adder.viper").read_text().startswith("name: Ядро <b>\n")


def test_a_file_that_has_changed_on_disk_is_not_overwritten(edit: Edit, folder: Path) -> None:
    page = edit("adder")
    (folder / "adder.viper").write_bytes((folder / "krait.viper").read_bytes())
    click(page, "#mirror")
    click(page, "#save")
    page.until("!$('problem').hidden")
    assert "has changed since it was loaded" in seen(page)["problem"][2]
    assert (folder / "adder.viper").read_bytes() == (folder / "krait.viper").read_bytes()


def test_a_file_that_is_gone_is_made_anew(edit: Edit, folder: Path) -> None:
    page = edit("adder")
    click(page, "#rotate")
    text = seen(page)["text"]
    (folder / "adder.viper").rename(folder / "other.viper")
    click(page, "#save")
    page.until("document.documentElement.dataset.saved === '1'")
    assert (folder / "adder.viper").read_text() == text
    shutil.copy(folder / "boa.ava", folder / "adder.ava")
    click(page, "#rotate")
    assert seen(page)["problem"] is None, "another file has this name without a suffix"


def test_a_new_program_is_drawn_from_nothing(edit: Edit, folder: Path) -> None:
    page = edit("mine.viper")
    assert seen(page)["charts"] == ["Scheme without words"]
    page.press("g", "ArrowUp", "z")
    click(page, "#save")
    page.until("document.documentElement.dataset.saved === '1'")
    assert "name: mine\n" in (folder / "mine.viper").read_text()
    assert "-- -- -- Z- -- -- --\n-- -- -- ^^ -- -- --" in (folder / "mine.viper").read_text()


def test_a_broken_file_is_mended_in_the_page(edit: Edit, folder: Path) -> None:
    whole = (folder / "adder.viper").read_text()
    (folder / "adder.viper").write_text(whole.replace("Z- --", "Q- --", 1))
    page = edit("adder")
    assert seen(page)["problem"][:2] == ["8", "10"]
    type_text(page, whole)
    click(page, "#save")
    page.until("document.documentElement.dataset.saved === '1'")
    assert (folder / "adder.viper").read_text() == whole


def test_reasons_are_those_of_the_server_for_each_turn(edit: Edit, studio: Studio, folder: Path) -> None:
    page = edit("krait", game="viper", words="seat=1&step=1")
    text = (folder / "krait.viper").read_text()
    for _ in range(5):
        state = seen(page)
        question = {"game": "viper", "text": text, "match": studio.match_of("viper.jsonl"), "step": int(state["step"])}
        answer = studio.ask("POST", "programs/explain", {**question, "seat": 1}).json
        assert state["reasons"] == [chart["verdict"] for chart in answer["charts"]]
        assert state["answer"] == {"recorded": answer["recorded"], "now": answer["answer"]}
        assert int(state["laid"]) == state["reasons"].index("fires") + 1
        page.press("ArrowRight")
        assert int(seen(page)["step"]) > int(state["step"])


def test_an_edit_changes_the_reasons_and_says_what_the_saved_game_has(edit: Edit) -> None:
    page = edit("krait", game="viper", words="seat=1&step=12&chart=1")
    page.press("g", "v")
    state = seen(page)
    assert state["reasons"][0] == "fires"
    assert state["answer"]["now"] != state["answer"]["recorded"]
    click(page, "#reasons > li:nth-child(3) button")
    state = seen(page)
    assert (state["chosen"], state["laid"]) == (3, "3")
    click(page, "#up")
    state = seen(page)
    assert (state["chosen"], state["laid"]) == (2, "2")


def test_a_turn_is_kept_and_tested_after_each_edit(edit: Edit) -> None:
    page = edit("krait", game="viper", words="seat=1&step=12&chart=1")
    click(page, "#pin")
    click(page, "#pin-save")
    page.until("document.querySelectorAll('#tests > li').length === 1")
    assert seen(page)["tests"] == ["pass"]
    words = page.run("(({ title, textContent }) => [title, textContent])(document.querySelector('#tests span'))")
    assert words == ["viper.jsonl, step 11", "biter, python, hedgehog, nameless, step 11: scheme 5 must decide"]
    page.press("g", "v")
    assert seen(page)["tests"] == ["fail"]
    page.press("z", modifiers=2)
    assert seen(page)["tests"] == ["pass"]
    click(page, "#tests button")
    page.until("document.querySelectorAll('#tests > li').length === 0")


def test_a_new_game_is_played_and_debugged(edit: Edit) -> None:
    page = edit("krait")
    click(page, "#debug")
    page.until("$('playing-new').open")
    assert page.run("$('rivals').previousElementSibling.innerText") == "Rivals"
    page.run("$('seed').value = 3")
    assert page.run("$('debug-start').click(), $('debug').textContent") == "Playing …"
    page.until("document.documentElement.hasAttribute('data-playable')")
    state = seen(page)
    assert page.run("$('debug').textContent") == "Play a new game …"
    assert len(state["reasons"]) == 7
    assert state["answer"]["now"] == state["answer"]["recorded"]


def test_hostile_text_is_text(edit: Edit, folder: Path) -> None:
    bad = "<img src=x onerror=alert(1)>"
    text = (folder / "adder.viper").read_text().replace("Adder", bad, 1).replace("bite", f"{bad}</script>", 1)
    (folder / "adder.viper").write_text(text)
    page = edit("adder", game="viper")
    state = seen(page)
    assert (state["name"], state["charts"][0]) == (bad, f"{bad}</script>")
    assert page.run("document.images.length") == 0
    assert [heard for heard in page.heard if heard["method"] != "Network.requestWillBeSent"] == []


@pytest.mark.parametrize("width", [1440, 1024, 360])
def test_names_and_words_have_room(edit: Edit, folder: Path, width: int) -> None:
    text = (folder / "krait.viper").read_text().replace("name: Krait", "name: Rattlesnake").rstrip()
    last = text[text.rindex("scheme") :]
    (folder / "krait.viper").write_text("\n\n".join([text, last, last]) + "\n")
    page = edit("krait", game="viper", words="seat=1&step=12", width=width, height=740)
    assert len(seen(page)["charts"]) == 9
    heights = page.run("[...document.querySelectorAll('#groups span')].map((one) => one.clientHeight)")
    assert len({*heights}) == 1, "no word is broken"
    chips = "['.kind', '.verdict'].map((part) => one.querySelector(part).getBoundingClientRect())"
    gaps = page.run(
        f"[...document.querySelectorAll('#charts li')].map((one) => {chips}).map(([a, b]) => b.left - a.right)"
    )
    assert min(gaps) >= 16
    assert page.run("$('name').scrollWidth <= $('name').clientWidth")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (360, 740)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_every_window_and_names_its_controls(edit: Edit, width: int, height: int, scheme: str) -> None:
    page = edit("boa", game="ava", width=width, height=height, scheme=scheme)
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.run("$('grid').getBoundingClientRect().width") >= 300
    unnamed = page.run(
        "[...document.querySelectorAll('button, input, select, textarea')].filter((one) => one.checkVisibility() &&"
        " !(one.ariaLabel || one.textContent.trim() || one.labels?.length)).map((one) => one.outerHTML)"
    )
    assert unnamed == []
    buttons = "[...document.querySelectorAll('header button, main .row button')]"
    written = "one.ariaLabel?.toLowerCase().includes(one.textContent.toLowerCase().replace(/[^a-z ]/g, '').trim())"
    renamed = page.run(f"{buttons}.filter((one) => {written} === false).map((one) => one.id)")
    assert renamed == [], "who speaks says what is written on a button"


def test_what_is_chosen_is_seen_without_the_colours_of_the_page(edit: Edit) -> None:
    page = edit("adder")
    page.emulate(forced_colors="active")
    borders = "['[aria-pressed=true]', '#charts [aria-current] button', '[aria-pressed=false]']"
    chosen = page.run(f"{borders}.map((one) => getComputedStyle(document.querySelector(one)).borderTopWidth)")
    assert chosen == ["3px", "3px", "1px"]
    group = page.run("getComputedStyle(document.querySelector('[data-group=y] i')).backgroundColor")
    assert group == "rgb(255, 211, 61)"
