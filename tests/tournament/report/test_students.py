"""Pages for students: plain words, one's own evidence, and nothing of others."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tournament.figures.played import field, series
from tournament.report.reports import Node, fault, parsed, random_report, report_of

from referee.contract.game import FaultKind
from referee.text.markup import el
from referee.tournament.match_pages import read_matches, shown_places
from referee.tournament.report.content import Excerpt, Place
from referee.tournament.report.entrant import entrant
from referee.tournament.report.index import index
from referee.tournament.report.student import TITLES, student, unbuilt

OWN = fault(1, stderr=["own secret"], match="1-2/arena/0#0", seat=0)
OTHER = fault(2, stderr=["another's secret"], match="1-2/arena/0#0", seat=1)
UNREADY = {
    "name": "boa", "bot": "bots/boa.cpp", "number": None, "why": "g++ ended with exit status 1\nboa.cpp:1: error: their code"
}  # fmt: skip


@pytest.fixture
def pages() -> dict[str, Node]:
    """All pages of a report with pages for students."""
    report = random_report(
        faults=[OWN, OTHER],
        unready=[UNREADY],
        student=True,
        excerpts={Place("1-2/arena/0#0", 0, 75): Excerpt("getAction\n.p.\n", el("svg", el("title", "round 18")))},
    )
    return {
        "index": parsed(index(report)),
        **{f"entrants/{bot.number}": parsed(entrant(report, bot.number)) for bot in report.entrants},
        **{f"students/{bot.number}": parsed(student(report, bot.number)) for bot in report.entrants},
        "students/unready-0": parsed(unbuilt(report, UNREADY)),
    }


@pytest.mark.parametrize(
    ("secret", "page"),
    [("own secret", "students/1"), ("another's secret", "students/2"), ("their code", "students/unready-0")],
)
def test_stderr_and_the_words_of_compilers_are_on_one_page_only(pages: dict[str, Node], secret: str, page: str) -> None:
    assert [path for path, node in pages.items() if secret in node.text] == [page]


def test_a_page_for_a_student_links_to_nothing(pages: dict[str, Node]) -> None:
    own = {path: page for path, page in pages.items() if path.startswith("students/")}
    assert own.keys() == {f"students/{page}" for page in (*range(5), "unready-0")}
    assert [page.all("a") for page in own.values()] == [[]] * 6


def test_a_team_whose_new_version_cannot_be_built_is_told_that_the_last_one_plays_on() -> None:
    report = random_report(unready=[UNREADY], student=True)
    assert "did not play" in parsed(unbuilt(report, UNREADY)).text
    text = parsed(unbuilt(report, {**UNREADY, "number": 3})).text
    assert "did not play" not in text
    assert "Your last version plays on." in text
    assert "referee build YOUR_BOT" in text, "how to try it again"


def test_a_student_sees_the_request_the_answer_stderr_and_the_commands(pages: dict[str, Node]) -> None:
    page = pages["students/1"]
    assert [node.text.strip("\n") for node in page.all("pre")] == [
        "getAction\n.p.",
        "own secret",
        "referee replay SAVED_GAME --step=75\nreferee ask YOUR_BOT SAVED_GAME --seat=1 --step=75",
    ]
    assert {node.attributes["role"] for node in page.all("pre")} == {"group"}, "only what has a role has a name"
    assert page.one("svg").one("title").text == "round 18", "the board"
    assert [heading.text for heading in page.all("h3")] == [
        "What your program was asked", "What it answered", "The last lines that it wrote to stderr", "See it again",
    ]  # fmt: skip
    assert page.all("dd")[0].text == "1-2/arena/0#0, seat 1", "the first match"
    assert {"YOUR_BOT", "SAVED_GAME"} <= {term.text for term in page.all("dt")}
    assert "Nothing that counts: exited with status 1." in page.text
    assert "Something went wrong in 1 match:" in page.text
    assert "It made no error." in pages["students/0"].text
    assert "ms; the limit is 1 s." in pages["students/0"].text
    assert re.search(r"In \d+ match(es)? that counts?, it took ", pages["students/0"].text)


def test_without_a_saved_game_there_is_no_command_that_needs_it() -> None:
    report = random_report(faults=[fault(1, saved=None)], student=True)
    page = parsed(student(report, 1))
    assert "referee replay" not in page.text
    assert "What your program was asked" not in page.text


@pytest.mark.parametrize(("kind", "detail", "words"), [
    ("timeout", "no answer within 1 s", "The referee waited for an answer until the time was up."),
    ("timeout", "the 120 s for all answers together are used up", "The answers of a match have a common time limit"),
    ("exit", "exited with status 1", "An error ended it."),
    ("exit", "exited with status 0", "It came to its end as if its work was done."),
    ("exit", "ended by signal 11 (SIGSEGV)", "It used memory that is not its own"),
    ("exit", "exited with status 136 (as after SIGFPE)", "It divided a whole number by zero."),
    ("exit", "it closed its output and kept running", "It closed its output"),
    ("overflow", 'a line longer than 1024 bytes: "xxx"', "An answer is a short line."),
    ("invalid", 'expected one of U L D R N A, got "Down"', "It printed something that is not an answer"),
    ("invalid", 'output without a request: "hi"', "It printed something that nobody asked for."),
    ("sandbox", "used 1100 MiB of memory, 1024 are allowed", "Bots run in a sandbox"),
])  # fmt: skip
def test_every_fault_is_explained(kind: str, detail: str, words: str) -> None:
    page = parsed(student(random_report(faults=[fault(1, kind=kind, detail=detail)], student=True), 1))
    section = page.all("section")[0]
    assert section.one("h2").text == f"{TITLES[kind]} (1 match)"
    assert section.all("p")[0].text.startswith(words)
    assert detail in section.text


def test_every_kind_of_fault_has_a_title() -> None:
    assert set(TITLES) == {kind.value for kind in FaultKind}


def test_a_hint_is_given_for_what_the_sandbox_refused() -> None:
    refused = fault(1, stderr=["OSError: [Errno 30] Read-only file system: 'log.txt'"])
    for memory, hinted in ((2**30, True), (None, False)):
        page = parsed(student(random_report(faults=[refused], student=True, memory=memory), 1))
        assert ("A player cannot write files" in page.text) is hinted


def test_a_page_names_no_folder_of_the_computer_that_played() -> None:
    folder = "/home/teacher/cup/entrants/3267/files"
    failure = fault(
        1,
        detail=f"cannot open {folder}/table.bin",
        stderr=[f'  File "{folder}/eel.py", line 16', "see /usr/include/stdio.h", "https://docs.example/a/b"],
        saved="games/of the teacher.gz",
    )
    first = "g++ -I /home/teacher/sdk/cpp boa.cpp ended with exit status 1; its class has another name"
    why = f"{first}\n{folder}/boa.cpp:1: error: x"
    page = parsed(student(random_report(faults=[failure], student=True), 1))
    wrong = parsed(unbuilt(random_report(student=True), {**UNREADY, "why": why}))
    assert "teacher" not in page.text + wrong.text
    assert 'File "…/eel.py", line 16\nsee /usr/include/stdio.h\nhttps://docs.example/a/b' in page.text
    assert "cannot open …/table.bin" in page.text
    assert "ended with exit status 1; its class has another name" in wrong.text
    assert "…/boa.cpp:1: error: x" in wrong.text


def test_a_bot_without_an_error_is_told_what_it_lost_points_to_in_its_worst_match() -> None:
    report = report_of(field(2), [series("0-1/arena/0", "A1*9 B2*3", "B2*1 A1*9")], student=True)
    lost = Excerpt(board=el("svg", el("title", "round 7")), lost=("It lost: 5 blocks.",))
    page = parsed(student(replace(report, excerpts={Place("0-1/arena/0#1", 0, None): lost}), 1))
    assert "It made no error." in page.text
    (section,) = page.all("section")
    assert section.one("h2").text == "What it lost points to"
    assert "Its worst match was a – b, arena, 2nd. It had seat 1." in section.text
    assert [line.text for line in section.all("li")] == ["It lost: 5 blocks."]
    assert section.one("svg").one("title").text == "round 7"
    assert "It won all of its matches" in parsed(student(report, 0)).text
    level = report_of(field(2), [series("0-1/arena/0", "A1 B1", "B1 A1")], student=True)
    assert "It won all" not in parsed(student(level, 0)).text
    assert report.matches.own[0].worst is not None
    assert report_of(field(2), [series("0-1/arena/0", "A1*9 B2*3")], saved=None).matches.own[0].worst is None


def test_only_the_first_fault_of_a_kind_is_looked_up_and_the_worst_match_of_those_without_a_fault() -> None:
    results = [series("0-1/arena/0", "A1*9 B2*3", "B2*1 A1*9"), series("0-1/arena/1", "A1 B2!exit")]
    report = report_of(field(2), results, faults=[
        fault(1), fault(1, step=3), fault(1, kind="timeout"), fault(1, kind="invalid", saved=None),
    ])  # fmt: skip
    saved = Path("cup/games/000001-0.jsonl.gz")
    worst, first_fault = Place("0-1/arena/1#0", 0, None), Place("0-1/arena/0#0", 1, 75)
    assert shown_places(report, Path("cup")) == {worst: saved, first_fault: saved}


def test_an_excerpt_that_is_known_is_not_read_again() -> None:
    report = report_of(field(2), [series("0-1/arena/0", "A1 B2!exit")], faults=[fault(1)])
    places = shown_places(report, Path("gone"))
    excerpts = dict.fromkeys(places, Excerpt("known"))
    read_matches(report, Path("gone"), excerpts)
    assert excerpts == dict.fromkeys(places, Excerpt("known"))
