"""From the words of `tournament.toml` to entrants whose content is frozen."""

import errno
import os
import shutil
import zipfile
from pathlib import Path

import pytest
from cli.conftest import WALKER
from tournament.conftest import Cup

from referee import games
from referee.bots import find
from referee.errors import RefereeError, UsageError
from referee.sandbox.runtimes import base_python
from referee.tournament.copies import copy_bot, load
from referee.tournament.drafting import home
from referee.tournament.entering import list_bots
from referee.tournament.entry_list import EntryList
from referee.tournament.field import Candidate, Unready
from referee.tournament.settings import settings_in

pytestmark = pytest.mark.machine

GAME = games.find("snakecore")


async def entered(cup: Cup, bots: str, game: str = "snakecore") -> tuple[list[Candidate], list[Unready]]:
    """The field of a cup with these bots."""
    cup.says(f'name = "Cup"\ngame = "{game}"\n{bots}\n[match]\nisolation = "none"\n')
    return await EntryList(cup.folder, games.find(game)).complete(settings_in(cup.folder), lambda _: None)


async def names(cup: Cup, bots: str, game: str = "snakecore") -> list[str]:
    """The names of those that can play."""
    return [entrant.name for entrant in (await entered(cup, bots, game))[0]]


def test_a_copy_that_finds_the_disk_full_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(RefereeError, match=r"free space there, or move the folder of the tournament$"):
        copy_bot(tmp_path, find("random"), "key")


def test_a_copy_is_run_by_the_virtual_environment_that_its_command_names(tmp_path, monkeypatch) -> None:
    """A copy of the interpreter would not find what is installed there."""
    monkeypatch.chdir(tmp_path)
    python = tmp_path / "venv/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to(base_python())
    (tmp_path / "venv/pyvenv.cfg").write_text(f"home = {base_python().parent}\n")
    (tmp_path / "kaa.py").write_text("print(1)\n")
    bot = load(tmp_path, copy_bot(tmp_path, find("cmd:venv/bin/python kaa.py"), ""), "kaa")
    assert (bot.argv, os.listdir(bot.cwd)) == ([str(python), "kaa.py"], ["kaa.py"])


async def test_a_pattern_finds_bots_by_path_in_bytes(cup: Cup) -> None:
    for name in ("Zeta", "ärger", "beta"):
        cup.bot(name, "N")
    (cup.folder / "bots" / "README.txt").write_text("no bot")
    (cup.folder / "bots" / ".hidden.py").write_text("no bot")
    assert await names(cup, 'bots = ["bots/*"]') == ["Zeta", "asp", "beta", "boa", "cobra", "dipsas", "ärger"]


async def test_the_same_files_under_two_names_have_one_content(cup: Cup) -> None:
    shutil.copy(cup.folder / "bots" / "boa.py", cup.folder / "boa.py")
    ready, _ = await entered(cup, 'bots = ["bots/boa.py", "boa.py", "bots/asp.py"]')
    assert ready[0].content == ready[1].content != ready[2].content


async def test_copies_that_a_killed_run_left_unfinished_are_removed(cup: Cup) -> None:
    left = cup.folder / "entrants" / ".0123456789abcdef" / "files"
    left.mkdir(parents=True)
    (left / "asp.py").write_text("half of it")
    ready, _ = await entered(cup, 'bots = ["bots/asp.py"]')
    assert [path.name for path in (cup.folder / "entrants").iterdir()] == [ready[0].content]


