"""Who can play, as files change: what is unchanged is not looked at again, and nobody waits for a build. No compiler is run."""

import os
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from tournament.conftest import Builds, Cup

from referee import bots, building, games
from referee.bots import Bot, Unbuilt, starter
from referee.building import BuildResult, tools
from referee.errors import BotError, UsageError
from referee.files import assets
from referee.sandbox.tempdir import remove
from referee.tournament import entry_list
from referee.tournament.entry_list import EntryList, fingerprint
from referee.tournament.field import Candidate, Unready
from referee.tournament.settings import settings_in

SETTINGS = 'name = "Cup"\nbots = ["bots/*"]\n[match]\nisolation = "none"\n'
GAME = games.find("snakecore")


@dataclass
class Entries:
    """The entry list of a cup with asp, boa, cobra and dipsas, and what was done since the last `reset`.

    Attributes:
        found, built, copied: the names of bots and words.
        tools: of the builds. sdk: the folder of those that need one.
    """

    cup: Cup
    bots: EntryList
    sdk: Path
    builds: Builds
    found: list[str] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    tools: str = "gcc 1"

    @property
    def built(self) -> list[str]:
        return self.builds.begun

    def reset(self) -> None:
        """Forget it."""
        for done in (self.found, self.built, self.copied):
            done.clear()

    async def complete(self) -> tuple[list[Candidate], list[Unready]]:
        return await self.bots.complete(settings_in(self.cup.folder), lambda _: None)

    def current(self) -> list[str]:
        """The names of those that are ready, and of those that cannot play with an exclamation mark."""
        ready, unready = self.bots.current(settings_in(self.cup.folder))
        return [bot.name for bot in ready] + [f"{bot.name}!" for bot in unready]

    async def prepare(self) -> None:
        await self.bots.prepare(lambda _: None)


@pytest.fixture
def entries(cup: Cup, builds: Builds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Entries:
    """All bots but `asp` are built, with an SDK."""
    cup.says(SETTINGS)
    builds.may_end.set()
    entries = Entries(cup, EntryList(cup.folder, GAME), tmp_path / "sdk", builds)
    entries.sdk.mkdir()
    find, copy_bot = bots.find, entry_list.copy_bot

    def find_unbuilt(word: str) -> Bot:
        bot = find(word)
        entries.found.append(bot.name)
        return replace(bot, unbuilt=Unbuilt((("gcc",),), bot.argv, sdk=entries.sdk)) if bot.name != "asp" else bot

    def copy(folder: Path, bot: Bot, key: str) -> str:
        entries.copied.append(bot.name)
        return copy_bot(folder, bot, key)

    monkeypatch.setattr(bots, "find", find_unbuilt)
    monkeypatch.setattr(entry_list, "copy_bot", copy)
    monkeypatch.setattr(tools, "toolchain", lambda *_, jailed: ([], [entries.tools]))
    return entries


async def test_what_has_not_changed_is_not_built_or_copied_again(cup: Cup, entries: Entries) -> None:
    before = await entries.complete()
    assert [bot.name for bot in before[0]] == entries.built == entries.copied == ["asp", "boa", "cobra", "dipsas"]
    entries.reset()
    assert await entries.complete() == before
    assert entries.found == entries.built == entries.copied == []
    cup.bot("boa", "RUN")
    (_, boa, *_), _ = await entries.complete()
    assert boa.content != before[0][1].content
    assert set(entries.found) == {"boa"}
    assert entries.built == entries.copied == ["boa"]


async def test_a_build_depends_on_its_tools_and_the_sdks(
    entries: Entries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game_sdk := tmp_path / "game_sdk").mkdir()
    monkeypatch.setattr(assets, "sdk", lambda _game, _language: game_sdk)
    await entries.complete()
    entries.reset()
    entries.tools = "gcc 2"
    await entries.complete()
    assert entries.built == ["boa", "cobra", "dipsas"]
    for sdk in (entries.sdk, game_sdk):
        entries.reset()
        (sdk / "snake.h").touch()
        await entries.complete()
        assert entries.built == ["boa", "cobra", "dipsas"]


async def test_a_zip_file_is_unpacked_again_if_it_is_needed_again(
    cup: Cup, entries: Entries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cup.folder.parent / "cache"))
    with zipfile.ZipFile(cup.folder / "bots" / "eel.zip", "w") as file:
        file.write(cup.folder / "bots" / "boa.py", "eel/main.py")
    before = await entries.complete()
    remove(cup.folder.parent / "cache")
    entries.tools = "gcc 2"
    assert await entries.complete() == before
    assert (before[1], "eel" in [bot.name for bot in before[0]]) == ([], True)


