"""Folders from the contest, with their own copy of the interface, build and play without changes."""

from __future__ import annotations

import struct
import tomllib
from functools import partial
from pathlib import Path

import pytest
import trio
from languages.present import needs
from sdk.ants import asking, templates
from sdk.ants.asking import SDK, Asked, Program, answers, at_random
from seating import contenders as seats_of

from referee import bots, building, games
from referee.contract.clock import TimeControl
from referee.files import assets
from referee.match import loop
from referee.players.table import seated
from referee.sandbox.limits import Level
from referee.sandbox.opening import opened

GAME = games.find("ants")
# Far more than the bots need, so a busy machine does not affect a match.
TIME = TimeControl(first=45.0, answer=45.0, total=None)
ASKED = [at_random(seed) for seed in range(50)]
ZEROS = "00" * 32
FOLDERS = {
    "main.cpp": ("cpp", {"main.cpp": templates.CPP, "IAntLogic.hpp": templates.CPP_INTERFACE}),
    "a library": ("pascal", {"DelphiSample.dpr": templates.DELPHI_LIBRARY, "Ants.pas": templates.PASCAL_INTERFACE}),
    "a program": ("pascal", {"DelphiSample.dpr": templates.DELPHI_PROGRAM, "Ants.pas": templates.PASCAL_INTERFACE}),
    "GetAction.py": (
        "python",
        {"GetAction.py": templates.PYTHON, "InterGetAction.py": templates.PYTHON_INTERFACE},
    ),
}
"""The four templates: their language and their files."""
EXPORTED = 'extern "C" __declspec(dllexport)'
VARIANTS = {
    "a header in a folder": (
        "cpp",
        {
            "main.cpp": templates.CPP.replace('"IAnt', '"api/IAnt'),
            "api/IAntLogic.hpp": templates.CPP_INTERFACE,
        },
    ),
    "a header that declares it for C": (
        "cpp",
        {
            "main.cpp": templates.CPP,
            "IAntLogic.hpp": "#pragma once\n"
            + templates.CPP_INTERFACE
            + 'extern "C" AntAction GetAction(const Ant &ant, AntSensor sensors[3][3]);\n',
        },
    ),
    "a copy of our header": (
        "cpp",
        {"main.cpp": templates.CPP, "IAntLogic.hpp": (SDK / "cpp/IAntLogic.hpp").read_text()},
    ),
    "a function that a library for Windows exports": (
        "cpp",
        {
            "main.cpp": templates.CPP.replace("AntAction GetAction(", f"{EXPORTED} AntAction __stdcall GetAction("),
            "IAntLogic.hpp": templates.CPP_INTERFACE,
        },
    ),
    "a header that exports it from a library for Windows": (
        "cpp",
        {
            "main.cpp": templates.CPP,
            "IAntLogic.hpp": "#pragma once\n"
            + templates.CPP_INTERFACE
            + f"{EXPORTED} AntAction GetAction(const Ant &ant, AntSensor sensors[3][3]);\n",
        },
    ),
    "a library without its resource file": (
        "pascal",
        {
            "DelphiSample.dpr": templates.DELPHI_LIBRARY.replace("\nuses", "\n{$R *.res}\n\nuses", 1),
            "Ants.pas": templates.PASCAL_INTERFACE,
        },
    ),
    "a program without its resource file": (
        "pascal",
        {
            "DelphiSample.dpr": templates.DELPHI_PROGRAM.replace("Ants;", "Ants;\n\n{$R *.RES}", 1),
            "Ants.pas": templates.PASCAL_INTERFACE,
        },
    ),
    "a unit that is named with its file": (
        "pascal",
        {
            "DelphiSample.dpr": templates.DELPHI_LIBRARY.replace("Ants;", "SysUtils, Ants in 'Ants.pas';"),
            "Ants.pas": templates.PASCAL_INTERFACE,
        },
    ),
    "a unit in small letters": (
        "pascal",
        {"DelphiSample.dpr": templates.DELPHI_PROGRAM, "ants.pas": templates.PASCAL_INTERFACE},
    ),
    "a copy of our unit": (
        "pascal",
        {"main.pas": templates.FREE_PASCAL, "Ants.pas": (SDK / "pascal/Ants.pas").read_text()},
    ),
    "a library with our unit": ("pascal", {"main.pas": templates.DELPHI_LIBRARY}),
    "modules of its own": (
        "python",
        {
            "GetAction.py": "from brain import GetAction\n",
            "brain.py": templates.PYTHON,
            "InterGetAction.py": templates.PYTHON_INTERFACE,
        },
    ),
}


def brought(folder: Path, kind: str, manifest: str = "") -> Path:
    language, files = (FOLDERS | VARIANTS)[kind]
    if why := asking.missing(language):
        pytest.skip(why)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if manifest:
        (folder / "bot.toml").write_text(manifest, encoding="utf-8")
    return folder


def built(folder: Path, cache: Path) -> Program:
    """Build the program of a folder, which is harmless and needs no sandbox."""
    (bot,) = trio.run(partial(building.ready, [bots.find(str(folder))], level=Level.NONE, cache=cache))
    return Program(bot.argv, bot.cwd, {**bot.env, "PYTHONDONTWRITEBYTECODE": "1"})


