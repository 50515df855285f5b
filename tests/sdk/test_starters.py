"""The starter kits, built and started by hand as the READMEs say."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from games.playing import shipped
from languages.present import require
from sdk.programs import LANGUAGES, ROOT, TIME_LIMIT
from sdk.snakes import AreaInfo, Outcome, Python

from referee import bots, games, languages
from referee.bots import starter

SDK = ROOT / "sdk"
README = (SDK / "README.md").read_text(encoding="utf-8")
NAME = "My first bot (2)"
WITHOUT_SDK = ("c", "rust", "go", "ruby")
QUICK_JAVA = {**os.environ, "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
COMMANDS = {"cpp": "g++ ", "pascal": "fpc ", "java": "javac ", "javascript": "NODE_PATH=", "python": "PYTHONPATH="}

FOOD_TO_THE_LEFT = ["getAction", "5", ".....", ".....", ".bp..", ".....", ".....", "0 1 2 2"]
FOOD_BELOW = ["getAction", "3", "pW.", "e..", "..R", "0 1 0 0"]
HOME_ABOVE = [
    "getAction", "5", "R....", "pbbbb", "bbbbb", "b....", ".....", "0 11 0 1 1 1 2 1 3 1 4 1 4 2 3 2 2 2 1 2 0 2 0 3",
]  # fmt: skip
BESIDE_A_RIVAL = ["getAction", "3", "p..", "bbe", "p..", "0 4 0 0 0 1 1 1 2 1", "0 1 0 2"]
WALLED_IN = ["getAction", "1", "p", "0 1 0 0"]


@pytest.mark.parametrize("language", [*LANGUAGES, *WITHOUT_SDK])
def test_a_kit_plays(tmp_path: Path, language: str) -> None:
    command = by_hand(language)
    shutil.copytree(SDK / language / "starter" / "snakecore", tmp_path, dirs_exist_ok=True)
    (source,) = tmp_path.glob("[mM]ain.*")
    assert source.read_text(encoding="utf-8").count("@NAME@") > 0
    for file in tmp_path.iterdir():
        file.write_text(file.read_text(encoding="utf-8").replace("@NAME@", NAME), encoding="utf-8")
    boards = [board for board, _ in asked_in_a_match()] if language in LANGUAGES else []
    own = [*FOOD_TO_THE_LEFT, *FOOD_BELOW, *HOME_ABOVE, *BESIDE_A_RIVAL, *WALLED_IN]
    lines = ["getName", *own, *chain(*boards), "getName"]
    done = ran(command, tmp_path, "".join(f"{line}\r\n" for line in lines))
    assert done.returncode == 0, done.stderr
    name, left, below, home, beside, walled, *others, again = done.stdout.splitlines()[-7 - len(boards) :]
    assert (name, again) == (NAME, NAME)
    assert (left, below, home) == ("L", "D", "U")
    assert beside == "A", "the rival can bite it after every move, and it has an energy block"
    assert walled == "N"
    if language in LANGUAGES:
        assert others == [action for _, action in asked_in_a_match()], "all kits on an SDK play alike"


@pytest.mark.parametrize("language", WITHOUT_SDK)
def test_the_end_of_input_within_a_request_ends_a_kit(tmp_path: Path, language: str) -> None:
    command = by_hand(language)
    shutil.copytree(SDK / language / "starter" / "snakecore", tmp_path, dirs_exist_ok=True)
    _, _, program = command.rpartition("&& ")
    build = ran(command, tmp_path, "")
    assert build.returncode == 0, build.stderr
    for count in range(len(BESIDE_A_RIVAL)):
        done = ran(program, tmp_path, "".join(f"{line}\n" for line in BESIDE_A_RIVAL[:count]))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), count


def ran(command: str, folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a README in a bot's folder, with this input."""
    return subprocess.run(
        ["sh", "-euc", command], cwd=folder, env=QUICK_JAVA, input=text, capture_output=True, text=True,
        timeout=TIME_LIMIT, check=False,
    )  # fmt: skip


@cache
def asked_in_a_match() -> list[tuple[list[str], str]]:
    """The requests of a match of four kits in Python, and their answers."""
    choose = runpy.run_path(str(SDK / "python" / "starter" / "snakecore" / "main.py"))["choose"]
    game = games.find("snakecore")
    state = game.start(game.maps.setup(shipped("snakecore")["arena"], seats=4, rng_seed=5, rounds=60), 1)
    asked = []
    while due := state.requests():
        (request,) = due
        if request.ask == "getName":
            state.advance(["Kit"])
            continue
        board = game.encode(request).decode().splitlines()
        asked.append((board, choose(AreaInfo.parse(board))))
        state.advance([asked[-1][1]])
    return asked


def by_hand(language: str) -> str:
    """The README's line that builds and starts a bot of a language. Skips if a tool is missing."""
    require(language)
    if language in LANGUAGES:
        (line,) = re.findall(rf"^{re.escape(COMMANDS[language])}.*$", README, re.MULTILINE)
        return line.replace("SDK", str(SDK / language))
    text = (SDK / language / "starter" / "snakecore" / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^(.*\S) +# by hand", text, re.MULTILINE)
    return line if languages.find(language).compiler is None else f"{line} && ./bot"


@pytest.mark.parametrize("game", games.names())
def test_the_kits_name_only_existing_sample_bots(game: str) -> None:
    for language in starter.languages_for(game):
        text = (starter.kit(language, game) / "README.md").read_text(encoding="utf-8")
        (words,) = re.findall(r"^referee play \. ((?:\w[\w-]* ?)+)", text, re.MULTILINE)
        assert set(words.split()) <= set(bots.samples(game)), language


def test_a_build_by_hand_writes_nothing_into_an_sdk() -> None:
    kit = (SDK / "pascal" / "starter" / "snakecore" / "README.md").read_text(encoding="utf-8")
    lines = [line for text in (kit, README) for line in re.findall(r"fpc -[^`\n]*", text)]
    assert len(lines) == 2
    assert all("-FU. " in line for line in lines)


class TestTheReadme:
    def test_every_member_of_python_is_in_a_table(self) -> None:
        tables = " ".join(line for line in README.splitlines() if line.startswith("|"))
        members = {name for kind in (AreaInfo, Outcome, Python) for name in vars(kind) if not name.startswith("_")}
        members |= {*Python.__annotations__, "size", "turn", "pythons"}
        assert {name for name in members if not re.search(rf"\b{name}\b", tables)} == set()

    @pytest.mark.parametrize("language", ["cpp", "java", "javascript", "pascal"])
    def test_every_member_of_the_table_is_in_every_sdk(self, language: str) -> None:
        column = 3 if language == "pascal" else 2
        rows = [line.split("|") for line in README.splitlines() if line.startswith("| `") and line.count("|") == 5]
        assert len(rows) > 15
        code = "".join(
            path.read_text(encoding="utf-8")
            for path in (SDK / language).iterdir()
            if path.suffix in {".h", ".java", ".js", ".pas"}
        )
        names = {name for row in rows for name in re.findall(r"`(?:T?AreaInfo\.)?(\w+)\(?", row[column])}
        assert {
            name for name in names - {"AreaInfo", "text", "toString"} if not re.search(rf"\b{name}\b", code)
        } == set()
