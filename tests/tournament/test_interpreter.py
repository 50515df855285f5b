"""`match.python`: the organiser's virtual environment runs the bots in Python, so they can import what it has."""

import shutil
import subprocess
import sys

import pytest
from tournament.conftest import SETTINGS, Cup

pytestmark = pytest.mark.machine

NEEDY = r"""import sys
import lucky

for line in sys.stdin:
    if line == "getName\n":
        print("NAME", flush=True)
    elif line == "getAction\n":
        print(lucky.ANSWER, flush=True)
"""


@pytest.fixture
def needy(cup: Cup) -> Cup:
    """A tournament of bots that import a package, which only a virtual environment beside it has. One is a script."""
    cup.only("asp", "boa")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", cup.folder / "venv"], check=True)
    (packages,) = cup.folder.glob("venv/lib/python3*/site-packages")
    (packages / "lucky.py").write_text('ANSWER = "N"\n')
    for bot in (cup.folder / "bots").iterdir():
        bot.write_text(NEEDY.replace("NAME", bot.stem))
    script = cup.folder / "bots/dipsas/play"
    script.parent.mkdir()
    (script.parent / "bot.toml").write_text('name = "dipsas"\nrun = ["./play"]\n')
    script.write_text(f"#!/usr/bin/env python3\n{NEEDY.replace('NAME', 'dipsas')}")
    script.chmod(0o755)
    return cup


def faults(cup: Cup) -> int:
    """How many bots were disqualified in all matches."""
    return sum(seat["disqualified"] is not None for row in cup.rows("matches", cup.folder) for seat in row["seats"])


@pytest.mark.parametrize("isolation", ["none", "full"])
def test_bots_import_what_the_interpreter_of_the_contest_has(needy: Cup, isolation: str):
    if isolation == "full" and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    settings = SETTINGS.replace('isolation = "none"', f'isolation = "{isolation}"')
    needy.says(settings.replace("[match]", '[match]\npython = "venv/bin/python3"'))
    needy.ok("run", needy.folder, "-q")
    assert faults(needy) == 0


def test_without_it_they_cannot(needy: Cup):
    assert needy("run", needy.folder, "-q").code == 0
    assert faults(needy) > 0


@pytest.mark.usefixtures("instant")
def test_an_interpreter_that_is_not_there_is_refused(cup: Cup):
    cup.says(SETTINGS.replace("[match]", '[match]\npython = "venv/bin/python3"'))
    for words in (("run", cup.folder), ("check", cup.folder)):
        assert f"match.python: there is no program {cup.folder}/venv/bin/python3" in cup(*words, code=2).err
    cup.says(SETTINGS.replace("[match]", f'[match]\npython = "{sys.executable}"'))
    assert cup("run", cup.folder, "-q").code == 0, "no match was played, so it can be corrected"


def test_a_program_that_is_no_python_is_refused_before_all_bots_are_at_fault(cup: Cup):
    cup.says(SETTINGS.replace("[match]", '[match]\npython = "/bin/ls"'))
    for words in (("run", cup.folder), ("check", cup.folder)):
        assert "match.python: /bin/ls is no Python 3: name one" in cup(*words, code=2).err
