"""Bots that were written by the words of the contests play as they are, and as they come from Windows.

The rules of SnakeCore's contest print no code. They name the class `Jbot`, the files `Snake.pas` and `Snake.h`, and the class
`AreaInfo`. Those of the contest for ants print the interfaces, which are in `ants/contest`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from languages.present import needs
from sdk.ants import templates
from sdk.ants.test_contest_folders import FOLDERS, VARIANTS

import referee
from referee import bots, building
from referee.files import assets
from referee.sandbox.limits import Level

SDK = assets.folder("sdk")
JAVA = """\
class Kaa extends Jbot
{
    public String getName() { return "Питон №1"; }
    public char getAction(AreaInfo area) { return Brain.choose(area); }
}
"""
JAVA_BRAIN = "class Brain { static char choose(AreaInfo area) { return area.stepTowards(area.freeBlocks()); } }\n"
PASCAL = "program Kaa;\n\nuses\n  Snake, Brain;\n\nbegin\n  Run('Питон №1', @Choose);\nend.\n"
PASCAL_BRAIN = """\
unit Brain;

interface

uses
  Snake;

function Choose(const area: AreaInfo): Char;

implementation

{$I Body.inc}

end.
"""
PASCAL_BODY = """\
function Choose(const area: AreaInfo): Char;
begin
  Choose := area.StepTowards(area.FreeBlocks);
end;
"""
CPP = '#include "Snake.h"\n#include "lib/Brain.h"\n\nint main() { snake::run("Питон №1", choose); }\n'
CPP_BRAIN = """\
#include "Snake.h"

inline char choose(const AreaInfo& area) { return area.stepTowards(area.freeBlocks()); }
"""
BOTS = {
    "Jbot": ("snakecore", "java", {"Kaa.java": JAVA, "Brain.java": JAVA_BRAIN}),
    "Snake.pas": ("snakecore", "pascal", {"Kaa.pas": PASCAL, "Brain.pas": PASCAL_BRAIN, "Body.inc": PASCAL_BODY}),
    "Snake.h": ("snakecore", "cpp", {"kaa.cpp": CPP, "lib/Brain.h": CPP_BRAIN}),
    **{kind: ("ants", *FOLDERS[kind]) for kind in ("main.cpp", "GetAction.py")},
    "a resource file": ("ants", *VARIANTS["a library without its resource file"]),
    "a unit with its file": ("ants", *VARIANTS["a unit that is named with its file"]),
    "our unit": ("ants", "pascal", {"DelphiSample.dpr": templates.DELPHI_LIBRARY}),
    "our header": ("ants", "cpp", {"main.cpp": templates.CPP}),
}
"""The game, the language and the files of each bot."""
EXACT = ("java", "python")
"""Languages that distinguish case on Windows too."""
NAMED = re.compile(r"(?:lib/)?\b(?:Snake|Brain|Body|Ants|IAntLogic)\b(?:\.\w+)?")
"""Matches a file or a unit that a source names."""


def written(files: Mapping[str, str], folder: Path) -> str:
    """The bot's folder with these files."""
    for name, text in files.items():
        path = folder / "bot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(folder / "bot")


def plays(game: str, files: Mapping[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """These files are a bot that builds in the jail and plays a match against a sample bot without a fault."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    rival = {"snakecore": "collector", "ants": "drifter"}[game]
    match = referee.play([written(files, folder), rival], game=game, seed=5, rounds=4, first=60, answer=60, total=600)
    assert (match.faults, match.rounds) == ({}, 4)
    assert match.names[0] == ("Питон №1" if game == "snakecore" else "bot")


def from_windows(language: str, files: Mapping[str, str]) -> dict[str, str]:
    """The files of a bot as Notepad saves them, with other spellings where Windows accepts them.

    Free Pascal itself finds a file in small letters or in capitals, so those here are mixed.
    """
    changed = {}
    for name, text in files.items():
        if language not in EXACT:
            name, text = name.title(), NAMED.sub(lambda match: match[0].swapcase(), text)
        changed[name] = "\ufeff" + text.replace("\n", "\r\n")
    return changed


def each(kinds: Iterable[str]) -> pytest.MarkDecorator:
    """Runs a test for each of these bots."""
    return pytest.mark.parametrize("kind", [pytest.param(kind, marks=needs(BOTS[kind][1])) for kind in kinds])


@each(["Snake.pas", "Snake.h", "our header"])  # ants/test_contest_folders.py and the test of classes have the others
def test_it_plays_as_it_is(kind, tmp_path, monkeypatch):
    game, _, files = BOTS[kind]
    plays(game, files, tmp_path, monkeypatch)


@each(BOTS)
def test_it_plays_as_it_comes_from_windows(kind, tmp_path, monkeypatch):
    game, language, files = BOTS[kind]
    plays(game, from_windows(language, files), tmp_path, monkeypatch)


def test_no_files_of_the_sdks_differ_by_case_only():
    names = [str(path).lower() for path in SDK.rglob("*")]
    assert len(names) == len(set(names))


@needs("java")
@pytest.mark.parametrize("base", ["Jbot", "JBot"])
async def test_no_classes_of_a_java_bot_differ_by_case_only(base, tmp_path):
    """On Windows, one of them would overwrite the other when the bot is built by hand."""
    files = {"Kaa.java": JAVA.replace("Jbot", base), "Brain.java": JAVA_BRAIN}
    (bot,) = await building.ready([bots.find(written(files, tmp_path))], level=Level.NONE, cache=tmp_path / "builds")
    names = [path.name for path in bot.cwd.iterdir()]
    assert f"{base}.class" in names
    assert len({name.lower() for name in names}) == len(names)
