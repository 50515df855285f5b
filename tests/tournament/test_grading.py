"""Grades against reference bots: whom a grade depends on, what the table says, and in which form."""

import csv
import json
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tournament.conftest import SETTINGS, Cup, gated, progress

from referee import games
from referee.errors import UsageError
from referee.tournament.entering import list_bots
from referee.tournament.grading import Grade, grades, grades_csv, write_settings
from referee.tournament.roster import Student
from referee.tournament.settings import settings_in

pytestmark = pytest.mark.machine

BOTS = Path(__file__).parents[2] / "bots"
ROSTER = {
    "clara.zip": Student(file="clara.zip", name="Clara Ä.", id="clara@example.org"),
    "dan": Student(file="dan", name="Dan", id="00017"),
    "gone.zip": Student(file="gone.zip", name="Gone", id="18"),
}
HEADINGS = [
    "Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Cup", "Final Points a match", "Final Grade in words",
]  # fmt: skip


def row(
    number: int, name: str, source: str, percent: float | None, mean: float | None, matches: int, **faults: int
) -> dict[str, Any]:
    """A row of the table; `faults` are the matches that count in which the bot was disqualified."""
    return {
        "number": number, "name": name, "source": source, "percent": percent, "mean": mean, "matches": matches, "faults": faults,
    }  # fmt: skip


TABLE = {
    "table": [
        row(0, "Hunter", "hunter", 60.0, 9.0, 24),
        row(2, "clara", "../teams/clara.zip", 62.5, 7.123, 12),
        row(1, "dan", "../teams/dan", 10.0, -0.5, 12),
        row(3, "eve", "../teams/eve.py", None, None, 0),
    ]
}


def fault(number: int, kind: str, detail: str = "exited with status 3", round_: int = 4) -> dict[str, Any]:
    return {"number": number, "kind": kind, "detail": detail, "request": "getAction", "round": round_}


def status(*faults: dict[str, Any], unready: dict[str, str] | None = None) -> dict[str, Any]:
    listed = [{"name": name, "bot": f"../teams/{name}", "why": why} for name, why in (unready or {}).items()]
    return {"faults": list(faults), "unready": listed, "strays": []}


def rows(text: str) -> list[list[str]]:
    """The rows of a table, read as spreadsheets do."""
    assert text.startswith("\ufeff")
    return list(csv.reader(StringIO(text.removeprefix("\ufeff"), newline="")))


def test_grades_are_in_the_order_of_the_roster_with_students_names_and_ids() -> None:
    graded, others = grades(TABLE, status(), ROSTER, ["Hunter"])
    assert graded == [
        ("clara.zip", "Clara Ä.", "clara@example.org", 62.5, 7.123, 12, "It played 12 matches without a fault."),
        ("dan", "Dan", "00017", 10.0, -0.5, 12, "It played 12 matches without a fault."),
        (None, "Gone", "18", None, None, 0, "There is no file gone.zip."),
    ]
    assert others == [("eve.py", "eve", "eve", None, None, 0, "It has played no match that counts.")]


def test_without_a_roster_a_bot_is_its_own_student_and_its_file_the_id() -> None:
    """Files of one stem are two rows."""
    table = {"table": [row(1, "dan#2", "t/dan.zip", 40.0, 1.0, 2), row(0, "dan", "t/dan.py", 50.0, 1.0, 2)]}
    graded, others = grades(table, status(), {}, [])
    assert [(row.file, row.name, row.id) for row in graded] == [("dan.py", "dan", "dan"), ("dan.zip", "dan#2", "dan")]
    assert others == []


def words(faulty: dict[str, Any], *faults: dict[str, Any]) -> str:
    """The words of the grade of the only bot in the table."""
    [grade], _ = grades({"table": [faulty]}, status(*faults), {}, [])
    return grade.words


def test_faults_are_told_in_words_the_most_frequent_first() -> None:
    clara = row(2, "clara", "t/clara", 62.5, 7.1, 12, timeout=1, exit=2)
    faults = [fault(2, "timeout", "no answer within 1 s"), fault(2, "exit"), fault(2, "exit"), fault(0, "invalid")]
    assert words(clara, *faults) == (
        "It ended before the match was over in 2 of 12 matches. It did not answer in time in 1 of 12 matches. "
        "The first time, at getAction in round 4: no answer within 1 s."
    )
    long = words(clara, fault(2, "exit", "x" * 900, round_=0))
    assert "The first time, at getAction: xxx" in long
    assert len(long) < 500


def test_faults_in_series_that_are_void_are_no_matches_that_count() -> None:
    """The matches of a void series that were played are in the list of faults, and not in the table."""
    faults = [fault(2, "exit"), fault(2, "exit"), fault(2, "exit")]
    failed = words(row(2, "a", "t/a", 0.0, 0.0, 2, exit=2), *faults)
    assert failed.startswith("It ended before the match was over in 2 of 2 matches.")
    assert words(row(2, "a", "t/a", None, None, 0), *faults) == "It has played no match that counts."
    assert words(row(2, "a", "t/a", 50.0, 0.0, 2), *faults) == "It played 2 matches without a fault."
    late = words(row(2, "a", "t/a", 25.0, 0.0, 2, timeout=1), *faults, fault(2, "timeout", "no answer within 1 s"))
    assert late.endswith("The first time, at getAction in round 4: no answer within 1 s.")