@pytest.mark.parametrize("kind", [*FOLDERS, *VARIANTS])
def test_it_gives_the_expected_answer_to_every_request(kind: str, tmp_path: Path) -> None:
    program = built(brought(tmp_path / "bot", kind), tmp_path / "builds")
    assert answers(program, *ASKED) == [templates.expected(asked) for asked in ASKED]


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_manifest_needs_a_name_and_a_language(kind: str, tmp_path: Path) -> None:
    language, _ = FOLDERS[kind]
    path = brought(tmp_path / "bot", kind, f'name = "Formica"\nlanguage = "{language}"\n')
    assert bots.find(str(path)).name == "Formica"
    assert answers(built(path, tmp_path / "builds"), "getName\n", ASKED[0]) == ["Formica", templates.expected(ASKED[0])]


@pytest.fixture(scope="module")
def contenders(tmp_path_factory):
    """The four templates, found by their folders and built in the sandbox."""
    base = tmp_path_factory.mktemp("contest")
    folders = [brought(base / str(number), kind) for number, kind in enumerate(FOLDERS)]
    entries = [bots.find(str(folder)) for folder in folders]
    return trio.run(partial(building.ready, entries, level=Level.FULL, cache=base / "builds"))


@needs("cpp")
@needs("pascal")
@pytest.mark.parametrize("level", Level)
async def test_all_play_a_match_to_its_end(level: Level, contenders: list[bots.Bot]) -> None:
    # At level reduced, programs run as other users, which may have no access to the interpreter of the tests.
    line_up = [bot for bot in contenders if level is not Level.REDUCED or bot.language.name != "python"]
    document = tomllib.loads((assets.folder("maps") / "ants" / "clearing.toml").read_text())
    state = GAME.start(GAME.maps.setup(document, seats=len(line_up), rng_seed=5, rounds=12), 1)
    with trio.fail_after(100), opened(level) as sandbox:
        async with seated(sandbox, GAME, seats_of(line_up)) as players:
            outcome = await loop.play(state, players, loop.clocks_for(TIME, len(line_up)))
    assert (outcome.reason, outcome.rounds) == ("units", 12)
    assert [ranked.disqualified for ranked in outcome.ranking] == [None] * len(line_up)


def test_an_existing_resource_file_is_kept(tmp_path: Path) -> None:
    folder = brought(tmp_path / "bot", "a library without its resource file")
    empty = struct.pack("<2I4H4I", 0, 32, 0xFFFF, 0, 0xFFFF, 0, 0, 0, 0, 0)
    text = b"brought along"
    entry = struct.pack("<2I4H4I", len(text), 32, 0xFFFF, 10, 0xFFFF, 1, 0, 0, 0, 0) + text + b"\0" * 3
    (folder / "DelphiSample.res").write_bytes(empty + entry)
    program = built(folder, tmp_path / "builds")
    assert text in (Path(program.folder) / "bot.so").read_bytes()
    assert answers(program, ASKED[0]) == [templates.expected(ASKED[0])]


class TestFailures:
    def test_a_bot_without_the_function_names_it(self, tmp_path: Path) -> None:
        for kind, words in [
            ("main.cpp", b"there is no AntAction GetAction(const Ant &ant, AntSensor sensors[3][3])"),
            ("a library", b"write `exports GetAction;` behind the procedure"),
            ("a program", b"write `exports GetAction;` behind the procedure"),
        ]:
            folder = brought(tmp_path / kind, kind)
            for path in folder.iterdir():
                text = path.read_text().replace("exports\n  GetAction;", "")
                path.write_text(text.replace("AntAction GetAction(", "AntAction getAction("))
            done = built(folder, tmp_path / "builds").run(Asked().text.encode())
            assert (done.returncode != 0, done.stdout) == (True, b"")
            assert words in done.stderr

    def test_a_host_without_its_library_names_it(self, tmp_path: Path) -> None:
        folder = brought(tmp_path / "bot", "a library")
        program = built(folder, tmp_path / "builds")
        (Path(program.folder) / "bot.so").chmod(0o644)
        Path(program.folder).chmod(0o755)
        (Path(program.folder) / "bot.so").unlink()
        done = program.run(b"getName\n")
        assert (done.returncode, done.stdout) == (217, b"")
        assert b"bot.so: cannot open shared object file" in done.stderr

    def test_a_manifest_with_a_build_can_name_the_host(self, tmp_path: Path) -> None:
        manifest = (
            'name = "Formica"\nlanguage = "cpp"\n'
            'build = [["g++", "-O0", "-I", "{sdk}", "-o", "bot", "main.cpp", "{sdk}/AntsHost.cpp"]]\n'
        )
        folder = brought(tmp_path / "bot", "main.cpp", manifest)
        assert answers(built(folder, tmp_path / "builds"), ASKED[0]) == [templates.expected(ASKED[0])]

    def test_the_readme_has_that_build_line(self) -> None:
        assert '"main.cpp", "{sdk}/AntsHost.cpp"]]' in asking.ANT_SECTION


def test_a_program_with_its_own_main_keeps_it(tmp_path: Path) -> None:
    folder = brought(tmp_path / "bot", "main.cpp")
    (folder / "other.cpp").write_text('#include <cstdio>\nint main() { std::puts("mine"); }\n')
    assert built(folder, tmp_path / "builds").run(b"getName\n").stdout == b"mine\n"
