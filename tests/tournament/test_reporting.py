"""Reports of real tournaments: what is written, where, and when."""

import json
import os
from pathlib import Path

import pytest
from cli.conftest import WALKER
from tournament.conftest import Cup, copied, drawn_up
from tournament.report.reports import Node, parsed

from referee.moments.scene import with_names
from referee.saved.record import load
from referee.saved.replay import Replay
from referee.tournament import reporting
from referee.tournament.database import LedgerError
from referee.tournament.ledger import Ledger
from referee.tournament.report.content import Report, page_of
from referee.tournament.reporting import gather
from referee.tournament.tournament import Tournament

pytestmark = pytest.mark.machine

CRASHING = (
    WALKER.replace("NAME", "<i>eel</i>").replace('print("PATH"[', 'print({0: "R"}[').replace(' % len("PATH")', "")
)
CRASHING = CRASHING.replace("turn = 0\n", 'turn = 0\nprint("<b>eel\'s secret</b>", file=sys.stderr, flush=True)\n')


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """A tournament that is over, with a bot that crashes in each match, and one that cannot be built."""
    cup = drawn_up(tmp_path_factory.mktemp("crashed"))
    cup.only("asp", "boa")
    (cup.folder / "bots" / "<i>eel.py").write_text(CRASHING)
    (cup.folder / "bots" / "wrong.c").write_text("int main(void) { return their_code; }\n")
    cup.ok("run", cup.folder, "-q")
    return cup


@pytest.fixture
def played(cup: Cup, crashed: Cup) -> Cup:
    """A copy of it."""
    return copied(crashed, cup)


