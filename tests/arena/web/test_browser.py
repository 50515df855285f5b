"""The site in a real browser: joining by keyboard, an upload, pages that follow events, text of strangers, a drawn program."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from arena.folders import an_arena, eventually, running
from arena.web.conftest import MakeLab
from arena.web.lab import Lab
from arena.web.test_contest import fail
from arena.web.test_process import served
from cli.conftest import Shell
from export.chromium import Chromium
from web.serving import Served

from referee.arena.accounts import Accounts
from referee.arena.pages import make
from referee.arena.state import now

pytestmark = pytest.mark.machine
EVIL = "</script><script>document.title='evil'</script><img src=x onerror=document.title='evil'>"


@pytest.fixture
def lab(make_lab: MakeLab) -> Lab:
    lab = make_lab()
    lab.now = datetime.now(UTC).timestamp()  # that of the site's process
    return lab


@pytest.fixture
def site(lab: Lab) -> Iterator[Served]:
    with served(lab.files.root) as site:
        yield site


def quiet(browser: Chromium) -> bool:
    """Whether a page has asked no other host for anything, and printed nothing."""
    return all("127.0.0.1" in text or "data:image" in text for text in map(json.dumps, browser.heard))


def choose(browser: Chromium, file: Path) -> None:
    root = browser._call("DOM.getDocument")["root"]["nodeId"]
    node = browser._call("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
    browser._call("DOM.setFileInputFiles", nodeId=node, files=[str(file)])


def sign_in(browser: Chromium, lab: Lab, user: str) -> None:
    """Sign in on the page that is shown."""
    key = json.dumps({"name": user, "key": lab.keys[user]})
    signed_in = "fetch('/api/v1/sign-in', {method: 'POST', headers: {'content-type': 'application/json'}, body: '%s'})"
    assert browser.run(f"{signed_in % key}.then(answer => answer.status)") == 200


def test_from_an_invitation_to_a_version(lab: Lab, site: Served, chromium: Chromium, tmp_path: Path):
    url = f"http://127.0.0.1:{site.port}"
    token = lab.site.accounts.invite("ann", "author", None, 60, "test")
    chromium.open(f"{url}/join#{token}")
    chromium.run("document.getElementById('join').focus()")
    chromium.press(" ")
    chromium.until("!document.getElementById('joined').hidden")
    assert chromium.run("document.getElementById('invited').hidden"), "nobody has an invitation that is used"
    assert len(chromium.run("document.getElementById('key').textContent")) == 32
    assert chromium.run("location.href") == f"{url}/join", "the invitation is in no history"
    assert quiet(chromium)

    chromium.open(f"{url}/account")
    assert chromium.run("document.documentElement.dataset.user") == "ann"
    source = tmp_path / "main.py"
    source.write_text("print(1)")
    choose(chromium, source)
    chromium.run("document.querySelector('[name=bot]').value = 'my dragon'")
    assert chromium.run("document.querySelector('[name=bot]:invalid').title"), "the browser says what is allowed"
    chromium.run("document.querySelector('[name=bot]').value = 'dragon'")
    chromium.run("document.querySelector('#upload button').click()")
    chromium.until("location.pathname === '/versions/1'")
    assert chromium.run("document.getElementById('state').dataset.state") == "waiting"
    widths = "new Set([...document.querySelectorAll('.card')].map((card) => card.offsetWidth)).size"
    assert chromium.run(widths) == 1, "all cards are as wide as the page"

    failure: dict[str, Any] = {
        "fault": "x", "says": EVIL, "change": EVIL, "sent": [EVIL], "came": EVIL, "stderr": [EVIL],
    }  # fmt: skip
    step = {"number": 1, "title": EVIL, "verdict": "fail", "note": EVIL, "warnings": [EVIL], "failure": failure}
    lab.now = datetime.now(UTC).timestamp()
    lab.decide(lab.site.accounts.uploads()[0], "failed", error=EVIL, steps=[step], compiler=[EVIL])
    chromium.until("document.getElementById('state').dataset.state === 'failed'")
    chromium.until("document.querySelector('#steps .evidence')")
    assert chromium.run("document.querySelector('#now .cause').textContent") == EVIL
    assert chromium.run("document.title") == "dragon, version 1 · Spring <cup>"
    assert quiet(chromium)

    chromium.run("document.getElementById('sign-out').click()")
    chromium.until("location.pathname === '/' && !document.documentElement.dataset.user")


def test_a_proxy_that_refuses_an_upload_without_json_is_quoted_by_its_status(
    lab: Lab, site: Served, chromium: Chromium, tmp_path: Path
):
    lab.user("ada")
    chromium.open(f"http://127.0.0.1:{site.port}/sign-in")
    sign_in(chromium, lab, "ada")
    chromium.open(f"http://127.0.0.1:{site.port}/account")
    (tmp_path / "main.py").write_text("print(1)")
    choose(chromium, tmp_path / "main.py")
    chromium.run("document.querySelector('[name=bot]').value = 'dragon'")
    answer = "{status: {get: () => 413}, response: {get: () => null}}"
    chromium.run(f"Object.defineProperties(XMLHttpRequest.prototype, {answer}) && 0")
    chromium.run("document.querySelector('#upload button').click()")
    chromium.until("document.body.innerText.includes('the server answers 413')")


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (360, 740)])
def test_no_page_is_wider_than_the_screen(lab: Lab, site: Served, chromium: Chromium, size: tuple[int, int]) -> None:
    lab.user("a" * 32)
    upload = lab.upload("a" * 32, "b" * 32, b"x", "active", error="e" * 300, compiler=["c" * 300])
    other = lab.upload("a" * 32, "c", b"y", "active")
    lab.season([upload, other], [(0, 1), (1, 0)])
    lab.standings([upload, other])
    for path in ("/", f"/bots/{'a' * 32}/{'b' * 32}", "/versions/1", "/rules", "/sign-in"):
        chromium.open(f"http://127.0.0.1:{site.port}{path}", width=size[0], height=size[1], scheme="dark")
        if path == "/":
            sign_in(chromium, lab, "a" * 32)
        assert chromium.run("document.documentElement.scrollWidth - innerWidth") <= 0, path
        lines = "[...document.querySelectorAll('.prose p a')].map((one) => getComputedStyle(one).textDecorationLine)"
        assert {*chromium.run(lines)} == ({"underline"} if path == "/rules" else set()), "seen without colours, too"
        assert quiet(chromium)


@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_a_phone_shows_what_matters_without_scrolling_sideways(
    lab: Lab, site: Served, chromium: Chromium, size: tuple[int, int]
) -> None:
    wide, (width, height) = "W" * 32, size
    lab.user(wide, group=wide)
    lab.user("root", "admin")
    uploads = [lab.upload(wide, bot, bot.encode(), "active", error="e" * 300, note="n" * 60) for bot in (wide, "two")]
    lab.season(uploads, [(0, 1), (1, 0)])
    lab.standings(uploads)
    bot, match = f"/bots/{wide}/{wide}", "/matches/1/m0%2Farena%2F0%230"
    shown = [(wide, path) for path in ("/account", "/versions/1", bot, match, "/")]
    for user, path in (*shown, ("root", "/class"), ("root", "/admin")):
        chromium.open(f"http://127.0.0.1:{site.port}/rules", width=width, height=height)
        sign_in(chromium, lab, user)
        chromium.open(f"http://127.0.0.1:{site.port}{path}", width=width, height=height)
        wider = "filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel ?? one.textContent)"
        assert chromium.run(f"[...document.querySelectorAll('th, td')].{wider}") == [], f"{path}: nothing is cut off"
        boxes = chromium.run(f"[...document.querySelectorAll('.box')].{wider}")
        assert boxes == (["Standings"] if path == "/" and width == 360 else []), path
        assert chromium.run("document.querySelector('header').offsetHeight") < 160, path
        low = "[...document.querySelectorAll('button')].filter((one) => one.offsetParent && one.offsetHeight < 40)"
        assert chromium.run(f"{low}.map((one) => one.textContent)") == [], f"{path}: fingers hit all buttons"
        faults = "[...document.querySelectorAll('#matches td:last-child')].filter((one) => one.offsetParent).length"
        assert chromium.run(faults) == 0, f"{path}: a match without a fault has no line about it"
    chromium.open(f"http://127.0.0.1:{site.port}/", width=width, height=height)
    ends = "[...document.querySelectorAll('#standings [data-col=matches]')].map((one) => one.getBoundingClientRect().right)"
    assert max(chromium.run(ends)) < width - 15, "only the faults are beyond the edge"


def test_a_request_that_is_still_being_read_comes_to_who_looks_at_it(
    lab: Lab, site: Served, chromium: Chromium
) -> None:
    for user in ("ann", "bob"):
        lab.user(user)
    fail(lab)
    lab.files.requests("1", "m1/arena/0#0").unlink()
    chromium.open(f"http://127.0.0.1:{site.port}/")
    sign_in(chromium, lab, "ann")
    chromium.open(f"http://127.0.0.1:{site.port}/versions/1")
    chromium.run("document.querySelector('#faults summary').click()")
    assert "It is being read" in chromium.run("document.querySelector('#faults details').innerText")
    make(lab.files, lab.site.seasons, "requests/1/m1/arena/0#0")
    chromium.until("document.querySelector('#faults details[open]').innerText.includes('bbe...Wbb')")


def test_a_page_says_while_the_server_is_gone_that_it_may_be_out_of_date(lab: Lab, chromium: Chromium):
    with served(lab.files.root) as site:
        chromium.open(f"http://127.0.0.1:{site.port}/")
        chromium.run("window.same = true")
    chromium.until("document.getElementById('lost').textContent.includes('connection to the server is lost')")
    with served(lab.files.root, site.port):
        chromium.until("!document.getElementById('lost').textContent && window.same")
    fake = "window.EventSource = class { constructor() { window.stream = this; } addEventListener() {} }, follow({})"
    closed = chromium.run(f"{fake}, stream.readyState = 2, stream.onerror(), document.body.lastChild.textContent")
    assert "is lost" in closed, "the browser does not try again"
    words = chromium.run(f"{fake}, [1, 2].map(() => (stream.onerror(), document.body.lastChild.textContent))")
    assert [bool(each) for each in words] == [False, True], "the server ends old streams, which is no loss"


def shown(browser: Chromium, condition: str) -> None:
    """Wait until an expression is true, which other processes make true."""
    eventually(lambda: browser.run(f"document.readyState === 'complete' && Boolean({condition})"))


def click(browser: Chromium, selector: str) -> None:
    browser.run(f"document.querySelector({json.dumps(selector)}).click()")


@pytest.mark.timeout(600)
def test_from_an_empty_grid_to_a_version_that_plays(referee: Shell, tmp_path: Path, chromium: Chromium):
    files = an_arena(tmp_path / "arena", seats=4)
    with Accounts(files.accounts, now=now) as accounts:
        token = accounts.invite("ann", "author", None, 1000, "a test")
    with running(files, referee.cache) as arena:
        chromium.open(f"{arena.url}/join#{token}")
        click(chromium, "#join")
        shown(chromium, "!document.getElementById('joined').hidden")
        chromium.open(f"{arena.url}/account")
        chromium.run("document.querySelector('#draw [name=bot]').value = 'dragon'")
        click(chromium, "#draw button")
        shown(chromium, "location.pathname === '/edit/dragon' && document.documentElement.dataset.ready === '1'")

        chromium.run('document.querySelector(\'#grid [data-x="3"][data-y="1"]\').focus()')
        chromium.press(chromium.run("document.querySelector('#palette button').dataset.element"))
        painted = chromium.run('document.querySelector(\'#grid [data-x="3"][data-y="1"]\').textContent')
        assert painted != "--"
        click(chromium, "#save")
        shown(chromium, "document.documentElement.dataset.saved === '1'")
        chromium.open(f"{arena.url}/edit/dragon", width=360, height=740)
        shown(chromium, "document.documentElement.dataset.ready === '1'")
        assert chromium.run("document.documentElement.scrollWidth - innerWidth") <= 0
        assert chromium.run("document.getElementById('name').getBoundingClientRect().width") > 200
        again = chromium.run('document.querySelector(\'#grid [data-x="3"][data-y="1"]\').textContent')
        assert again == painted, "the draft is the server's"

        click(chromium, "#debug")
        shown(chromium, "document.getElementById('playing-new').open")
        click(chromium, "#debug-start")
        shown(chromium, "document.documentElement.hasAttribute('data-playable') && !editor.answers.running")
        assert chromium.run("document.querySelector('#seat').selectedOptions[0].textContent") == "1 ann/dragon"
        assert chromium.run("document.querySelectorAll('#reasons > li').length") == 1
        assert chromium.run("document.getElementById('match').value") == "debug/1"

        click(chromium, "#submit")
        shown(chromium, "location.pathname === '/versions/1'")
        shown(chromium, "document.getElementById('state').dataset.state === 'active'")
