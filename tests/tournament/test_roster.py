"""`students.csv`: whose bot each file is. Every mistake is one line that names the file and the line."""

from pathlib import Path
from unicodedata import normalize

import pytest

from referee.errors import UsageError
from referee.tournament.roster import Student, roster, student_of, without_bot

CLARA = Student(file="clara.zip", name="Clara Émilie O'Hara", id="clara@example.org")
BORIS = Student(file="Борис", name="Борис, младший", id="00017")


def written(folder: Path, data: str | bytes) -> Path:
    (folder / "students.csv").write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


def test_a_folder_without_a_roster_and_a_header_alone_have_no_students(tmp_path: Path) -> None:
    assert roster(tmp_path) == roster(written(tmp_path, "file,name,id\n")) == {}


@pytest.mark.parametrize("text", [
    'file,name,id\nclara.zip,Clara Émilie O\'Hara,clara@example.org\nБорис,"Борис, младший",00017\n',
    "\ufefffile;name;id\r\nclara.zip;Clara Émilie O'Hara;clara@example.org\r\nБорис;Борис, младший;00017\r\n",
    '"file","name","id"\r\n"clara.zip","Clara Émilie O\'Hara","clara@example.org"\r\n"Борис","Борис, младший","00017"',
    '\n,,\nID , File,Name\n clara@example.org ,clara.zip,Clara Émilie O\'Hara\n,,\n\n00017,Борис,"Борис, младший"\n,,\n',
], ids=["plain", "semicolons of a spreadsheet", "everything quoted", "other order, empty rows, blanks"])  # fmt: skip
def test_students_are_found_by_their_files(tmp_path: Path, text: str) -> None:
    assert roster(written(tmp_path, text)) == {"clara.zip": CLARA, "Борис": BORIS}


@pytest.mark.parametrize(("data", "message"), [
    ("", "line 1: the first row must name the columns file, name, id, and it is empty"),
    ("a.zip,Ann,1\n", "line 1: the first row must name the columns file, name, id, not a.zip, Ann, 1"),
    ("file,name,id,id\n", "line 1: the first row must name the columns file, name, id, not file, name, id, id"),
    ("file\tname\tid\n", r"line 1: the first row must name the columns file, name, id, not file\tname\tid"),
    ("file,name,id\na.zip,Ann\n", "line 2: 2 cells under 3 columns"),
    ("file,name,id\na.zip,O'Hara, Ann,1\n", "line 2: 4 cells under 3 columns: quote cells with commas"),
    ("file,name,id\n\na.zip,,1\n", "line 3: name: must have 1 character or more"),
    ("file,name,id\nx/a.zip,Ann,1\n", "line 2: file: 'x/a.zip' is a path: write the name of the file or folder only"),
    ("file,name,id\na.zip,An\x1bn,1\n", r"line 2: name: 'An\x1bn' is not one line of text"),
    ('file,name,id\na.zip,"An\nn",1\n', r"line 3: name: 'An\nn' is not one line of text"),
    (f"file,name,id\na.zip,{'n' * 201},1\n", "line 2: name: must have at most 200 characters"),
    ("file,name,id\na.zip,Ann,1\nb.zip,Bob,2\na.zip,Ann,3\n", "line 4: file: 'a.zip' is in line 2 too: keep one"),
    ("file,name,id\na.zip,Ann,1\nb.zip,Bob,1\n", "line 3: id: '1' is in line 2 too: keep one of them"),
    ('file,name,id\n"a.zip,Ann,1\n', "line 2: not CSV (unexpected end of data): save it again as CSV"),
    (f'file,name,id\na.zip,"{"n" * 200_000}",1\n', "line 2: not CSV (field larger than field limit (131072))"),
    ("file,name,id\na.zip,Bj\u00f6rn,1\n".encode("cp1252"), "line 2, column 9: byte 9 of the line is not UTF-8"),
    ("\ufefffile\tname\tid\n".encode("utf-16-le"), "save the file as UTF-8"),
    (b"file,name,id\n" + b"\n" * 2**20, "is longer than 1 MiB"),
])  # fmt: skip
def test_a_mistake_is_one_line_with_file_and_line(tmp_path: Path, data: str | bytes, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        roster(written(tmp_path, data))
    error = str(caught.value)
    assert error.startswith(str(tmp_path / "students.csv"))
    assert message in error
    assert "\n" not in error


def test_a_tournament_in_a_folder_of_bots_has_the_roster_of_that_folder(tmp_path: Path) -> None:
    """`referee tournament run submissions` writes its files to `submissions/tournament`."""
    (tmp_path / "students.csv").write_text("file,name,id\nclara.zip,Clara,7\n")
    for inside in ("tournament/grade", "grade", "elsewhere"):
        (tmp_path / inside).mkdir(parents=True)
    for inside in ("tournament", "tournament/grade", "grade"):
        assert roster(tmp_path / inside)["clara.zip"].name == "Clara"
    assert roster(tmp_path / "elsewhere") == {}


def test_accents_may_be_written_in_two_ways(tmp_path: Path) -> None:
    """A Mac writes names of files in another way than a spreadsheet."""
    for first, second in (("NFC", "NFD"), ("NFD", "NFC")):
        students = roster(written(tmp_path, f"file,name,id\n{normalize(first, 'zoë.zip')},Zoë,1\n"))
        student = student_of(students, f"submissions/{normalize(second, 'zoë.zip')}")
        assert student is not None
        assert student.id == "1"
    with pytest.raises(UsageError, match=r"line 3: file: .* is in line 2 too"):
        roster(written(tmp_path, "file,name,id\nzo\u00eb.zip,Zoë,1\nzoe\u0308.zip,Zoë,2\n"))


def test_students_whose_files_are_not_there_are_named(tmp_path: Path) -> None:
    students = roster(written(tmp_path, "file,name,id\nb.py,Bob,2\na.py,Ann,1\nc.py,Cyd,3\n"))
    assert without_bot(students, ["teams/a.py", "teams/b.py", "teams/c.py"]) is None
    assert without_bot(students, ["teams/c.py"]) == "students.csv names files that are not there: a.py, b.py"


def test_of_many_files_that_are_not_there_ten_are_named(tmp_path: Path) -> None:
    students = roster(written(tmp_path, "file,name,id\n" + "".join(f"{n}.py,S{n},{n}\n" for n in range(100, 140))))
    line = without_bot(students, [])
    assert line is not None
    assert line.endswith(": 100.py, 101.py, 102.py, 103.py, 104.py, 105.py, 106.py, 107.py, 108.py, 109.py, 30 more")
