"""What an author reads about a version that failed: on its page and in its JSON, from real builds and checks."""

import json
import re
import tempfile
from html import unescape
from pathlib import Path

import pytest
from arena.web.conftest import MakeLab
from arena.web.lab import Lab
from languages.present import needs
from tournament.conftest import fault_of
from web.raw import Reply

from referee.arena.admission import admit
from referee.arena.uploads import stored_name
from referee.bots.zips import zipped
from referee.compliance import protocol_checks
from referee.files import assets

pytestmark = pytest.mark.machine

SAYS_WHERE = b"name = 'x'\nlanguage = 'cpp'\nbuild = [['sh', '-c', 'echo $SDK $0; pwd; exit 3']]\nrun = ['sh', 'x']\n"
CPP = '#include "snake.h"\nint main() {\n    int x = ;\n' + "".join(f"    y{n};\n" for n in range(100)) + "}\n"


@pytest.fixture
def lab(make_lab: MakeLab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """An arena whose folder and cache have names that nothing else has."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "our-cache"))
    return make_lab('[match]\nisolation = "none"\nfirst = 1\nanswer = 1\n', "ann", folder="our cup")


async def failed(lab: Lab, file: str, content: bytes) -> tuple[Reply, Reply]:
    """An upload is built and checked: its page and its JSON."""
    upload = lab.upload("ann", "dragon", content, file=file)
    lab.files.season(1).mkdir()
    path = lab.files.inbox / stored_name(upload.id, file)
    became = await admit(path, file, "ann/dragon", lab.files, lab.files.season(1), lambda: None)
    lab.decide(upload, "failed", error=became.error, **became.evidence)
    page, document = [await lab.ask("GET", f"{at}/versions/{upload.id}", by="ann") for at in ("", "/api/v1")]
    ours = (assets.folder("sdk").parent, lab.files.root, lab.files.root.parent, tempfile.gettempdir())
    assert not [str(path) for path in ours for text in (page.text, document.text) if f"{path}/" in unescape(text)]
    return page, document


def texts(page: Reply) -> str:
    return unescape(re.sub(r"<[^>]*>", "\n", page.text))


@needs("cpp")
async def test_a_program_that_does_not_compile(lab: Lab) -> None:
    page, document = await failed(lab, "dragon.zip", zipped({"main.cpp": CPP.encode()}))
    assert document.json["error"].startswith("main.cpp does not compile: line 3: error: ")
    assert document.json["steps"][0]["failure"]["change"] == (
        "Correct main.cpp, line 3: later errors often follow from the first."
    )
    compiler = document.json["compiler"]
    assert (len(compiler), bool(re.fullmatch(r"… \d+ more lines", compiler[-1]))) == (201, True)
    assert texts(page).count(document.json["error"]) == 1
    assert texts(page).count("main.cpp:3:13: error: ") == 1
    assert page.text.count(">Compiler output</h") == 1
    [failed_step] = re.findall('<li data-step="1" data-verdict="fail">.*?</li>', page.text, re.DOTALL)
    assert re.search(
        '<div class="evidence"><h3>Compiler output</h3><pre[^>]*>.*main.cpp:3:13: error: ', failed_step, re.DOTALL
    )
    assert "Its stderr" not in page.text
    assert "referee check dragon.zip --game snakecore" in page.text


async def test_a_build_that_says_where_it_is(lab: Lab) -> None:
    page, document = await failed(lab, "x.zip", zipped({"bot.toml": SAYS_WHERE, "x": b""}))
    assert re.fullmatch(r"sdk/cpp .*", document.json["compiler"][0])
    assert "ended with exit status 3" in document.json["error"]
    assert "sdk/cpp" in page.text


async def test_a_program_that_raises_says_where_but_not_on_which_disk(lab: Lab) -> None:
    page, document = await failed(lab, "main.py", b"import sys\nraise ValueError(__file__)\n")
    assert '…/main.py", line 2' in json.dumps(document.json["steps"], ensure_ascii=False).replace("\\", "")
    assert "Its stderr" in page.text


async def test_a_loop_is_named_once_and_what_was_not_tried_is_one_line(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(protocol_checks, "LATE_TIME", 0.1)  # it goes on computing for as long after its limit
    page, document = await failed(lab, "main.py", b"while True:\n    pass\n")
    error = document.json["error"]
    assert re.fullmatch(r"it computed for .* s and had not answered getName; the limit is 1 s", error)
    skipped = sum(step["verdict"] == "skip" for step in document.json["steps"])
    assert skipped > 5
    assert (texts(page).count(error), page.text.count("data-step=")) == (1, len(document.json["steps"]))
    assert page.text.count('data-verdict="skip" hidden=""') == skipped
    assert f"Steps that were not tried: {skipped}." in page.text
    assert "referee check main.py --game snakecore" in page.text


async def test_the_faults_of_matches_name_no_place_either(lab: Lab) -> None:
    lab.user("bob")
    uploads = [lab.upload(author, "dragon", author.encode(), "active") for author in ("ann", "bob")]
    line = f'File "{lab.files.season(1)}/entrants/x/files/main.py", line 2'
    lab.season(uploads, [(0, 1)], faults={0: [fault_of(0, detail=line, stderr=[line])]})
    page, faults = [await lab.ask("GET", at, by="ann") for at in ("/versions/1", "/api/v1/versions/1/faults")]
    [fault] = faults.json
    assert (fault["detail"], fault["stderr"]) == ('File "…/main.py", line 2', ['File "…/main.py", line 2'])
    assert unescape(page.text).count('File "…/main.py", line 2') == 2
