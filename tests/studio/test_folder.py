"""What a studio lists of a folder, and what never has a name in it."""

import os
import shutil
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.studio import folder as room
from referee.studio import pages
from referee.studio.folder import Folder
from referee.studio.jobs import Job, Jobs
from referee.studio.matches import Matches
from referee.web.answers import Refusal
from referee.web.events import Events

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests" / "records" / "viper.jsonl"
PROGRAM = "name: X\n"


@pytest.fixture(autouse=True)
def no_history(monkeypatch: pytest.MonkeyPatch) -> None:
    """No matches of the user who runs the tests."""
    monkeypatch.setattr("referee.cli.history.matches", list[Path])


def bots(folder: Path) -> list[str]:
    return [*Folder(folder).bots()]


def test_bots_are_files_and_folders_by_their_paths(tmp_path: Path) -> None:
    (tmp_path / "a.viper").write_text(PROGRAM)
    for name in ("bots/one", "bots/two"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "main.py").write_text("")
    (tmp_path / "bots/one/bot.toml").write_text('name = "One"\nrun = ["python3", "main.py"]\n')
    (tmp_path / "notes.txt").write_text("")
    assert bots(tmp_path) == ["a.viper", "bots/one", "bots/two"]
    (tmp_path / "b.viper").write_text(PROGRAM)  # a change is seen at once
    assert bots(tmp_path) == ["a.viper", "b.viper", "bots/one", "bots/two"]


