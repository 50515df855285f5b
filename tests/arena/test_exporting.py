"""The static copy of an arena: its front page, and what its seasons and finals say."""

import re
import weakref

import pytest
from arena.folders import a_final, a_tournament, an_arena
from cli.conftest import Shell

from referee.arena import exporting
from referee.arena.settings import ArenaFiles
from referee.arena.state import change_state, to_stage
from referee.tournament.report.content import Report

pytestmark = pytest.mark.machine


@pytest.fixture
def files(referee: Shell) -> ArenaFiles:
    """An arena with two seasons."""
    files = an_arena(referee.folder / "cup")
    for number, played in ((1, 4), (2, 3)):
        a_tournament(files, str(number), "ladder", [(0, 1)] * 4, played=played)
    change_state(files, lambda state: to_stage("open")(type(state)(season=2)))
    return files


def text(referee: Shell, path: str) -> str:
    """The words of a page that was exported, without its style."""
    page = (referee.folder / "site" / path).read_text(encoding="utf-8").partition("</style>")[2]
    return re.sub("<[^>]*>", " ", page)


def hrefs(referee: Shell, path: str) -> list[str]:
    return re.findall('href="([^"]*)"', (referee.folder / "site" / path).read_text(encoding="utf-8"))


def export(referee: Shell) -> None:
    ran = referee("arena", "export", "cup", "-o", "site")
    assert (ran.code, ran.out, ran.err) == (0, "site/index.html\n", "")


@pytest.mark.usefixtures("files")
def test_the_front_page_has_the_standings_and_leads_to_all_seasons_and_back(referee: Shell):
    export(referee)
    front = text(referee, "index.html")
    assert "The season goes on: 3 matches so far." in front
    assert front.index("ada/one") < front.index("bob/one")
    for link in hrefs(referee, "index.html")[1:]:
        assert (referee.folder / "site" / link).is_file()
    for number in (1, 2):
        assert f"seasons/{number}/index.html" in hrefs(referee, "index.html")
        assert "../../index.html" in hrefs(referee, f"seasons/{number}/index.html")
        assert "../index.html" in hrefs(referee, f"seasons/{number}/entrants/0.html")


def test_a_season_says_whether_it_is_over_and_no_seed(referee: Shell, files: ArenaFiles):
    export(referee)
    assert "The season is over after 4 matches." in text(referee, "seasons/1/index.html")
    assert "The season goes on: 3 matches so far." in text(referee, "seasons/2/index.html")
    change_state(files, to_stage("closed"))
    export(referee)
    for number in (1, 2):
        page = text(referee, f"seasons/{number}/index.html")
        assert f"Test: Season {number}" in page
        assert "The season is over after" in page
        assert "tournament is" not in page
        assert "seed" not in page


def test_the_front_page_has_the_winner_and_the_table_of_the_final(referee: Shell, files: ArenaFiles):
    a_final(files, "final", played=4, scheduled=4)
    export(referee)
    front = text(referee, "index.html")
    assert "The final is over after 4 matches: ada/one won. The rating decides the places" in front
    assert front.count("The rating decides") == 1
    assert front.index("Final ") < front.index("ada/one", front.index("Final ")) < front.index("Season 2")
    assert "seasons/final/entrants/0.html" in hrefs(referee, "index.html")
    assert "ada/one won. The rating decides" in text(referee, "seasons/final/index.html")
    change_state(files, to_stage("open"))
    export(referee)
    front = text(referee, "index.html")
    assert "The season goes on: 3 matches so far." in front
    assert "seasons/2/entrants/0.html" in hrefs(referee, "index.html")
    assert "seasons/final/index.html" in hrefs(referee, "index.html")


def test_an_export_before_the_final_is_over_says_so(referee: Shell, files: ArenaFiles):
    a_final(files, "final", played=3, scheduled=4)
    export(referee)
    assert "The season is over after 3 matches." in text(referee, "index.html")
    assert "The final is being played: 3 of 4 matches." in text(referee, "seasons/final/index.html")


@pytest.mark.usefixtures("files")
def test_no_report_of_a_season_stays_in_memory(referee: Shell, monkeypatch: pytest.MonkeyPatch):
    reports = list[weakref.ref[Report]]()

    def write_one(report: Report, *_: object, **_more: object) -> None:
        assert not any(earlier() for earlier in reports)
        reports.append(weakref.ref(report))

    monkeypatch.setattr(exporting, "write", write_one)
    (referee.folder / "site").mkdir()
    export(referee)
    assert len(reports) == 2