def test_a_bot_that_cannot_play_has_no_percent_and_what_its_compiler_said() -> None:
    why = {
        "fay.c": "main.c does not compile: line 1: error: no 'serpent'\nmain.c:1: error: …",
        "hal": "cc -I /home/x/sdk/c ended with exit status 1\nld: …",
        "gil": "no",
    }
    by_name = {row.name: row for row in grades(TABLE, status(unready=why), {}, ["Hunter"])[0]}
    assert by_name["fay.c"][3:] == (
        0.0, None, 0, "It could not be built: main.c does not compile: line 1: error: no 'serpent'",
    )  # fmt: skip
    assert by_name["hal"].words == "It could not be built: cc -I …/c ended with exit status 1"
    assert by_name["gil"][3:] == (0.0, None, 0, "It could not play: no")


def test_a_student_whose_file_is_a_bot_of_another_game_reads_so() -> None:
    """The file is there. Strays that are nobody's in the roster have no row."""
    listed = [
        {"name": name, "bot": f"../teams/{name}", "why": "it plays ava, not snakecore"}
        for name in ("gone.zip", "x.ava")
    ]
    (_, _, gone), others = grades(TABLE, {**status(), "strays": listed}, ROSTER, ["Hunter"])
    assert gone[3:] == (0.0, None, 0, "It could not play: it plays ava, not snakecore")
    assert [row.name for row in others] == ["eve"]


def test_the_table_has_the_columns_of_canvas_and_no_row_without_a_student() -> None:
    graded, _ = grades(TABLE, status(), ROSTER, ["Hunter"])
    assert rows(grades_csv("Cup", graded)) == [
        HEADINGS,
        ["Clara Ä.", "", "clara@example.org", "clara@example.org", "", "62.50", "7.12", "It played 12 matches without a fault."],
        ["Dan", "", "00017", "00017", "", "10.00", "-0.50", "It played 12 matches without a fault."],
        ["Gone", "", "18", "18", "", "", "", "There is no file gone.zip."],
    ]  # fmt: skip


def test_no_text_is_a_formula() -> None:
    evil = "=cmd|'/c calc'!A0"
    [head, cells] = rows(grades_csv(evil, [Grade("x", evil, evil, -1.0, -2.5, 1, evil)]))
    for text in (head[5], cells[0], cells[2], cells[3], cells[7]):
        assert text.startswith("'")
    assert cells[5:7] == ["-1.00", "-2.50"], "numbers are no text"


# -- the command


@pytest.fixture
def graded(cup: Cup) -> Cup:
    """The cup with two reference bots, a student who crashes and one who does not compile, and a roster."""
    cup.says(SETTINGS.replace("duel", "crossroads"))
    for name, path in (("one", "RRDDLLUUN"), ("two", "DDRRUULLN")):
        file = cup.folder / "refs" / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        cup.bot("x", path).rename(file)
    (cup.folder / "bots" / "eel.py").write_text("input()\nprint('eel', flush=True)\n")
    (cup.folder / "bots" / "fay.c").write_text("int main(void) { return serpent; }\n")
    names = ["asp.py", "boa.py", "cobra.py", "eel.py", "fay.c"]
    lines = [f"{name},Student {name[0]},{number}@x.org" for number, name in enumerate(names)]
    (cup.folder / "students.csv").write_text("\n".join(["file,name,id", *lines]))
    return cup


def test_the_settings_are_those_of_the_class_with_the_reference_bots_before_bots_of_the_same_name(cup: Cup) -> None:
    for folder in ("refs", "guests"):
        (cup.folder / folder).mkdir()
        shutil.copy(cup.folder / "bots" / "boa.py", cup.folder / folder)
    text = SETTINGS.replace('maps = ["duel"]', 'maps = ["duel", "maps/own"]\npython = "venv/bin/python3"')
    cup.says(f'anchor = "asp"\n{text}\n[[bot]]\npath = "guests/boa.py"\nname = "Guest: 1"\n')
    home = write_settings(cup.folder, [str(cup.folder / "refs" / "boa.py"), "random"], series=3)
    settings = settings_in(home)
    assert settings.format.given() == {"against": ["boa", "Random"], "each": 3}
    assert (settings.match.rounds, settings.match.seats, settings.match.isolation) == (3, None, "none")
    assert (settings.match.maps, settings.match.python) == (["duel", "../maps/own"], "../venv/bin/python3")
    candidates, unready = list_bots(home, settings, games.find("snakecore"))
    assert [(candidate.bot.name, candidate.source) for candidate in candidates] == [
        ("boa", "../refs/boa.py"), ("Random", "random"), ("asp", "../bots/asp.py"), ("boa#2", "../bots/boa.py"),
        ("cobra", "../bots/cobra.py"), ("dipsas", "../bots/dipsas.py"), ("Guest: 1", "../guests/boa.py"),
    ]  # fmt: skip
    assert unready == []
    with pytest.raises(UsageError, match=f"the reference bots or the number of series have changed; remove {home} to"):
        write_settings(cup.folder, ["random"], series=3)