def written(folder: Path) -> dict[str, str]:
    """The files of a report, by path."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def read(folder: Path) -> dict[str, Node]:
    """The pages of a report, by path. All their links lead to files that exist."""
    scripts = {"matches": 2, "results.html": 1}  # a match is packed in a script of its own, which does not run
    pages = {
        path: parsed(text, scripts=scripts.get(path.split("/")[0], 0))
        for path, text in written(folder).items()
        if path.endswith(".html")
    }
    for path, page in pages.items():
        for link in page.all("a"):
            target = str(link.attributes["href"]).partition("#")[0]
            assert not target or (folder / path).parent.joinpath(target).is_file(), target
    return pages


def matches_of(folder: Path) -> set[str]:
    """The names of the pages of matches."""
    return {path.stem for path in (folder / "matches").glob("*.html")}


def test_a_report_has_the_figures_of_the_ledger_and_a_page_for_each_entrant(played: Cup, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    ran = played("report", played.folder, "-o", pages)
    assert (ran.code, ran.out) == (0, f"{pages}/index.html\n")
    read_pages = read(pages)
    assert set(written(pages)) == {
        "index.html", "results.html", "table.csv", "table.md", *(f"entrants/{number}.html" for number in range(3)),
        *(f"matches/{name}.html" for name in matches_of(pages)),
    }  # fmt: skip
    table = played.json("table", played.folder)["table"]
    rows = read_pages["index.html"].one("table", id="table").one("tbody").all("tr")
    assert [row.attributes["data-number"] for row in rows] == [str(entry["number"]) for entry in table]
    assert [row.figures()["percent"] for row in rows] == [str(entry["percent"]) for entry in table]
    assert "their_code" in read_pages["index.html"].text
    faults = played.json("status", played.folder)["faults"]
    assert {fault["kind"] for fault in faults} == {"exit"}
    assert all(0 < fault["ms"] < 60_000 for fault in faults)
    faults_text = read_pages["index.html"].one("div", class_="faults").text
    for evidence in ("4 matches", "exited with status 1", "KeyError: 1", "<b>eel's secret</b>"):
        assert evidence in faults_text
    page = f"{page_of(faults[0]['match'])}#step={faults[0]['step']}"
    shown = read_pages[page_of(faults[0]["match"])]
    links = [link.attributes["href"] for link in shown.one("nav").all("a")]
    assert links[:2] == ["../index.html", "../results.html"]
    assert len(links) == 4, "its two entrants"
    assert ", duel, " in shown.one("title").text
    assert read_pages["index.html"].one("div", class_="faults").all("a", href=page)


def test_in_a_match_entrants_have_their_names_not_those_that_their_players_answer(played: Cup) -> None:
    first = played.rows("matches", played.folder)[0]
    replay = Replay(load(played.folder / first["saved"]))
    frame = with_names(replay.state_at(len(replay.steps)).draw(), replay.entrants)
    assert [line.name for line in frame.seats] == [seat["name"] for seat in first["seats"]]
    assert any(seat["name"] != seat["called"] for seat in first["seats"])


def test_matches_have_pages_as_chosen_and_none_is_written_twice(played: Cup, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    matches = played.rows("matches", played.folder)
    names = {page_of(match["id"]).removeprefix("matches/").removesuffix(".html"): match for match in matches}
    played.ok("report", played.folder, "-o", pages, "--games=all")
    assert matches_of(pages) == set(names)
    read(pages)
    inodes = {path: path.stat().st_ino for path in pages.glob("matches/*.html")}
    faulty = {name for name, match in names.items() if any(seat["disqualified"] for seat in match["seats"])}
    lost = min(faulty)
    (played.folder / names[lost]["saved"]).write_bytes(b"no saved game")
    shown = pages / "matches" / f"{max(faulty)}.html"
    shown.write_text(shown.read_text().replace("<!-- ", "<!-- of another game "))
    (pages / "matches" / f"{lost}.html").unlink()
    ran = played("report", played.folder, "-o", pages, "--games=faults")
    assert (ran.code, ran.err.count("no page: "), names[lost]["saved"] in ran.err) == (0, 1, True)
    assert matches_of(pages) == faulty - {lost}
    read(pages)
    again = {path: path.stat().st_ino for path in pages.glob("matches/*.html")}
    assert {path for path in again if again[path] != inodes[path]} == {shown}
    other = Path("..", played.folder.parent.name, played.folder.name)
    played.ok("report", other, "-o", pages, "--games=faults", "-q")
    assert all(path.stat().st_ino != again[path] for path in again), "their commands name the folder otherwise"
    assert played("report", played.folder, "-o", pages, "--games=none", "-q").err == ""
    assert matches_of(pages) == set()
    command = f"referee replay {played.folder}/{names[lost]['saved']} --step="
    assert command in read(pages)["index.html"].text, "without a page, there is the command"


def test_pages_for_students_keep_what_bots_wrote_to_themselves(played: Cup, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    students = played.json("report", played.folder, "-o", pages, "--student")["students"]
    assert [(student["number"], student["name"]) for student in students][-1] == (None, "wrong")
    read_pages = read(pages)
    assert {str(Path(student["page"]).relative_to(pages)) for student in students} == {
        path for path in read_pages if path.startswith("students/")
    }
    (eel,) = [student for student in students if "eel" in student["name"]]
    own = str(Path(eel["page"]).relative_to(pages))
    assert [path for path, page in read_pages.items() if "eel's secret" in page.text] == [own]
    assert [path for path, page in read_pages.items() if "their_code" in page.text] == ["students/unready-0.html"]
    request, _, commands = read_pages[own].all("pre")
    assert request.text.startswith("\ngetAction\n")
    (saved, *_) = [fault["saved"] for fault in played.json("status", played.folder)["faults"]]
    words = commands.text.replace("SAVED_GAME", str(played.folder / saved)).split("\n")[1].split()
    assert played.referee(*words[1:]).out
    assert read_pages[own].one("svg").all("text"), "the board"
    texts = [page.text for path, page in read_pages.items() if path.startswith("students/")]
    assert not [text for text in texts if str(tmp_path.parent) in text or "/.cache/" in text]
    right = [text for text in texts if "It made no error." in text]
    assert right
    assert all("Its worst match was" in text or "It won all" in text for text in right)


def test_a_public_report_has_nothing_that_bots_and_compilers_wrote(played: Cup, tmp_path: Path) -> None:
    with Tournament(played.folder) as tournament:
        report = gather(tournament, folder="cup", excerpts={})
        reporting.write(report, tmp_path / "pages", folder=played.folder, public=True)
    read_pages = read(tmp_path / "pages")
    assert "index.html" in read_pages
    assert not [path for path, page in read_pages.items() if "eel's secret" in page.text or "their_code" in page.text]
    assert not [path for path in read_pages if path.startswith("students/")]


def test_a_report_is_written_over_an_older_one_and_over_nothing_else(played: Cup, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    ran = played.ok("report", played.folder, "-o", pages, "--student")
    assert f"for the authors of the bots: {pages / 'students'}; --json says whose each one is\n" in ran.err
    (pages / "notes.txt").write_text("mine")
    played.ok("report", played.folder, "-o", pages)
    assert not [path for path in written(pages) if path.startswith("students/")]
    assert written(pages)["notes.txt"] == "mine"
    assert not [path for path in written(pages) if path.endswith(".part")]
    for other in (played.folder, played.folder / "bots"):
        ran = played("report", played.folder, "-o", other)
        assert (ran.code, "holds other files than a report: name a new folder" in ran.err) == (2, True)
    assert played("report", played.folder).out == f"{played.folder}/report/index.html\n"
    assert played("run", played.folder, "-q").code == 0, "the report in the tournament's folder is no bot"


@pytest.mark.parametrize(("path", "why"), [
    ("table.csv", "table.csv is a link or a pipe, which no report has"),
    ("matches", "matches is a link or a pipe, which no report has"),
    ("index.html", "holds other files than a report: name a new folder"),
])  # fmt: skip
def test_a_report_with_links_is_not_written_over(played: Cup, tmp_path: Path, path: str, why: str) -> None:
    """A stranger's tournament may hold it. They would lead to files of the user, which would be written over or removed."""
    pages, precious = tmp_path / "pages", tmp_path / "precious"
    played.ok("report", played.folder, "-o", pages, "--games", "none")
    precious.mkdir()
    (precious / "mine.html").write_text("mine")
    (pages / path).rename(tmp_path / "old")
    (pages / path).symlink_to(precious if path == "matches" else precious / "mine.html")
    ran = played("report", played.folder, "-o", pages, "--games", "none")
    assert (ran.code, why in ran.err) == (2, True)
    assert (precious / "mine.html").read_text() == "mine"