async def test_a_new_name_in_the_file_is_looked_at(cup: Cup, entries: Entries) -> None:
    await entries.complete()
    entries.reset()
    cup.says(SETTINGS.replace("bots/*", "bots/[bcd]*") + '[[bot]]\npath = "bots/asp.py"\nname = "Cleo"\nseeding = 1\n')
    ready, _ = await entries.complete()
    assert (ready[-1].name, ready[-1].seeding) == ("Cleo", 1)
    assert entries.copied == ["Cleo"]


async def test_a_bot_that_is_named_by_its_content_is_read_once_and_not_built(cup: Cup, entries: Entries) -> None:
    [*_, dipsas], _ = await entries.complete()
    entries.reset()
    cup.says(f'{SETTINGS}[[bot]]\ncontent = "{dipsas.content}"\nname = "Copy"\n')
    assert entries.current() == ["asp", "boa", "cobra", "dipsas", "Copy"]
    await entries.prepare()
    assert entries.found == entries.built == []
    with pytest.raises(UsageError, match="a shard makes its own copies"):
        EntryList(cup.folder, GAME, cup.folder / "part").current(settings_in(cup.folder))
    (cup.folder / "entrants" / dipsas.content / "entrant.json").unlink()
    assert entries.current()[-1] == "Copy"


async def test_a_copy_that_is_gone_is_made_again(cup: Cup, entries: Entries) -> None:
    [asp, *_], _ = await entries.complete()
    entries.reset()
    remove(cup.folder / "entrants" / asp.content)
    assert (await entries.complete())[0][0] == asp
    assert entries.copied == ["asp"]


async def test_a_failed_build_is_not_tried_again_until_something_changes(cup: Cup, entries: Entries) -> None:
    entries.builds.broken = {"boa"}
    _, before = await entries.complete()
    assert before == [Unready("boa", "bots/boa.py", "boa.c does not compile: line 3: error: x; no x\nx?")]
    entries.reset()
    assert (await entries.complete())[1] == before
    assert entries.built == []
    entries.builds.broken = set()
    cup.bot("boa", "RUN")
    assert (await entries.complete())[1] == []


async def test_an_edited_bot_stays_as_it_was_until_it_is_prepared(cup: Cup, entries: Entries) -> None:
    before, _ = await entries.complete()
    cup.bot("boa", "RUN")
    settings = settings_in(cup.folder)
    assert entries.bots.current(settings) == (before, [])
    await entries.prepare()
    after, _ = entries.bots.current(settings)
    assert [bot.content for bot in after] != [bot.content for bot in before]
    entries.builds.broken = {"boa"}
    cup.bot("boa", "URN")
    assert entries.bots.current(settings) == (after, [])
    await entries.prepare()
    assert entries.current() == ["asp", "cobra", "dipsas", "boa!"]
    (cup.folder / "bots" / "boa.py").unlink()
    assert entries.current() == ["asp", "cobra", "dipsas"]


async def test_bots_are_prepared_once_at_a_time(cup: Cup, entries: Entries, builds: Builds) -> None:
    await entries.complete()
    cup.bot("boa", "RUN")
    entries.current()
    entries.reset()
    builds.may_end = trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(entries.prepare)
        await builds.wait.wait()
        entries.current()
        await entries.prepare()  # returns at once
        builds.may_end.set()
    assert entries.built == ["boa"]


async def test_what_is_prepared_while_all_builds_are_awaited_stays_so(
    cup: Cup, entries: Entries, monkeypatch: pytest.MonkeyPatch
) -> None:
    each = building.build_each

    async def meanwhile(those: Sequence[Bot], **more: Any) -> list[BuildResult | BotError]:
        monkeypatch.setattr(building, "build_each", each)
        cup.bot("eel", "N")
        entries.current()
        await entries.prepare()
        return await each(those, **more)

    monkeypatch.setattr(building, "build_each", meanwhile)
    await entries.complete()
    assert entries.current()[-1] == "eel"