@pytest.mark.parametrize(("bots", "message"), [
    ('bots = ["bots/boa.py", "nobody"]', r"bots\.1: there is no .*nobody, and no sample bot of that name"),
    ('bots = ["teams/*"]', r"bots\.0: nothing that 'teams/\*' fits is a bot"),
    ('bots = ["bots"]', r'bots\.0: .*bots holds bots and is not one: write "bots/\*"'),
    ('[[bot]]\npath = "bots/*"', r"bot\.0\.path: bots/\* names several bots"),
])  # fmt: skip
async def test_a_bot_that_does_not_exist_is_named_with_file_and_key(cup: Cup, bots: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        await entered(cup, bots)
    assert str(caught.value).startswith(str(cup.folder / "tournament.toml"))


async def test_each_bot_that_does_not_exist_is_named(cup: Cup) -> None:
    with pytest.raises(UsageError, match=r"bots\.0: there is no .*nobody") as caught:
        await entered(cup, 'bots = ["nobody", "bots/boa.py", "human"]\n[[bot]]\npath = "nowhere"')
    keys = [line.split(": ")[1] for line in caught.value.others]
    assert keys == ["bots.2", "bot.0.path"]


@pytest.mark.parametrize(("anchor", "says"), [
    ("asp", None),
    ("boa#2", None),
    ("lost", None),
    ("Dipsa", "no bot is called 'Dipsa' (did you mean 'dipsas'?)"),
    ("Oracle", "no bot is called 'Oracle'"),
    ("notes.txt", "no bot is called 'notes.txt'"),
])  # fmt: skip
def test_an_anchor_is_the_name_of_a_bot(cup: Cup, anchor: str, says: str | None) -> None:
    """It need not be ready."""
    (cup.folder / "bots" / "notes.txt").write_text("no bot")
    (cup.folder / "lost").mkdir()
    (cup.folder / "lost" / "bot.toml").write_text("name = 3")
    cup.says(f'name = "Cup"\nbots = ["bots/*", "bots/boa.py", "lost"]\nanchor = "{anchor}"\n')
    if says is None:
        assert len(list_bots(cup.folder, settings_in(cup.folder), GAME)[0]) == 5
        return
    with pytest.raises(UsageError) as refused:
        list_bots(cup.folder, settings_in(cup.folder), GAME)
    assert str(refused.value) == f"{cup.folder / 'tournament.toml'}: anchor: {says}"


async def test_a_bot_whose_folder_may_not_be_copied_is_listed(cup: Cup) -> None:
    folder = cup.folder / "bots" / "fifo"
    folder.mkdir()
    (folder / "main.py").write_text(WALKER)
    os.mkfifo(folder / "pipe")
    _, [fifo] = await entered(cup, 'bots = ["bots/*"]')
    assert "pipe is a FIFO" in fifo.why


def zipped(path: Path, files: dict[str, str], year: int = 2026) -> None:
    """Write a ZIP file of these files, as of this year."""
    with zipfile.ZipFile(path, "w") as file:
        for name, text in files.items():
            file.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), text)


async def test_zip_files_are_bots_like_folders(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cup.folder / "cache"))
    zipped(cup.folder / "bots" / "Ada L.zip", {"ada/main.py": WALKER, "__MACOSX/ada/._main.py": ""})
    zipped(cup.folder / "bob.zip", {"bot.toml": 'name = "Bob"\nlanguage = "python"', "main.py": WALKER})
    ready, unready = await entered(cup, 'bots = ["bots/*"]\n[[bot]]\npath = "bob.zip"')
    assert [entrant.name for entrant in ready] == ["Ada L", "asp", "boa", "cobra", "dipsas", "Bob"]
    assert unready == []
    shutil.rmtree(cup.folder / "cache")
    (cup.folder / "bob.zip").unlink()
    assert (load(cup.folder, ready[-1].content, "Bob").cwd / "main.py").read_text() == WALKER


async def test_a_folder_of_zip_files_is_a_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "class").mkdir()
    for name in ("ada", "bob"):
        zipped(tmp_path / "class" / f"{name}.zip", {"main.py": WALKER})
    folder = home(tmp_path / "class", game=None, say=lambda _: None)
    candidates, unready = list_bots(folder, settings_in(folder), GAME)
    assert ([candidate.bot.name for candidate in candidates], unready) == (["ada", "bob"], [])


