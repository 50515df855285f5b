"""The site in a real browser: joining by keyboard, an upload, pages that follow events, text of strangers, a drawn program."""

from __future__ import annotations

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
from arena.web.test_process import Served, served
from cli.conftest import Shell
from export.chromium import Chromium

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
    """Choose a file in the page's form."""
    root = browser._call("DOM.getDocument")["root"]["nodeId"]
    node = browser._call("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
    browser._call("DOM.setFileInputFiles", nodeId=node, files=[str(file)])


def sign_in(browser: Chromium, lab: Lab, user: str) -> None:
    """Sign in on the page that is shown."""
    key = json.dumps({"name": user, "key": lab.keys[user]})
    signed_in = "fetch('/api/v1/sign-in', {method: 'POST', headers: {'content-type': 'application/json'}, body: '%s'})"
    assert browser.run(f"{signed_in % key}.then(answer => answer.status)") == 200


def test_from_an_invitation_to_a_version(lab: Lab, site: Served, request: pytest.FixtureRequest, tmp_path: Path):
    browser: Chromium = request.getfixturevalue("chromium")
    url = f"http://127.0.0.1:{site.port}"
    token = lab.site.accounts.invite("ann", "author", None, 60, "test")
    browser.open(f"{url}/join#{token}")
    browser.run("document.getElementById('join').focus()")
    browser.press(" ")
    browser.until("!document.getElementById('joined').hidden")
    assert browser.run("document.getElementById('invited').hidden"), "nobody has an invitation that is used"
    assert len(browser.run("document.getElementById('key').textContent")) == 32
    assert browser.run("location.href") == f"{url}/join", "the invitation is in no history"
    assert quiet(browser)

    browser.open(f"{url}/account")
    assert browser.run("document.documentElement.dataset.user") == "ann"
    source = tmp_path / "main.py"
    source.write_text("print(1)")
    choose(browser, source)
    browser.run("document.querySelector('[name=bot]').value = 'my dragon'")
    assert browser.run("document.querySelector('[name=bot]:invalid').title"), "the browser says what is allowed"
    browser.run("document.querySelector('[name=bot]').value = 'dragon'")
    browser.run("document.querySelector('#upload button').click()")
    browser.until("location.pathname === '/versions/1'")
    assert browser.run("document.getElementById('state').dataset.state") == "waiting"
    widths = "new Set([...document.querySelectorAll('.card')].map((card) => card.offsetWidth)).size"
    assert browser.run(widths) == 1, "all cards are as wide as the page"

    failure: dict[str, Any] = {
        "fault": "x", "says": EVIL, "change": EVIL, "sent": [EVIL], "came": EVIL, "stderr": [EVIL],
    }  # fmt: skip
    step = {"number": 1, "title": EVIL, "verdict": "fail", "note": EVIL, "warnings": [EVIL], "failure": failure}
    lab.now = datetime.now(UTC).timestamp()
    lab.decide(lab.site.accounts.uploads()[0], "failed", error=EVIL, steps=[step], compiler=[EVIL])
    browser.until("document.getElementById('state').dataset.state === 'failed'")
    browser.until("document.querySelector('#steps .evidence')")
    assert browser.run("document.querySelector('#now .cause').textContent") == EVIL
    assert browser.run("document.title") == "dragon, version 1 · Spring <cup>"
    assert quiet(browser)

    browser.run("document.getElementById('sign-out').click()")
    browser.until("location.pathname === '/' && !document.documentElement.dataset.user")


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (360, 740)])
def test_no_page_is_wider_than_the_screen(
    lab: Lab, site: Served, request: pytest.FixtureRequest, size: tuple[int, int]
) -> None:
    browser: Chromium = request.getfixturevalue("chromium")
    lab.user("a" * 32)
    upload = lab.upload("a" * 32, "b" * 32, b"x", "active", error="e" * 300, compiler=["c" * 300])
    other = lab.upload("a" * 32, "c", b"y", "active")
    lab.season([upload, other], [(0, 1), (1, 0)])
    lab.standings([upload, other])
    for path in ("/", f"/bots/{'a' * 32}/{'b' * 32}", "/versions/1", "/rules", "/sign-in"):
        browser.open(f"http://127.0.0.1:{site.port}{path}", width=size[0], height=size[1], scheme="dark")
        if path == "/":
            sign_in(browser, lab, "a" * 32)
        assert browser.run("document.documentElement.scrollWidth - innerWidth") <= 0, path
        lines = "[...document.querySelectorAll('.prose p a')].map((one) => getComputedStyle(one).textDecorationLine)"
        assert {*browser.run(lines)} == ({"underline"} if path == "/rules" else set()), "seen without colours, too"
        assert quiet(browser)


