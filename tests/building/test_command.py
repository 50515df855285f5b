"""`referee build`, and building before `referee play`, as users call them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli.conftest import Shell
from languages.present import needs

WAITS = Path(__file__).parents[1] / "languages"
HEADLESS = "#include <stdio.h>\nint main(void) { int x = ; }\n"


@pytest.fixture
def referee(tmp_path: Path) -> Shell:
    """The command line in a folder with a bot in C, a broken one and one in Python; with its own cache."""
    for name in ("waits.c", "waits.py"):
        shutil.copy(WAITS / name, tmp_path)
    (tmp_path / "bad.c").write_text(HEADLESS)
    return Shell(tmp_path, tmp_path / "cache")


@needs("c")
def test_each_bot_gets_a_line(referee):
    first, again = referee("build", "waits.c", "waits.py"), referee("build", "waits.c")
    assert (first.code, again.code, again.err) == (0, 0, "")
    built, nothing = first.out.splitlines()
    assert built.startswith("waits: built in ")
    assert nothing == f"waits#2: nothing to build: {referee.folder / 'waits.py'}"
    assert first.err == "building waits …\n"
    assert again.out.startswith("waits: already built: ")
    product = Path(again.out.split(": ")[2].strip())
    assert product.is_relative_to(referee.cache)
    assert (product / "bot").is_file()
    assert built.endswith(f" s: {product}")
    assert referee("build", "waits.c", "--fresh").out.startswith("waits: built in ")
    assert referee("build", "waits.c", "--fresh", "-q") == type(first)(0, "", "")


@needs("c")
def test_a_failure_shows_its_errors_first_and_the_others_are_built(referee):
    ran = referee("build", "bad.c", "waits.c", "bad.c")
    assert ran.code == 4
    assert ran.out.startswith("waits: built in ")
    lines = [line for line in ran.err.splitlines() if not line.startswith("building ")]
    assert lines[0].startswith("bad.c: In function")
    assert "error: expected expression" in lines[1]
    assert lines[-1].startswith(
        "referee: bot bad cannot be built: gcc -std=c17 -O2 -pipe -o bot bad.c -lm ended with exit "
    )
    assert "error: expected expression" in Path(lines[-1].rpartition(" is in ")[2]).read_text()
    assert sum(line.startswith("referee: ") for line in lines) == 1, "the same bot twice fails once"


@needs("c")
def test_the_report_as_json(referee):
    ran = referee("build", "waits.c", "bad.c", "waits.py", "--json")
    assert (ran.code, ran.err) == (4, "")
    built, bad, nothing = json.loads(ran.out)["bots"]
    assert (built["bot"], built["how"]) == ("waits", "built")
    assert built["seconds"] > 0
    assert Path(built["folder"], "bot").is_file()
    assert Path(built["log"]).is_file()
    assert (bad["bot"], bad["how"]) == ("bad", "failed")
    assert "error: expected expression" in bad["output"]
    assert "cannot be built" in bad["error"]
    assert Path(bad["log"]).is_file()
    assert nothing == {
        "bot": "waits#2", "how": "nothing", "seconds": None, "folder": str(referee.folder / "waits.py"), "log": None,
    }  # fmt: skip


@needs("c")
def test_play_builds_what_it_needs_and_says_so_once(referee):
    words = ("play", "waits.c", "waits.c", "--rounds", "1")
    first, again, quiet = referee(*words), referee(*words), referee(*words, "-q")
    assert [ran.code for ran in (first, again, quiet)] == [0, 0, 0]
    assert first.err.startswith("building waits …\n")
    assert first.err.count("building") == 1
    assert "building" not in again.err
    assert quiet.err == ""
    assert "in C" in again.out


@needs("c")
def test_play_shows_why_a_bot_cannot_be_built(referee):
    ran = referee("play", "bad.c", "waits.py")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.splitlines()[2].startswith("bad.c:2:")
    assert ran.err.splitlines()[-1].startswith("referee: bot bad cannot be built: gcc ")


def test_mistakes_of_users(referee):
    none = referee("build")
    assert (none.code, none.out) == (2, "")
    assert "BOTS requires an argument" in none.err
    gone = referee("build", "nobody")
    assert (gone.code, gone.out) == (4, "")
    assert "there is no bot 'nobody'" in gone.err
