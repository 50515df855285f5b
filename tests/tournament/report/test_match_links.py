"""The page of a match in a report: its links to the pages around it."""

from pathlib import Path

import pytest
from export.chromium import Chromium
from tournament.figures.played import duels, field
from tournament.report.reports import report_of

from referee.export.page import match_page
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.tournament.match_pages import links

RECORD = Path(__file__).parents[2] / "records" / "crossroads.jsonl.gz"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page with links."""
    report = report_of(field(2), duels("A", "B", "0-1/arena/0"))
    page = tmp_path_factory.mktemp("pages") / "match.html"
    match = report.matches.listed()[0]
    nav = links(report, match)
    page.write_text(match_page(Replay(load(RECORD)), title=report.title(match["id"]), links=nav))
    return page.as_uri()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 740), (360, 740)])
def test_the_links_leave_the_match_on_the_first_screen(
    chromium: Chromium, address: str, width: int, height: int
) -> None:
    chromium.open(address, width=width, height=height)
    assert chromium.run("document.documentElement.scrollWidth") <= width
    assert chromium.run("document.getElementById('links').offsetHeight") < 40, "one line"
    assert chromium.run("document.getElementById('play').getBoundingClientRect().bottom") <= height


def test_an_embedded_match_has_no_links(chromium: Chromium, address: str) -> None:
    chromium.open(f"{address}#bare")
    assert chromium.run("document.getElementById('links').offsetHeight") == 0