def test_programs_have_their_suffix_only_where_names_would_be_the_same(tmp_path: Path) -> None:
    for name in ("a.viper", "b.viper", "b.ava", "in/a.ava"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(PROGRAM)
    folder = Folder(tmp_path)
    assert list(folder.programs()) == ["a", "b.ava", "b.viper", "in/a"]
    assert folder.program("in/a") == folder.program("in/a.ava") == tmp_path / "in/a.ava"
    for name in ("b", "c", "../a", f"{tmp_path}/a", ""):
        with pytest.raises(Refusal):
            folder.program(name)


def test_a_program_with_a_mistake_can_be_edited(tmp_path: Path) -> None:
    for name in ("a.viper", "in/b.viper"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("name: X\nnonsense\n")
    listed = [(bot["edit"], bot["error"].partition(":")[0]) for bot in pages.bots_of(Folder(tmp_path))["bots"]]
    assert listed == [("a", "a.viper, line 2, column 1"), ("in/b", "b.viper, line 2, column 1")]


def test_a_program_is_read_again_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.viper").write_bytes((ROOT / "bots/krait/krait.viper").read_bytes())
    (tmp_path / "b.py").write_text("")  # what it needs may have been installed meanwhile
    found, find = list[str](), pages.bot_room.find
    monkeypatch.setattr(pages.bot_room, "find", lambda word: (found.append(Path(word).name), find(word))[1])

    def errors() -> list[bool]:
        return ["error" in bot for bot in pages.bots_of(Folder(tmp_path))["bots"]]

    assert errors() == errors() == [False, False]
    assert found == ["a.viper", "b.py", "b.py"]
    (tmp_path / "a.viper").write_text("nonsense")
    assert errors() == [True, False]


def test_what_was_meant_as_a_bot_is_listed_with_what_to_rename(tmp_path: Path) -> None:
    for name in ("a.viper.txt", "b.VIPER", "notes.txt"):
        (tmp_path / name).write_text(PROGRAM)
    listed = {bot["name"]: bot["error"] for bot in pages.bots_of(Folder(tmp_path))["bots"]}
    why = "does not have the suffix of a source file: rename it to"
    assert listed == {"a.viper.txt": f"a.viper.txt {why} a.viper", "b.VIPER": f"b.VIPER {why} b.viper"}


def test_no_link_and_no_pipe_has_a_name(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    inside = tmp_path / "inside"
    for path in (outside, inside):
        path.mkdir()
    (outside / "secret.viper").write_text(PROGRAM)
    shutil.copy(RECORD, outside / "secret.jsonl")
    for name in ("secret.viper", "secret.jsonl"):
        (inside / name).symlink_to(outside / name)
    (inside / "folder").symlink_to(outside)
    (inside / "loop").symlink_to(inside)
    os.mkfifo(inside / "pipe.viper")
    os.mkfifo(inside / "pipe.jsonl")
    (inside / ".hidden.viper").write_text(PROGRAM)
    (inside / os.fsdecode(b"bad\xff.viper")).write_text(PROGRAM)
    folder = Folder(inside)
    assert (folder.bots(), folder.programs(), folder.saved_games()) == ({}, {}, {})


def test_saved_games_are_found_by_an_id_and_never_by_a_path(tmp_path: Path) -> None:
    for age, name in ((2, "old.jsonl"), (1, "new.jsonl")):
        shutil.copy(RECORD, tmp_path / name)
        os.utime(tmp_path / name, (10**9 - age, 10**9 - age))
    folder = Folder(tmp_path)
    games = folder.saved_games()
    assert [path.name for path in games.values()] == ["new.jsonl", "old.jsonl"]
    assert all(folder.saved_game(wanted) == path for wanted, path in games.items())
    for name in ("old.jsonl", "../inside/old.jsonl", str(tmp_path / "old.jsonl"), ""):
        with pytest.raises(Refusal):
            folder.saved_game(name)


async def test_matches_are_listed_by_when_they_were_played(tmp_path: Path) -> None:
    text = RECORD.read_text()
    for age, name in ((1, "2026-01-31"), (3, "2027-01-31"), (2, "2025-01-31")):
        (tmp_path / f"{name}.jsonl").write_text(text.replace("2026-01-31", name, 1))
        os.utime(tmp_path / f"{name}.jsonl", (10**9 - age, 10**9 - age))
    jobs, request = Jobs(tmp_path, Events()), {"game": "snakecore", "seats": ["nobody"]}
    jobs._jobs["lost"] = Job("lost", "match", request, state="failed", created="2026-07-01T12:00:00Z")
    listed = [match.get("file") or match["id"] for match in Matches(Folder(tmp_path), jobs).listed()]
    assert listed == ["2027-01-31.jsonl", "lost", "2026-01-31.jsonl", "2025-01-31.jsonl"]


def test_a_match_of_a_game_that_is_not_installed_is_not_played_again(tmp_path: Path) -> None:
    saved = tmp_path / "chess.jsonl"
    saved.write_text(RECORD.read_text().replace('"viper"', '"chess"', 1))
    for page in (lambda: pages.play(Folder(tmp_path), [], saved), lambda: pages.ask("0", saved, Folder(tmp_path))):
        with pytest.raises(UsageError, match="no game is called 'chess'"):
            page()


def test_a_list_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST", 3)
    monkeypatch.setattr(room, "ENTRIES", 8)
    monkeypatch.setattr(room, "SOURCES", 4)
    (tmp_path / "z").mkdir()
    for number in range(5):
        (tmp_path / f"f{number}.viper").write_text(PROGRAM)
        (tmp_path / f"z/g{number}.ava").write_text(PROGRAM)
        (tmp_path / f"h{number}.jsonl").write_text("")
    assert bots(tmp_path) == ["f0.viper", "f1.viper", "f2.viper"]
    assert list(Folder(tmp_path).programs()) == ["f0", "f1", "f2"]
    assert {path.name for path in Folder(tmp_path).saved_games().values()} == {"h0.jsonl", "h1.jsonl", "h2.jsonl"}
    for number in range(5):
        (tmp_path / f"f{number}.viper").unlink()
    assert bots(tmp_path) == ["z/g0.ava", "z/g1.ava"], "z has more files than a bot without a manifest"


def test_folders_below_the_third_are_not_read(tmp_path: Path) -> None:
    for path in ("a/b/x.viper", "a/b/c/y.viper"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(PROGRAM)
    assert list(Folder(tmp_path).programs()) == ["a/b/x"]


def test_a_folder_that_is_gone_is_empty(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "gone")
    assert (folder.bots(), folder.programs(), folder.saved_games()) == ({}, {}, {})


def test_no_saved_game_is_looked_at_as_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder has thousands of them, and each look takes 0.2 ms."""
    (tmp_path / "main.py").write_text("print(1)\n")
    for number in range(20):
        (tmp_path / f"{number}.jsonl.gz").write_bytes(b"")
    looked = list[Path]()
    monkeypatch.setattr(room, "is_bot", lambda path: looked.append(path) or True)
    assert (list(Folder(tmp_path).bots()), looked) == (["main.py"], [tmp_path / "main.py"])
