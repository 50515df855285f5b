"""The starter kits for ants, and bots in every form, built and started as the referee does."""

from __future__ import annotations

import re
import shlex
import shutil
import textwrap
from functools import cache
from pathlib import Path

import pytest
from games.playing import shipped
from languages.present import require
from sdk.ants import asking
from sdk.ants.asking import SDK, Asked, Cell, Program, answers
from sdk.snakes import PlayGetAction

from referee import games

GAME = games.find("ants")
NAME = "My ants (2)"
LANGUAGES = ("cpp", "pascal", "python")
WALL = Cell(wall=True)


def setup(units: int, seats: int) -> dict[str, object]:
    return GAME.maps.setup(shipped("ants")["clearing"], seats=seats, rng_seed=5, rounds=units)


def written(language: str, folder: Path) -> Path:
    """The kit with a name, in a new folder."""
    shutil.copytree(SDK / language / "starter" / "ants", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in folder.iterdir():
        file.write_text(file.read_text(encoding="utf-8").replace("@NAME@", NAME), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """`kit(language)`: the kit, built with the command in its README."""

    @cache
    def make(language: str) -> Program:
        require(language)
        folder = written(language, tmp_path_factory.mktemp("kits") / language)
        readme = (folder / "README.md").read_text(encoding="utf-8")
        if language == "python":
            assert "`PYTHONPATH=$(referee sdk path python) python3 -m PlayGetAction`" in readme
            return asking.python(folder, (folder / "GetAction.py").read_text(encoding="utf-8"))
        (line,) = re.findall(r"g\+\+ -.*|fpc -[^`\n]*", readme)
        line = line.replace(f"$(referee sdk path {language})", str(SDK / language)).replace("*.cpp", "main.cpp")
        return asking._built(folder, [shlex.split(line)], "./bot")

    return make


@cache
def asked_in_a_match() -> list[str]:
    """The requests to the Python kit in a match in which the other team does not move."""
    source = (SDK / "python" / "starter" / "ants" / "GetAction.py").read_text(encoding="utf-8")
    scope: dict[str, object] = {}
    exec(compile(source, "GetAction.py", "exec"), scope)
    answer = PlayGetAction._asked(scope["GetAction"])
    state = GAME.start(setup(150, 2), 1)
    asked = []
    while due := state.requests():
        (request,) = due
        if request.ask == "getName":
            state.advance(["Kit"])
            continue
        text = GAME.encode(request)
        line = f"10 0 0 {'0' * 64}".encode()
        if request.seat == 0:
            asked.append(text.decode())
            line = answer(text.splitlines(keepends=True)[1:]).rstrip(b"\n")
        state.advance([GAME.decode("getAction", [line])])
    ranking = state.outcome().ranking
    assert next(ranked.score for ranked in ranking if ranked.seat == 0) >= 10, (
        "the kit collects 10 mg or more without rivals"
    )
    return asked


@pytest.mark.parametrize("language", LANGUAGES)
class TestAKit:
    def test_it_gives_its_name(self, language: str, kit) -> None:
        assert answers(kit(language), "getName\n") == [NAME]

    def test_it_does_what_its_readme_says(self, language: str, kit) -> None:
        """An ant in the top left corner takes a number, walks into the field, takes food, and walks home."""
        corner = [WALL, WALL, WALL, WALL, Cell(7, 95, my_hill=True), Cell(), WALL, Cell(), Cell()]
        (line,) = answers(kit(language), Asked(corner))
        move, puts, mark, memory = line.split()
        assert (move, puts, mark) == ("3", "1", "8"), "the smell 7 is the number of the ant before it"
        aside = Asked([Cell()] * 9, memory=bytes.fromhex(memory))
        with_food = Asked([*[Cell()] * 4, Cell(food=True), *[Cell()] * 4], memory=bytes.fromhex(memory))
        home = Asked([Cell()] * 9, food=True, memory=bytes.fromhex(memory))
        on_hill = Asked(
            [*[Cell()] * 4, Cell(my_hill=True, food=True), *[Cell()] * 4], food=True, memory=bytes.fromhex(memory)
        )
        below = Asked([*[Cell()] * 7, Cell(food=True), Cell()], memory=bytes.fromhex(memory))
        actions = [reply.split()[0] for reply in answers(kit(language), aside, with_food, home, on_hill, below)]
        assert actions == ["3", "8", "1", "9", "2"]

    def test_it_answers_like_the_other_kits(self, language: str, kit) -> None:
        asked = asked_in_a_match()
        assert len(asked) > 700
        assert answers(kit(language), *asked) == answers(kit("python"), *asked)


class TestTheReadme:
    def test_every_file_of_the_sdk_is_in_its_table(self) -> None:
        for file in (
            "cpp/IAntLogic.hpp", "cpp/AntsHost.cpp", "pascal/Ants.pas", "pascal/AntsPlay.pas", "pascal/AntsHost.pas",
            "python/InterGetAction.py", "python/PlayGetAction.py",
        ):  # fmt: skip
            assert f"]({file})" in asking.ANT_SECTION
            assert (SDK / file).is_file()

    @pytest.mark.parametrize("file", ["cpp/IAntLogic.hpp", "pascal/Ants.pas", "python/InterGetAction.py"])
    def test_the_example_at_the_top_of_a_file_plays(self, file: str, tmp_path: Path) -> None:
        language = file.partition("/")[0]
        require(language)
        text = (SDK / file).read_text(encoding="utf-8")
        if language == "cpp":
            text = re.sub(r"^// ?", "", text, flags=re.MULTILINE)
        lines = text.partition("A complete bot")[2].partition("sensors[x")[0].splitlines()
        source = textwrap.dedent("\n".join(line for line in lines[1:] if line.startswith("    ") or not line))
        program = {"cpp": asking.cpp, "pascal": asking.pascal, "python": asking.python}[language](tmp_path, source)
        heap = Asked([Cell(food=True)] * 9)
        actions = [reply.split()[0] for reply in answers(program, heap, Asked(heap.cells, food=True), Asked())]
        assert actions == ["8", "3", "3"]
