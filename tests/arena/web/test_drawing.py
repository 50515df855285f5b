"""A program that is drawn, debugged and submitted in a real browser, in an arena with all its parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from arena.folders import an_arena, eventually, running
from cli.conftest import Shell
from export.chromium import Chromium

from referee.arena.accounts import Accounts
from referee.arena.state import now

pytestmark = [pytest.mark.machine, pytest.mark.timeout(600)]


def shown(browser: Chromium, condition: str) -> None:
    """Wait until an expression is true, which other processes make true."""
    eventually(lambda: browser.run(f"document.readyState === 'complete' && Boolean({condition})"))


def click(browser: Chromium, selector: str) -> None:
    browser.run(f"document.querySelector({json.dumps(selector)}).click()")


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
