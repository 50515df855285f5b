"""The five golden records, and their pages in a real browser: one Chromium for all tests, none in CI."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from export.chromium import Chromium, executable

from referee.export.page import match_page
from referee.saved.record import load
from referee.saved.replay import Replay

RECORDS = {path.stem: path for path in sorted((Path(__file__).parents[1] / "records").glob("*.jsonl"))}


@pytest.fixture(scope="session")
def games() -> Callable[[str], Replay]:
    """The saved match of a golden record, read once."""
    replays: dict[str, Replay] = {}

    def game(name: str) -> Replay:
        if name not in replays:
            replays[name] = Replay(load(RECORDS[name]))
        return replays[name]

    return game


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """A browser."""
    if os.environ.get("CI"):
        pytest.skip("browsers are not tested in CI")
    program = executable()
    if program is None:
        pytest.skip("there is no Chromium on this machine: scripts/setup dev installs it")
    browser = Chromium(program, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory, games: Callable[[str], Replay]) -> Callable[[str], str]:
    """The address of the page of a golden record."""
    folder = tmp_path_factory.mktemp("pages")

    def address(name: str) -> str:
        path = folder / f"{name}.html"
        if not path.exists():
            path.write_text(match_page(games(name)))
        return path.as_uri()

    return address


@pytest.fixture
def write_page(tmp_path: Path) -> Callable[..., str]:
    """Writes the page of a match, and returns its address: `write_page(saved, explanation="why")`."""

    def write(saved: Replay, **parts: Any) -> str:
        path = tmp_path / "a.html"
        path.write_text(match_page(saved, **parts))
        return path.as_uri()

    return write