async def test_the_same_files_zipped_again_are_the_same_entrant(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cup.folder / "cache"))
    files = {"main.py": WALKER, "board.py": ""}
    zipped(cup.folder / "ada.zip", files, 2020)
    [before], _ = await entered(cup, 'bots = ["ada.zip"]')
    zipped(cup.folder / "ada.zip", {f"ada/{name}": files[name] for name in reversed(files)}, 2026)
    assert (await entered(cup, 'bots = ["ada.zip"]'))[0] == [before]
    zipped(cup.folder / "ada.zip", {**files, "board.py": "#"}, 2026)
    assert (await entered(cup, 'bots = ["ada.zip"]'))[0] != [before]


async def test_an_edited_bot_has_another_content_and_the_old_copy_stays(cup: Cup) -> None:
    [before], _ = await entered(cup, 'bots = ["bots/boa.py"]')
    cup.bot("boa", "U")
    [after], _ = await entered(cup, 'bots = ["bots/boa.py"]')
    assert before.content != after.content
    for entrant, path in ((before, "DDRRUULLN"), (after, "U")):
        copy = load(cup.folder, entrant.content, "boa").cwd / "boa.py"
        assert f'print("{path}"' in copy.read_text()
    cup.bot("boa", "DDRRUULLN")
    [again], _ = await entered(cup, 'bots = ["bots/boa.py"]')
    assert again == before


async def test_a_copy_is_started_from_where_the_folder_is_now(cup: Cup, tmp_path: Path) -> None:
    (cup.folder / "bots" / "eel.c").write_text("int main(void) { return 0; }\n")
    ready, _ = await entered(cup, 'bots = ["bots/boa.py", "bots/eel.c"]')
    moved = cup.folder.rename(tmp_path / "moved")
    boa, eel = (load(moved, entrant.content, entrant.name) for entrant in ready)
    assert boa.argv == [str(base_python()), "boa.py"]
    assert boa.cwd == moved / "entrants" / ready[0].content / "files"
    assert Path(eel.argv[0]).parent == eel.cwd
    assert os.access(eel.argv[0], os.X_OK)


async def test_the_content_of_a_compiled_bot_is_the_key_of_its_build(cup: Cup) -> None:
    source = cup.folder / "bots" / "eel.c"
    source.write_text("#include <stdio.h>\nint main(void) { puts(__TIME__); return 0; }\n")
    [before], _ = await entered(cup, 'bots = ["bots/eel.c"]')
    source.touch()
    [same], _ = await entered(cup, 'bots = ["bots/eel.c"]')
    source.write_text("int main(void) { return 1; }\n")
    [other], _ = await entered(cup, 'bots = ["bots/eel.c"]')
    assert before.content == same.content != other.content


async def test_a_program_in_a_games_own_language_is_copied_too(cup: Cup) -> None:
    shutil.copytree(Path(__file__).parents[2] / "bots" / "newt", cup.folder / "bots" / "newt")
    [newt], _ = await entered(cup, 'bots = ["bots/newt"]', "viper")
    shutil.rmtree(cup.folder / "bots")
    assert load(cup.folder, newt.content, "newt").policy is not None


async def of_content(cup: Cup, content: str) -> tuple[list[Candidate], list[Unready]]:
    """The field of a cup with the copy of a bot in the middle."""
    entry = '[[bot]]\npath = "bots/{}.py"\n'
    copy = f'[[bot]]\ncontent = "{content}"\nname = "Copy"\nseeding = 2\n'
    return await entered(cup, entry.format("asp") + copy + entry.format("cobra"))


async def test_a_bot_can_be_named_by_the_content_of_its_copy(cup: Cup, tmp_path: Path) -> None:
    (cup.folder / "bots" / "eel.c").write_text("int main(void) { return 0; }\n")
    [eel], _ = await entered(cup, 'bots = ["bots/eel.c"]')
    (cup.folder / "bots" / "eel.c").unlink()
    ready, unready = await of_content(cup, eel.content)
    assert [bot.name for bot in ready] == ["asp", "Copy", "cobra"]
    assert ready[1] == Candidate("Copy", eel.content, 2, f"entrants/{eel.content}")
    assert unready == []


