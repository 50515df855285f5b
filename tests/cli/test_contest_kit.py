"""The kit of a contest: what is in it, and that its people can build and play with it."""

import os
import re
import shutil
import subprocess
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from languages.present import needs

import referee
from referee import bots, games, languages
from referee.bots import starter
from referee.cli import contest_kit

CONTESTS = ("snakecore", "ants")
PAIRS = [(game, language) for game in CONTESTS for language in starter.languages_for(game)]
STARTERS = [pytest.param(*pair, marks=needs(pair[1]), id="-".join(pair)) for pair in PAIRS]


@pytest.fixture(scope="module")
def kits(tmp_path_factory) -> dict[str, Path]:
    """The unpacked kits by game, far from the checkout."""
    path = tmp_path_factory.mktemp("kits")
    for game in CONTESTS:
        zipfile.ZipFile(BytesIO(contest_kit.pack(games.find(game)))).extractall(path)
    return {game: path / f"{game}-kit" for game in CONTESTS}


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_what_is_in_a_kit(kits):
    names = files(kits["ants"])
    assert {name for name in names if "/" not in name} == {"README.md"}
    rules = {name.removeprefix("rules/") for name in names if name.startswith("rules/")}
    assert rules == {"ants.md", "ants.ru.md", "protocol.md", "saved-games.md"}
    assert {"sdk/README.md", "sdk/cpp/IAntLogic.hpp", "sdk/pascal/Ants.pas", "sdk/python/InterGetAction.py"} < names
    assert {name.split("/")[1] for name in names if name.startswith("starters/")} == {"cpp", "pascal", "python"}
    assert {name.split("/")[1] for name in names if name.startswith("samples/")} == {"drifter", "forager"}
    names = files(kits["snakecore"])
    assert {"sdk/cpp/Snake.h", "sdk/pascal/Snake.pas", "sdk/java/contest/Jbot.java"} < names
    assert not any("starter/" in name or name.endswith(".pyc") for name in names)


@pytest.mark.parametrize("game", games.names())
def test_a_kit_is_the_same_byte_by_byte(game, tmp_path, monkeypatch):
    first = contest_kit.pack(games.find(game))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert contest_kit.pack(games.find(game)) == first
    entries = zipfile.ZipFile(BytesIO(first)).infolist()
    assert {(entry.date_time, entry.external_attr >> 16) for entry in entries} == {((1980, 1, 1, 0, 0, 0), 0o100644)}
    names = [entry.filename for entry in entries]
    assert names == sorted(set(names))
    assert len({name.lower() for name in names}) == len(names), "Windows could not unpack it"
    assert all(name.startswith(f"{game}-kit/") and ".." not in name.split("/") for name in names)


def test_files_that_compilers_left_are_not_packed(tmp_path, monkeypatch):
    sdk = contest_kit.assets.folder("sdk")
    shutil.copytree(sdk, tmp_path / "sdk")
    for left in ("pascal/Snake.ppu", "java/JBot.class", "python/__pycache__/snake.pyc", "cpp/starter/ants/main.o"):
        (tmp_path / "sdk" / left).parent.mkdir(exist_ok=True)
        (tmp_path / "sdk" / left).write_bytes(b"")
    before = contest_kit.pack(games.find("snakecore"))
    where = contest_kit.assets.folder
    monkeypatch.setattr(contest_kit.assets, "folder", lambda name: tmp_path / "sdk" if name == "sdk" else where(name))
    assert contest_kit.pack(games.find("snakecore")) == before


@pytest.mark.parametrize("game", CONTESTS)
def test_every_link_leads_to_a_file_of_the_kit(game, kits):
    links = 0
    for page in kits[game].rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert "@NAME@" not in text or page.parent.name == "sdk", "the SDKs' README explains it"
        for target in re.findall(r"\]\((?!https:)([^)#]+)[^)]*\)", text):
            assert (page.parent / target).is_file(), (page, target)
            links += 1
    assert links > 10


def test_pages_lose_nothing_but_links(kits):
    there = Path(referee.__file__).parent / "docs" / "protocol.md"
    text, packed = (path.read_text(encoding="utf-8") for path in (there, kits["ants"] / "rules" / "protocol.md"))
    assert "](../games/ants/README.md)" in text
    assert "](ants.md)" in packed
    assert "snakecore" not in "".join(re.findall(r"\]\(.*?\)", packed))
    assert re.sub(r"\]\([^)]*\)|\[", "", packed) == re.sub(r"\]\([^)]*\)|\[", "", text)


def by_hand(kit: Path, language: str) -> str:
    (line,) = re.findall(rf"^\| `starters/{language}` \| `(.*)` \|$", (kit / "README.md").read_text(), re.MULTILINE)
    return line


@pytest.mark.parametrize(("game", "language"), STARTERS)
def test_the_readme_builds_and_runs_every_starter_by_hand(game, language, kits, tmp_path):
    shutil.copytree(kits[game], tmp_path / "kit")
    done = subprocess.run(
        ["sh", "-euc", by_hand(kits[game], language)],
        cwd=tmp_path / "kit" / "starters" / language,
        env={name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | {"LANG": "C.UTF-8"},
        input="getName\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["My bot"]), done.stderr


@pytest.mark.parametrize("game", CONTESTS)
def test_a_starter_plays_against_the_samples_of_the_kit(game, kits, tmp_path, monkeypatch):
    """`test_new.py` has matches of the starters in the other languages."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rivals = sorted(map(str, (kits[game] / "samples").iterdir()))
    bot = str(kits[game] / "starters" / "python")
    match = referee.play([bot, *rivals], game=game, seed=5, rounds=4, first=60, answer=60, total=600)
    assert (match.faults, match.rounds, match.names[0]) == ({}, 4, "My bot")


@pytest.mark.parametrize("game", CONTESTS)
def test_the_commands_for_the_referee_name_what_is_in_the_kit(game, kits):
    (block,) = re.findall(r"^```sh\n(.*?)^```$", (kits[game] / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    play, check = (line.split() for line in block.splitlines())
    option = [f"--game={game}"] if game != games.find().name else []
    bot, *rivals = play[2 : len(play) - len(option)]
    assert play == ["referee", "play", bot, *rivals, *option]
    assert check == ["referee", "check", bot, *option]
    assert [bots.find(str(kits[game] / path)).name for path in (bot, *rivals)]
    assert len(rivals) == contest_kit.SAMPLES


def test_a_program_in_a_games_own_language_is_not_built(tmp_path):
    packed = zipfile.ZipFile(BytesIO(contest_kit.pack(games.find("viper"))))
    readme = packed.read("viper-kit/README.md").decode()
    assert "\n| `starters/viper` | nothing to build: the referee runs it |\n" in readme
    assert "viper" not in languages.names()
