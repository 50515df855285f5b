"""The five golden records, and the addresses of their pages."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.export.page import match_page
from referee.saved.record import load
from referee.saved.replay import Replay

RECORDS = {path.stem: path for path in sorted((Path(__file__).parents[1] / "records").glob("*.jsonl"))}


@cache
def games(name: str) -> Replay:
    """The saved match of a golden record."""
    return Replay(load(RECORDS[name]))


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
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