async def test_a_copy_that_the_file_names_must_be_there_and_whole(cup: Cup) -> None:
    nothing = 32 * "0"
    with pytest.raises(UsageError) as refused:
        await of_content(cup, nothing)
    where = cup.folder / "entrants" / nothing
    message = f"{cup.folder}/tournament.toml: bot.1.content: there is no bot in {where}: put its copy there"
    assert str(refused.value) == message
    [boa], _ = await entered(cup, 'bots = ["bots/boa.py"]')
    path = cup.folder / "entrants" / boa.content / "entrant.json"
    text = path.read_text()
    elsewhere = path.with_name("elsewhere.json")
    elsewhere.write_text(text)
    path.unlink()
    for make in (lambda: path.write_text("{"), lambda: path.symlink_to(elsewhere), lambda: os.mkfifo(path)):
        make()
        with pytest.raises(UsageError, match=r"the copy of Copy cannot be read .*: remove this folder, and run again"):
            await of_content(cup, boa.content)
        path.unlink()
    path.write_text(text.replace("python3", "/nowhere/python"))
    _, [copy] = await of_content(cup, boa.content)
    assert (copy.name, "there is no program" in copy.why) == ("Copy", True)


def called(cup: Cup, text: str) -> list[str]:
    """What the bots are called with these settings."""
    cup.says(f'name = "Cup"\n{text}\n[run]\nrng_seed = 1\n')
    ready, _ = list_bots(cup.folder, settings_in(cup.folder), GAME)
    return [entrant.bot.name for entrant in ready]


def test_bots_can_be_called_as_their_files(cup: Cup) -> None:
    """Without `[[bot]]` for each: a file by its stem, a folder by its name, and a name of its own in `[[bot]]` goes first."""
    for folder in ("dora", "emil"):
        (cup.folder / "bots" / folder).mkdir()
        (cup.folder / "bots" / folder / "main.py").write_text("print('x')")
        (cup.folder / "bots" / folder / "bot.toml").write_text('name = "Viper"\nlanguage = "python"\n')
    bots = 'bots = ["bots/[de]*"]'
    assert called(cup, bots) == ["dipsas", "Viper", "Viper#2"]
    assert called(cup, f'{bots}\nnames = "file"') == ["dipsas", "dora", "emil"]
    assert called(cup, 'names = "file"\n[[bot]]\npath = "bots/dora"\nname = "D"') == ["D"]


def test_a_roster_says_whose_file_a_bot_is(cup: Cup) -> None:
    (cup.folder / "students.csv").write_text("file;name;id\nasp.py;Ada Lovelace;s1\ncobra.py;Ada Lovelace;s2\n")
    assert called(cup, 'bots = ["bots/*"]') == ["Ada Lovelace", "boa", "Ada Lovelace#2", "dipsas"]
    (cup.folder / "old").mkdir()
    shutil.copy(cup.folder / "bots" / "asp.py", cup.folder / "old")
    which = r"asp\.py is the name of .*bots/asp\.py and of .*old/asp\.py"
    with pytest.raises(UsageError, match=rf"^students\.csv: {which}: rename"):
        called(cup, 'bots = ["bots/*", "old/*"]')


def test_a_source_is_the_path_from_the_folder_whatever_names_it(cup: Cup) -> None:
    cup.says('name = "Cup"\nbots = ["bots/a*", "oracle", "bots/boa.py", "bots/boa.py"]\n[run]\nrng_seed = 1\n')
    ready, _ = list_bots(cup.folder, settings_in(cup.folder), GAME)
    assert [entrant.source for entrant in ready] == ["bots/asp.py", "oracle", "bots/boa.py", "bots/boa.py#2"]