@pytest.mark.parametrize("path", ["index.html", "matches/match.html"])
def test_a_report_with_a_pipe_is_not_read(played: Cup, tmp_path: Path, path: str) -> None:
    """Whoever opens a pipe waits until somebody writes to it."""
    pages = tmp_path / "pages"
    played.ok("report", played.folder, "-o", pages, "--games", "none")
    (pages / path).unlink(missing_ok=True)
    os.mkfifo(pages / path)
    ran = played("report", played.folder, "-o", pages)
    assert (ran.code, "name a new folder" in ran.err) == (2, True)


def test_an_interrupted_report_is_written_by_the_same_command(
    played: Cup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = tmp_path / "pages"

    def interrupted(report: Report, folder: Path, target: Path) -> None:
        (target / "matches").mkdir()
        raise KeyboardInterrupt

    monkeypatch.setattr(reporting, "write_pages", interrupted)
    with Tournament(played.folder) as tournament, pytest.raises(KeyboardInterrupt):
        reporting.write(gather(tournament, folder="cup", excerpts={}), pages, folder=played.folder)
    monkeypatch.undo()
    assert "being written" in read(pages)["index.html"].text
    played.ok("report", played.folder, "-o", pages, "--games=none")
    assert "being written" not in read(pages)["index.html"].text


def test_the_rows_of_matches_are_read_once(played: Cup, tmp_path: Path, rows_read: list[str]) -> None:
    with Tournament(played.folder) as tournament:
        tournament.status()  # the matches with faults
        faulty = rows_read.count("matches")
        rows_read.clear()
        report = gather(tournament, folder="cup", excerpts={})
        assert rows_read.count("matches") == faulty + tournament.ledger.counts()[1]
        reporting.write(report, tmp_path / "pages", folder=played.folder)
        assert rows_read.count("matches") == faulty + tournament.ledger.counts()[1], "all are among the newest"


def test_a_ledger_whose_sums_are_of_other_series_has_no_report(played: Cup) -> None:
    with Ledger(played.folder, writes=True) as ledger:
        ledger.query("UPDATE facts SET value = '[4, 2, 4]' WHERE key = 'summed'")
    with Tournament(played.folder) as tournament, pytest.raises(LedgerError, match="facts, summed: it does not count"):
        gather(tournament, folder="cup", excerpts={})


@pytest.mark.usefixtures("instant")
def test_watch_follows_the_tournament_and_ends_when_it_is_over(cup: Cup, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    cup.only("asp", "boa", "cobra")
    cup.ok("run", cup.folder, "--only=boa", "-q")
    cup.ok("report", cup.folder, "-o", pages)
    assert "The tournament is not over. Played: 4 of 6" in read(pages)["index.html"].text
    assert not read(pages)["index.html"].all("meta", http_equiv="refresh")
    with Tournament(cup.folder) as tournament:
        assert gather(tournament, folder="cup", refresh=True, excerpts={}).refresh
    with cup.start("report", cup.folder, "-o", pages, "--watch", "--json") as watching:
        assert watching.stderr is not None
        assert (
            watching.stderr.readline()
            == f"{pages}/index.html follows the tournament until it is over; Ctrl-C ends this\n"
        )
        cup.ok("run", cup.folder, "-q")
        out, _ = watching.communicate(timeout=60)
    assert watching.returncode == 0
    assert json.loads(out)["over"]
    with Tournament(cup.folder) as tournament:
        assert not gather(tournament, folder="cup", refresh=True, excerpts={}).refresh
    read_pages = read(pages)
    assert "The tournament is over. Played: 6 of 6" in read_pages["index.html"].text
    assert not read_pages["index.html"].all("meta", http_equiv="refresh")