@pytest.fixture
def editing(cup: Cup, entries: Entries, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """While the first of these bots is built, its author edits it."""
    files: list[str] = []
    each = building.build_each

    async def edited(those: Sequence[Bot], **more: Any) -> list[BuildResult | BotError]:
        if files:
            cup.bot(files.pop(), "URN")
        return await each(those, **more)

    monkeypatch.setattr(building, "build_each", edited)
    return files


async def test_a_bot_that_changes_while_it_is_prepared_is_left_for_the_next_look(
    cup: Cup, entries: Entries, editing: list[str]
) -> None:
    before, _ = await entries.complete()
    cup.bot("boa", "RUN")
    settings = settings_in(cup.folder)
    entries.bots.current(settings)
    editing.append("boa")
    await entries.prepare()
    assert entries.bots.current(settings) == (before, [])
    await entries.prepare()
    assert entries.bots.current(settings)[0] != before


@pytest.mark.parametrize("language", starter.languages_for("snakecore"))
def test_bots_in_any_language_are_looked_at(tmp_path: Path, language: str) -> None:
    starter.write(starter.kit(language, "snakecore"), tmp_path / "bots" / "boa", "Boa")
    (tmp_path / "tournament.toml").write_text(SETTINGS)
    [seen], strays = EntryList(tmp_path, GAME, tmp_path)._look(settings_in(tmp_path))
    assert (seen.entry.bot.name, strays) == ("Boa", [])


# Fingerprints.


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "inner").mkdir(parents=True)
    (folder / "main.py").write_text("print(1)")
    (folder / "inner" / "board.py").write_text("")
    (folder / "link").symlink_to(tmp_path / "nowhere")
    return folder


def _same_size_and_time(bot: Path) -> None:
    before = os.stat(bot / "main.py")
    (bot / "main.py").write_text("print(2)")
    os.utime(bot / "main.py", ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", [
    _same_size_and_time,
    lambda bot: (bot / "main.py").chmod(0o755),
    lambda bot: (bot / "main.py").rename(bot / "bot.py"),
    lambda bot: (bot / "inner" / "board.py").unlink(),
    lambda bot: (bot / "more").write_text(""),
    lambda bot: (bot / "more").mkdir(),
    lambda bot: (bot / "link").unlink(),
], ids=["same size and time", "may be executed", "renamed", "gone", "a file", "a folder", "no link"])  # fmt: skip
def test_a_change_shows(bot: Path, change: Callable[[Path], None]) -> None:
    before = fingerprint(bot)
    assert fingerprint(bot) == before
    change(bot)
    assert fingerprint(bot) != before


def test_what_no_player_gets_does_not_count(bot: Path) -> None:
    before = fingerprint(bot)
    for folder in (bot, bot / "inner"):
        (folder / "__pycache__").mkdir()
        (folder / "__pycache__" / "board.pyc").write_text("x")
    assert fingerprint(bot) == before


def test_a_link_to_a_bot_is_followed(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "named").symlink_to(bot)
    before = fingerprint(tmp_path / "named")
    assert before == fingerprint(bot)
    (bot / "main.py").unlink()
    assert fingerprint(tmp_path / "named") != before


def test_of_a_folder_with_too_many_files_the_uppermost_are_looked_at(
    bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry_list, "Limits", lambda: SimpleNamespace(folder_files=3))
    for number in range(5):
        (bot / "inner" / str(number)).touch()
    assert [name for name, *_ in fingerprint(bot)] == ["", "/inner", "/link", "/main.py"]


def test_a_change_shows_beside_a_folder_that_cannot_be_looked_at(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def listdir(path: str) -> list[str]:
        if path.endswith("/inner"):
            raise PermissionError
        return list_all(path)

    list_all = os.listdir
    monkeypatch.setattr(os, "listdir", listdir)
    before = fingerprint(bot)
    (bot / "main.py").write_text("print(12)")
    assert fingerprint(bot) != before