def test_a_request_that_is_still_being_read_comes_to_who_looks_at_it(
    lab: Lab, site: Served, request: pytest.FixtureRequest
) -> None:
    browser: Chromium = request.getfixturevalue("chromium")
    for user in ("ann", "bob"):
        lab.user(user)
    fail(lab)
    lab.files.requests("1", "m1/arena/0#0").unlink()
    browser.open(f"http://127.0.0.1:{site.port}/")
    sign_in(browser, lab, "ann")
    browser.open(f"http://127.0.0.1:{site.port}/versions/1")
    browser.run("document.querySelector('#faults summary').click()")
    assert "It is being read" in browser.run("document.querySelector('#faults details').innerText")
    make(lab.files, lab.site.seasons, "requests/1/m1/arena/0#0")
    browser.until("document.querySelector('#faults details[open]').innerText.includes('bbe...Wbb')")


def test_a_page_says_while_the_server_is_gone_that_it_may_be_out_of_date(lab: Lab, request: pytest.FixtureRequest):
    browser: Chromium = request.getfixturevalue("chromium")
    with served(lab.files.root) as site:
        browser.open(f"http://127.0.0.1:{site.port}/")
        browser.run("window.same = true")
    browser.until("document.getElementById('lost').textContent.includes('connection to the server is lost')")
    with served(lab.files.root, site.port):
        browser.until("!document.getElementById('lost').textContent && window.same")
    fake = "window.EventSource = class { constructor() { window.stream = this; } addEventListener() {} }, follow({})"
    closed = browser.run(f"{fake}, stream.readyState = 2, stream.onerror(), document.body.lastChild.textContent")
    assert "is lost" in closed, "the browser does not try again"
    words = browser.run(f"{fake}, [1, 2].map(() => (stream.onerror(), document.body.lastChild.textContent))")
    assert [bool(each) for each in words] == [False, True], "the server ends old streams, which is no loss"


def shown(browser: Chromium, condition: str) -> None:
    """Wait until an expression is true, which other processes make true."""
    eventually(lambda: browser.run(f"document.readyState === 'complete' && Boolean({condition})"))


def click(browser: Chromium, selector: str) -> None:
    browser.run(f"document.querySelector({json.dumps(selector)}).click()")


@pytest.mark.timeout(600)
def test_from_an_empty_grid_to_a_version_that_plays(referee: Shell, tmp_path: Path, request: pytest.FixtureRequest):
    browser: Chromium = request.getfixturevalue("chromium")
    files = an_arena(tmp_path / "arena", seats=4)
    accounts = Accounts(files.accounts, now=now)
    token = accounts.invite("ann", "author", None, 1000, "a test")
    with running(files, referee.cache) as arena:
        browser.open(f"{arena.url}/join#{token}")
        click(browser, "#join")
        shown(browser, "!document.getElementById('joined').hidden")
        browser.open(f"{arena.url}/account")
        browser.run("document.querySelector('#draw [name=bot]').value = 'dragon'")
        click(browser, "#draw button")
        shown(browser, "location.pathname === '/edit/dragon' && document.documentElement.dataset.ready === '1'")

        browser.run('document.querySelector(\'#grid [data-x="3"][data-y="1"]\').focus()')
        browser.press(browser.run("document.querySelector('#palette button').dataset.element"))
        painted = browser.run('document.querySelector(\'#grid [data-x="3"][data-y="1"]\').textContent')
        assert painted != "--"
        click(browser, "#save")
        shown(browser, "document.documentElement.dataset.saved === '1'")
        browser.open(f"{arena.url}/edit/dragon", width=360, height=740)
        shown(browser, "document.documentElement.dataset.ready === '1'")
        assert browser.run("document.documentElement.scrollWidth - innerWidth") <= 0
        assert browser.run("document.getElementById('name').getBoundingClientRect().width") > 200
        again = browser.run('document.querySelector(\'#grid [data-x="3"][data-y="1"]\').textContent')
        assert again == painted, "the draft is the server's"

        click(browser, "#debug")
        shown(browser, "document.getElementById('playing-new').open")
        click(browser, "#debug-start")
        shown(browser, "document.documentElement.hasAttribute('data-playable') && !editor.answers.running")
        assert browser.run("document.querySelector('#seat').selectedOptions[0].textContent") == "1 ann/dragon"
        assert browser.run("document.querySelectorAll('#reasons > li').length") == 1
        assert browser.run("document.getElementById('match').value") == "debug/1"

        click(browser, "#submit")
        shown(browser, "location.pathname === '/versions/1'")
        shown(browser, "document.getElementById('state').dataset.state === 'active'")
    accounts.close()