def test_a_bot_that_is_named_by_the_content_of_its_copy_has_no_grade(cup: Cup) -> None:
    cup.says(f'{SETTINGS}\n[[bot]]\ncontent = "{32 * "0"}"\nname = "Copy"\n')
    with pytest.raises(UsageError, match="bot: grades are of bots, not of their copies"):
        write_settings(cup.folder, ["random"], series=3)


def grade(cup: Cup, *more: str) -> Any:
    refs = ",".join(str(cup.folder / "refs" / f"{name}.py") for name in ("one", "two"))
    return cup.ok("grade", cup.folder, "--against", refs, "--series=2", "--jobs=1", *more)


def test_each_bot_plays_with_reference_bots_only_and_the_table_is_written(graded: Cup) -> None:
    for other in ("boa", "cobra"):
        (graded.folder / "bots" / f"{other}.py").unlink()
    ran = grade(graded)
    path = graded.folder / "grade" / "grades.csv"
    assert ran.out == f"{path}\n"
    marks = {cells[0]: cells[2:] for cells in rows(path.read_text(encoding="utf-8"))[1:]}
    assert list(marks) == [f"Student {letter}" for letter in "abcef"]
    assert marks["Student b"][3:] == ["", "", "There is no file boa.py."]
    assert marks["Student a"][0] == "0@x.org"
    assert marks["Student e"][3] == "0.00"
    assert marks["Student e"][5].startswith("It ended before the match was over in 6 of 6 matches. The first time, at ")
    assert marks["Student f"][3:5] == ["0.00", ""]
    assert "‘serpent’ undeclared" in marks["Student f"][5]
    assert "dipsas.py is not in students.csv, so dipsas is not in the table" in ran.err
    matches = graded.rows("matches", graded.folder / "grade")
    assert {len(match["seats"]) for match in matches} == {3}
    names = [{seat["name"] for seat in match["seats"]} for match in matches]
    assert all({"one", "two"} < group for group in names)
    assert len(matches) == 3 * 2 * 3, "three that can play, two series, three seats"


@pytest.mark.usefixtures("instant")
def test_it_goes_on_where_it_was_killed_and_with_new_bots(graded: Cup) -> None:
    graded.only("asp", "dipsas")
    refs = ",".join(str(graded.folder / "refs" / f"{name}.py") for name in ("one", "two"))
    with gated(graded, 3):
        process = graded.start("grade", graded.folder, "--against", refs, "--series=2", "--jobs=1")
        try:
            assert next(number for number in progress(process) if number >= 3)
        finally:
            process.kill()
            process.communicate()
    assert 0 < grade(graded).err.count("Finished game") < 12
    before = (graded.folder / "grade" / "grades.csv").read_text(encoding="utf-8")

    graded.bot("newt", "RN")
    roster = graded.folder / "students.csv"
    roster.write_text(f"{roster.read_text()}\nnewt.py,Student n,n@x.org\n")
    ran = grade(graded, "--json", "-q")
    document = json.loads(ran.out)
    assert [row["name"] for row in document["grades"]][-2:] == ["Student n", "dipsas"]
    after = (graded.folder / "grade" / "grades.csv").read_text(encoding="utf-8")
    assert after.startswith(before)
    assert (graded.folder / "grade" / "grades.1.csv").read_text(encoding="utf-8") == before
    assert "Student n" in after


def test_bots_of_another_game_than_the_usual_one_are_graded_by_its_name(cup: Cup) -> None:
    pupils = cup.folder / "pupils"
    for name in ("ada", "bo"):
        shutil.copytree(BOTS / "krait", pupils / name)
    assert "name the game, as in `--game=viper`" in cup("grade", pupils, "--against=newt").err
    assert "there is no nobody" in cup("grade", pupils, "--game=viper", "--against=nobody").err
    assert settings_in(pupils / "tournament").game == "viper"


@pytest.mark.parametrize(("words", "says"), [
    (("--against",), "parameter --against requires at least 1 element"),
    (("--against", ","), "for --against: name bots, as in --against collector,hunter"),
    (("--against", "nobody"), "there is no nobody, and no sample bot of that name"),
    (("--against", "newt"), "newt cannot be a reference bot: bot Newt is a program for viper"),
    (("--against", "oracle", "--series=0"), "for --series. Must be >= 1."),
])  # fmt: skip
def test_a_mistake_is_one_line(cup: Cup, words: tuple[str, ...], says: str) -> None:
    ran = cup("grade", cup.folder, *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert "\n" not in ran.err.strip()
    assert not (cup.folder / "grade" / "ledger.sqlite").exists()
