"""The starter kits for ants, and bots in every form, built and started as the referee does."""

from __future__ import annotations

import re
import shlex
import shutil
import textwrap
from functools import cache
from pathlib import Path

import pytest
import trio
from games.playing import shipped
from languages.present import needs
from sdk.ants import asking, templates
from sdk.ants.asking import SDK, Asked, Cell, Program, answers
from sdk.snakes import PlayGetAction
from seating import contenders

from referee import bots, building, games
from referee.contract.clock import Clock, TimeControl
from referee.match import loop
from referee.players.table import seat_players
from referee.sandbox.limits import Level
from referee.sandbox.opening import open_sandbox

GAME = games.find("ants")
NAME = "My ants (2)"
LANGUAGES = ("cpp", "pascal", "python")
# Far more than the bots need, so a busy machine does not affect a match.
TIME = TimeControl(first=45.0, answer=45.0, total=None)
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
        if why := asking.missing(language):
            pytest.skip(why)
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


@needs("cpp")
@needs("pascal")
async def test_every_form_plays_in_a_cell(tmp_path: Path) -> None:
    """A kit, a library, and single files on the command line."""
    written("python", tmp_path / "kit")
    for name in ("library", "cpp", "python"):
        (tmp_path / name).mkdir()
    (tmp_path / "library" / "main.pas").write_text(templates.DELPHI_LIBRARY)
    (tmp_path / "library" / "bot.toml").write_text('name = "Delphi"\nlanguage = "pascal"\n')
    (tmp_path / "cpp" / "main.cpp").write_text(templates.CPP)
    (tmp_path / "python" / "GetAction.py").write_text(f'NAME = "One file"\n{templates.PYTHON}')
    names = ["kit", "library", "cpp/main.cpp", "python/GetAction.py"]
    kits = [bots.find(str(tmp_path / name)) for name in names]
    ready = await building.ready(kits, level=Level.FULL, cache=tmp_path / "builds")
    state = GAME.start(setup(6, 4), 1)
    with trio.fail_after(50), open_sandbox(Level.FULL) as sandbox:
        async with seat_players(sandbox, GAME, contenders(ready)) as players:
            outcome = await loop.play(state, players, [Clock(TIME) for _ in range(4)])
    ranking = sorted(outcome.ranking, key=lambda ranked: ranked.seat)
    assert [(ranked.name, ranked.disqualified) for ranked in ranking] == [
        (NAME, None),
        ("Delphi", None),
        ("player 3", None),
        ("One file", None),
    ]
    assert outcome.reason == "units"


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
        if why := asking.missing(language):
            pytest.skip(why)
        text = (SDK / file).read_text(encoding="utf-8")
        if language == "cpp":
            text = re.sub(r"^// ?", "", text, flags=re.MULTILINE)
        lines = text.partition("A complete bot")[2].partition("sensors[x")[0].splitlines()
        source = textwrap.dedent("\n".join(line for line in lines[1:] if line.startswith("    ") or not line))
        program = {"cpp": asking.cpp, "pascal": asking.pascal, "python": asking.python}[language](tmp_path, source)
        heap = Asked([Cell(food=True)] * 9)
        actions = [reply.split()[0] for reply in answers(program, heap, Asked(heap.cells, food=True), Asked())]
        assert actions == ["8", "3", "3"]
