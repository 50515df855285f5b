"""The documents are correct: their examples run, their links work, and ARCHITECTURE.md names every module."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.machine

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(path for name in ("bots", "referee", "sdk") for path in ROOT.glob(f"{name}/**/*.md"))]
)
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = ROOT / "referee" / "docs"
PAGES = [
    ROOT / "README.md",
    *(path for path in sorted(DOCS.glob("*.md")) if "```sh" in path.read_text(encoding="utf-8")),
]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """The names by which links call the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", text.lower(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document):
    for target, heading in re.findall(r"\]\(([^)#\s]*)#?([^)]*)\)", document.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            page = document.parent / target if target else document
            assert page.exists(), target
            assert not heading or heading in anchors(page.read_text(encoding="utf-8")), (target, heading)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_lines_of_prose_have_at_most_132_columns(document):
    prose = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert [line for line in prose.splitlines() if len(line) > 132 and not line.startswith("|")] == []


def shorter(text: str) -> str:
    """The text of a page. Its matches have fewer rounds; its comparison and its check have fewer matches."""
    text = re.sub(r"^referee play (?!.*--(?:game|rounds|setup))", "referee play --rounds=12 ", text, flags=re.MULTILINE)
    rounds = "sed -i 's/^# rounds = .*/rounds = 10/' cup/tournament.toml\n"
    text = text.replace("\nreferee tournament run cup", f"\n{rounds}referee tournament run cup")
    text = text.replace(" --most 16", " --most 2 --rounds 30")
    return text.replace("\nreferee check my.py ", "\nreferee check my.py --matches=1 ")


@pytest.mark.timeout(600)  # about forty matches and checks in sequence, on a machine that may be busy
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_commands_of_a_page_run(page, tmp_path):
    """The folder has the files of earlier pages: the bot of the README and the program of programs.md."""
    bot, _ = blocks(README, "python")
    assert len([line for line in bot.splitlines() if line]) <= 10
    (tmp_path / "my.py").write_text(bot)
    (tmp_path / "mybot").write_text(f"#!/usr/bin/env python3\n{bot}")
    (tmp_path / "mybot").chmod(0o755)
    (program,) = blocks((DOCS / "programs.md").read_text(encoding="utf-8"), "viper")
    (tmp_path / "sidewinder.viper").write_text(program)
    text = shorter(page.read_text(encoding="utf-8"))
    lines = [line for block in blocks(text, "sh") for line in block.splitlines() if not line.startswith("scripts/")]
    environ = {
        **os.environ,
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "HOME": str(tmp_path),
        "SHELL": "/bin/bash",
        "PYTHONPATH": f"{tmp_path / 'site'}:{ROOT / 'sdk' / 'python'}",
    }
    (tmp_path / "site").mkdir()
    script = f'set -eu\nreferee() {{ "{sys.executable}" -m referee "$@"; }}\n'
    script += f'pip() {{ "{sys.executable}" "{ROOT}/tests/installing.py" site "$3"; }}\n' + "\n".join(lines) + "\n"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not re.search(r"^seat \d, .*: (timeout|exit|overflow|invalid)", done.stdout, re.MULTILINE)


def test_the_readme_uses_the_library(tmp_path):
    bot, script = blocks(README, "python")
    (tmp_path / "my.py").write_text(bot)
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("rank  name ")
    assert "Ten Lines" in done.stdout
    assert "round 50 of 300" in done.stdout


def first_rival() -> str:
    """The sample bot that the README names first as an opponent of the first bot."""
    return re.findall(r"^referee play my\.py (\w+) ", README, re.MULTILINE)[0]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_bot_beats_the_first_opponent(tmp_path, seat):
    from referee import play

    (tmp_path / "my.py").write_text(blocks(README, "python")[0])
    line_up = [str(tmp_path / "my.py"), first_rival()]
    for seed in range(1, 4):
        match = play(line_up if seat == 0 else line_up[::-1], seed=seed, rounds=100, isolation="none")
        assert match.ranking[0].name == "Ten Lines", match


@pytest.mark.parametrize("program", ["README.md", "snakecore/main.py", "ants/GetAction.py"])
def test_python_without_the_sdk_says_where_it_is(tmp_path, program):
    """The error of Python shows the line that failed, and its comment."""
    kits = ROOT / "sdk" / "python" / "starter"
    text = blocks(README, "python")[0] if program == "README.md" else (kits / program).read_text(encoding="utf-8")
    (tmp_path / "my.py").write_text(text)
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "my.py"], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
    )
    assert "ModuleNotFoundError" in done.stderr
    assert "PYTHONPATH=$(referee sdk path python)" in done.stderr


CRASHING = """
#include "Snake.h"

char choose(const snake::AreaInfo& area) {
    if (area.turn() == 5) __builtin_trap();
    return area.stepTowards(area.freeBlocks());
}

int main() { snake::run("Buggy", choose); }
"""


@pytest.mark.skipif(not (shutil.which("gdb") and shutil.which("g++")), reason="there is no gdb or no g++")
def test_a_transcript_runs_in_a_debugger(tmp_path):
    (tmp_path / "my.cpp").write_text(CRASHING)
    (block,) = [block for block in blocks((DOCS / "bots.md").read_text(encoding="utf-8"), "text") if "gdb" in block]
    script = f'referee() {{ "{sys.executable}" -m referee "$@"; }}\n' + shorter(block).replace("gdb ", "gdb -q -batch ")
    environ = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    if "ptrace" in done.stderr:
        pytest.skip("gdb may not trace programs here")
    assert re.search(r"^#0 .*\bchoose \(area=\.\.\.\) at my\.cpp:5$", done.stdout, re.MULTILINE), done


def test_the_scripts_of_the_readme_exist():
    first = blocks(README, "sh")[0]
    assert all((ROOT / line.split()[0]).is_file() for line in first.splitlines())


def test_the_table_of_games_in_the_readme_is_correct():
    from referee import games

    rows = re.findall(r"^\| \[`(\w+)`\]\((.+)\) \| (\d+)–(\d+) \|", README, re.MULTILINE)
    assert len(rows) >= 5, "a new game may be missing"
    for name, link, least, most in rows:
        assert link == f"referee/games/{name}/README.md"
        assert range(int(least), int(most) + 1) == games.find(name).seats


def test_the_manifest_in_the_manual_is_valid():
    from referee.bots import Manifest

    (text,) = blocks((DOCS / "bots.md").read_text(encoding="utf-8"), "toml")
    Manifest.model_validate(tomllib.loads(text))


def test_the_manual_lists_the_starter_kits():
    from referee.bots import starter

    rows = re.findall(r"^\| `(\w+)` \| (`.*`) \|$", (DOCS / "bots.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) >= 5, "a new game may be missing"
    for game, languages in rows:
        assert re.findall(r"`(\w+)`", languages) == starter.languages_for(game)


def test_architecture_names_every_package_and_module():
    plan = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    names = {
        path.name + "/" for path in (ROOT / "referee").iterdir() if path.is_dir() and not path.name.startswith("_")
    }
    names |= {path.name for path in (ROOT / "referee").glob("*.py") if not path.name.startswith("_")}
    assert {name for name in names if f"`{name}" not in plan} == set()
