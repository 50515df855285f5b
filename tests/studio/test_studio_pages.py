"""The studio in a real browser: signed in, played by mouse and keys, and hostile names that only show."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from export.chromium import Chromium
from studio.studios import Studio, opened

from referee.saved.record import load

pytestmark = pytest.mark.machine

ROOT = Path(__file__).parents[2]
SCRIPT = "<img src=x onerror=alert(1)>"
BOT = f"""
import sys
print({SCRIPT!r}, file=sys.stderr)
for line in sys.stdin:
    print({SCRIPT!r}, flush=True)
"""


@pytest.fixture(scope="module")
def browsed(tmp_path_factory: pytest.TempPathFactory, chromium: Chromium) -> Iterator[Studio]:
    """A studio with a hostile bot in its folder. The browser is signed in."""
    folder = tmp_path_factory.mktemp("browsed") / "folder"
    shutil.copytree(ROOT / "bots" / "adder", folder / "bots" / "adder")
    hostile = folder / f"bots/{SCRIPT}"
    hostile.mkdir()
    (hostile / "bot.py").write_text(BOT)
    (hostile / "bot.toml").write_text(f'name = "{SCRIPT}"\nrun = ["python3", "bot.py"]\ngames = ["snakecore"]\n')
    (folder / f"{SCRIPT}.viper").write_text(f"name: {SCRIPT}\n")
    with opened(folder, tmp_path_factory.mktemp("home")) as studio:
        chromium.open(studio.url)
        chromium.until("document.getElementById('play')")
        assert chromium.run("[location.hash, document.cookie]") == ["", ""], (
            "the token has no other use, scripts see no cookie"
        )
        yield studio


def messages(chromium: Chromium) -> list[object]:
    """What a page printed on its console, or asked of another host."""
    return [each["params"] for each in chromium.heard if each["method"] != "Network.requestWillBeSent"]


def unharmed(chromium: Chromium) -> None:
    """Nothing of what strangers wrote has become an element or has run."""
    assert chromium.run("document.querySelectorAll('img, [onerror]').length") == 0
    assert messages(chromium) == []


def test_a_browser_that_is_not_signed_in_gets_no_more_than_that(studio: Studio, chromium: Chromium) -> None:
    chromium.open(f"{studio.origin}/matches/0")
    chromium.until("document.getElementById('opening').textContent.includes('not signed in')")
    chromium.open(f"{studio.origin}/#{'0' * 32}")
    chromium.until("document.getElementById('opening').textContent.includes('not signed in')")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (360, 740)])
@pytest.mark.parametrize("path", ["/", "/compare", "/check/bots/adder", "/nothing"])
def test_pages_fit_and_every_control_has_a_name(
    browsed: Studio, chromium: Chromium, path: str, width: int, height: int
) -> None:
    chromium.open(f"{browsed.origin}{path}", width=width, height=height)
    chromium.settle()
    assert chromium.run("document.documentElement.scrollWidth") <= width
    controls = "[...document.querySelectorAll('button, select, input, a')]"
    nameless = f"{controls}.filter((one) => !one.ariaLabel && !one.textContent.trim() && !one.labels?.length)"
    assert chromium.run(f"{nameless}.map((one) => one.outerHTML)") == []
    names = chromium.run(
        "[...document.querySelectorAll('main button, main select')].map((one) => one.ariaLabel || one.id)"
    )
    assert sorted(filter(None, names)) == sorted({*names} - {""}), "who hears the page knows which one it is"
    links = chromium.run("[...document.links].map((link) => [link.ariaLabel || link.textContent.trim(), link.href])")
    assert [link for link in links if link[1] != dict(links)[link[0]]] == [], "links of one name lead to one page"
    assert chromium.run("document.querySelectorAll('img').length") == 0
    assert len(chromium.run("[...document.querySelectorAll('h1')]")) == 1
    if path != "/nothing":  # the console tells that it is a 404
        assert messages(chromium) == []


def test_the_form_starts_a_match_whose_page_follows(browsed: Studio, chromium: Chromium) -> None:
    chromium.open(browsed.origin)
    chromium.run("""{
        const set = (node, value) => { node.value = value; node.dispatchEvent(new Event("change")); };
        set($('game'), "viper");
        set($('rounds'), 4);
        const [first, second, ...others] = document.querySelectorAll("#seats select[data-seat]");
        set(first, "./bots/adder");
        set(second, "krait");
        for (const other of others) other.nextSibling.click();
        $('start').click();
    }""")
    chromium.until("location.pathname.startsWith('/matches/') && document.documentElement?.dataset.steps")
    chromium.until("document.documentElement.dataset.ready === '1'")
    assert int(chromium.run("document.documentElement.dataset.steps")) > 4
    match = browsed.get("/api/v1/matches").json["matches"][0]
    assert match["url"] == chromium.run("location.pathname")
    assert [match["game"], sorted(match["players"])] == ["viper", ["Adder", "Krait"]]
    assert chromium.run("origin") == "null", "a page of a match is nobody's: it can ask the studio nothing"
    chromium.run("document.querySelector('#links a').click()")
    chromium.until(f"document.querySelectorAll('#matches tr[data-match=\"{match['id']}\"]').length === 1")


@pytest.mark.parametrize(("path", "choice"), [("/", "#seats select"), ("/compare", "#old")])
def test_who_goes_back_to_a_form_finds_the_bots_of_the_game_that_it_shows(
    browsed: Studio, chromium: Chromium, path: str, choice: str
) -> None:
    chromium.open(browsed.origin + path)
    shown = f"[$('game').value, document.querySelector('{choice}').value]"
    first = chromium.run(shown)
    chromium.run("$('game').value = 'viper', $('game').dispatchEvent(new Event('change'))")
    assert (second := chromium.run(shown)) != first
    chromium.run("location.assign('/nothing')")
    chromium.until("location.pathname === '/nothing'")
    chromium.run("history.back()")
    chromium.until(f"location.pathname === '{path}'")
    # The browser makes the page anew or, if it has kept it, shows it as it was left.
    assert chromium.run(shown) in (first, second), "the browser has not filled in a part of it"


def test_a_person_plays_by_keys_and_the_page_does_not_scroll(browsed: Studio, chromium: Chromium) -> None:
    match = browsed.start("matches", {"game": "viper", "seats": ["human", "adder"], "seed": 1, "rounds": 4})
    chromium.open(f"{browsed.origin}{match['url']}", height=300)
    pressed = set()
    while True:
        chromium.until("document.documentElement?.dataset.steps || document.querySelector('#choices button')")
        if chromium.run("document.documentElement?.dataset.steps ?? ''"):
            break
        sign = chromium.run("document.querySelector('#choices kbd')?.textContent ?? ''")
        if sign:
            pressed.add(sign)
            chromium.press({"↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft", "→": "ArrowRight"}[sign])
            assert chromium.run("document.getElementById('choices') ? scrollY : 0") == 0
    assert pressed
    over = browsed.played(match)
    assert (over["state"], over["result"]["reason"]) == ("done", "steps")
    assert messages(chromium) == []


def test_a_button_gives_up(browsed: Studio, chromium: Chromium) -> None:
    match = browsed.start("matches", {"game": "viper", "seats": ["human", "human"], "seed": 1})
    chromium.open(f"{browsed.origin}{match['url']}")
    chromium.until("document.querySelector('#choices button')")
    assert chromium.run("$('leave').textContent") == "Give up"
    chromium.resize(360, 740)  # a phone is turned
    chromium.until("document.documentElement.scrollWidth <= 360")
    chromium.run("$('leave').click()")
    chromium.until("document.documentElement?.dataset.steps")
    assert browsed.played(match)["result"]["reason"] == "interrupted"


def test_what_strangers_write_only_shows(browsed: Studio, chromium: Chromium) -> None:
    chromium.open(browsed.origin)
    chromium.until("document.querySelectorAll('#bots tbody tr').length === 3")
    assert SCRIPT in chromium.run("$('bots').textContent")
    unharmed(chromium)
    match = browsed.start(
        "matches", {"game": "snakecore", "seats": [f"./bots/{SCRIPT}", f"./bots/{SCRIPT}"], "rounds": 2, "seed": 1}
    )
    chromium.open(f"{browsed.origin}{match['url']}")
    chromium.until("document.documentElement?.dataset.steps")
    unharmed(chromium)
    failed = browsed.start("matches", {"game": "viper", "seats": [SCRIPT, f"./{SCRIPT}.viper"]})
    chromium.open(f"{browsed.origin}{failed['url']}")
    chromium.until("!$('wrong').hidden")
    assert "onerror=alert(1)>" in chromium.run("$('wrong').textContent")
    parts = "[...document.querySelectorAll('#side > *, #stage')].filter((part) => part.offsetParent)"
    assert chromium.run(f"{parts}.map((part) => part.id)") == ["wrong"], "there is nothing else to show"
    unharmed(chromium)


def test_a_check_shows_the_evidence(browsed: Studio, chromium: Chromium) -> None:
    chromium.open(browsed.origin)
    chromium.run(f"document.querySelector('button[data-check=\"./bots/{SCRIPT}\"]').click()")
    chromium.until("document.documentElement.dataset.state === 'done'")
    steps = chromium.run("[...document.querySelectorAll('#steps > li')].map((one) => ({...one.dataset}))")
    assert [step["step"] for step in steps] == [str(number + 1) for number in range(len(steps))]
    assert "fail" in [step["verdict"] for step in steps]
    assert SCRIPT in chromium.run("$('steps').textContent")
    words = {"pass": "✓ passed", "fail": "✗ failed", "skip": "– skipped"}
    results = chromium.run("[...document.querySelectorAll('#steps .result')].map((one) => one.textContent)")
    assert results == [words[step["verdict"]] for step in steps], "without colours, too"
    chromium.resize(360, 740)
    heights = chromium.run("[...document.querySelectorAll('#steps .result')].map((one) => one.clientHeight)")
    assert len({*heights}) == 1, "no word is broken"
    unharmed(chromium)


def test_a_page_that_is_loaded_again_shows_the_same_check(browsed: Studio, chromium: Chromium) -> None:
    check = browsed.start("checks", {"bot": f"./bots/{SCRIPT}"})
    browsed.until(check["url"], lambda state: state["state"] == "done")
    chromium.open(f"{browsed.origin}/check/bots/{quote(SCRIPT)}#{check['id']}")
    chromium.until("document.documentElement.dataset.state === 'done'")
    assert chromium.run("location.hash") == f"#{check['id']}"


def test_a_check_is_stopped_and_started_again(browsed: Studio, chromium: Chromium) -> None:
    before = browsed.start("comparisons", {"game": "viper", "new": "krait", "old": "./bots/adder"})
    chromium.open(f"{browsed.origin}/check/bots/adder")
    chromium.until(
        "$('state').textContent.startsWith('It waits until another check or comparison') && !$('stop').hidden"
    )
    assert browsed.post(f"{before['url']}/leave", {}).status == 200
    chromium.until("document.documentElement.dataset.state === 'playing'")
    chromium.run("window.asked = fetch, window.fetch = () => Promise.reject(), $('stop').click()")
    chromium.until("$('wrong').textContent.includes('the server does not answer')")
    chromium.run("window.fetch = asked, $('stop').click()")
    chromium.until("$('state').textContent === 'it was stopped' && $('stop').hidden && $('wrong').hidden")
    assert chromium.run("$('again').click(), $('again').disabled"), "two clicks do not start two checks"
    chromium.until("!$('again').disabled && !$('stop').hidden")
    chromium.run("$('stop').click()")
    chromium.until("$('stop').hidden")
    assert messages(chromium) == []


def test_two_bots_are_compared_and_the_address_shows_it_again(browsed: Studio, chromium: Chromium) -> None:
    new = {"game": "viper", "new": "krait", "old": "./bots/adder"}
    comparison = browsed.start("comparisons", new)
    over = browsed.until(comparison["url"], lambda state: len(state.get("line", [])) > 3)
    chromium.open(f"{browsed.origin}/compare#{comparison['id']}")
    chromium.until("document.querySelector('#line polyline').hasAttribute('points')")
    points = chromium.run("document.querySelector('#line polyline').getAttribute('points').split(' ').length")
    assert points >= len(over["line"]), "with its line"
    assert browsed.post(f"{comparison['url']}/leave", {}).status == 200, "the next one would wait for it"
    chromium.until("$('old').value === './bots/adder'")
    assert {key: chromium.run(f"$('{key}').value") for key in new} == new
    chromium.run("$('start').click()")
    chromium.until("document.documentElement.dataset.state === 'playing' && Number($('series').textContent) > 2")
    assert chromium.run("$('llr').textContent").endswith("(-2.94 to 2.94)")
    words = chromium.run("[...document.querySelectorAll('#graph span')].map((one) => one.textContent)")
    assert words == ["better", "not sure", "not better", "series →"]
    assert messages(chromium) == []
    chromium.until(f"location.hash && location.hash !== '#{comparison['id']}'")
    second = chromium.run("location.hash.slice(1)")
    chromium.run("$('start').click()")
    browsed.until(f"/api/v1/comparisons/{second}", lambda state: state["state"] == "failed")
    chromium.until(f"location.hash !== '#{second}' && $('wrong').hidden")
    chromium.until("document.documentElement.dataset.state === 'playing'")
    chromium.run("$('stop').click()")
    chromium.until("$('wrong').textContent === 'it was stopped'")
    assert chromium.run("$('stop').hidden")
    chromium.open(f"{browsed.origin}/compare#0")
    chromium.until("!$('wrong').hidden")
    assert "nothing with this id" in chromium.run("$('wrong').textContent")


def test_a_program_is_drawn_for_the_game_that_is_played(browsed: Studio, chromium: Chromium) -> None:
    chromium.open(browsed.origin, width=360, height=740)
    for game, suffix in (("ava", ".ava"), ("viper", ".viper"), ("snakecore", ".viper")):
        chromium.run(f"$('game').value = '{game}', $('game').dispatchEvent(new Event('change'))")
        assert chromium.run("$('language').value") == suffix
    chromium.run("[...document.querySelectorAll('header a')].find((one) => one.textContent === 'Draw').click()")
    chromium.settle()
    box = chromium.run("(({ top, bottom }) => [top, bottom])($('drawn').getBoundingClientRect())")
    assert 0 <= box[0] < box[1] <= 740
    colours = (
        "[getComputedStyle($('drawn'), '::placeholder'), getComputedStyle($('drawn').form.previousElementSibling)]"
    )
    assert len({*chromium.run(f"{colours}.map(({{ color }}) => color)")}) == 1, (
        "words in empty fields have the contrast of other quiet words"
    )
    for name, fits in (("snake!", False), ("-snake", False), ("Змея (2), old-one_1.2 it's", True)):
        assert chromium.run(f"$('drawn').value = \"{name}\", $('drawn').checkValidity()") == fits
        assert (browsed.ask("GET", f"programs/{quote(name)}.viper").status == 200) == fits, "the server says the same"


REASONS = "$('reasons-part').checkVisibility() ? $('reasons').textContent : ''"


def test_the_page_of_a_match_explains_the_programs_of_the_folder(browsed: Studio, chromium: Chromium) -> None:
    mine, sample = browsed.folder / "mine.viper", ROOT / "bots" / "adder" / "adder.viper"
    mine.write_bytes(sample.read_bytes())
    new = {"game": "viper", "seats": ["newt", "./mine.viper"], "rounds": 9, "seed": 1}
    match = browsed.played(browsed.start("matches", new))
    saved = load(match["result"]["saved"])
    steps = [step.step for step in saved.steps if 1 in [answer.seat for answer in step.answers]]
    address = f"{browsed.origin}{match['url']}#step={steps[-1]}"
    edited = f"/edit/mine?match={match['id']}#step={steps[-1]}&seat=1"
    chromium.open(address)
    assert chromium.run("document.querySelector('#links [data-step=\"1\"]').href") == f"{browsed.origin}{edited}"
    assert not chromium.run("document.querySelector('#decider a').checkVisibility()"), "newt decided"
    chromium.press("f", "f")
    assert "scheme" in chromium.run(REASONS)
    assert "not the program of the match" not in chromium.run(REASONS)
    assert chromium.run("document.querySelector('#decider a').href") == f"{browsed.origin}{edited}"
    mine.write_bytes((ROOT / "bots" / "krait" / "krait.viper").read_bytes())
    chromium.open(address)
    chromium.press("f", "f")
    seen = [(chromium.press("ArrowLeft"), chromium.run(REASONS))[1] for _ in range(len(steps))]
    assert any(text.startswith("this is not the program of the match") for text in seen)
    mine.write_text("scheme and: broken")
    chromium.open(address)
    chromium.press("f", "f")
    assert chromium.run(REASONS) == ""
    mine.unlink()
