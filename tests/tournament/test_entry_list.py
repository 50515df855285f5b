"""Who can play, as files change: what is unchanged is not looked at again, and nobody waits for a build. No compiler is run."""

import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from tournament.conftest import Cup

from referee import bots, building, games
from referee.bots import Bot, Unbuilt, starter
from referee.building import BuildFailed, BuildResult, tools
from referee.building.failure import CompileError
from referee.errors import BotError, UsageError
from referee.files import assets
from referee.sandbox.tempdir import remove
from referee.tournament import entry_list, fingerprints
from referee.tournament.entry_list import EntryList
from referee.tournament.field import Candidate, Unready
from referee.tournament.fingerprints import PROOF
from referee.tournament.settings import settings_in

SETTINGS = 'name = "Cup"\nbots = ["bots/*"]\n[match]\nisolation = "none"\n'
GAME = games.find("snakecore")


@dataclass
class Work:
    """What was done since the last `reset`.

    Attributes:
        found, built, copied: the names of bots and words. broken: bots that cannot be built.
        age: nanoseconds of all files. tools: of the builds. sdk: the folder of those that need one.
    """

    sdk: Path
    found: list[str] = field(default_factory=list)
    built: list[str] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    age: int = 2 * PROOF
    tools: str = "gcc 1"

    def reset(self) -> None:
        """Forget it."""
        for done in (self.found, self.built, self.copied):
            done.clear()


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """All bots but `asp` are built, with an SDK."""
    work = Work(tmp_path / "sdk")
    work.sdk.mkdir()
    find, copied = bots.find, entry_list.copied

    def find_unbuilt(word: str) -> Bot:
        bot = find(word)
        work.found.append(bot.name)
        return replace(bot, unbuilt=Unbuilt((("gcc",),), bot.argv, sdk=work.sdk)) if bot.name != "asp" else bot

    async def each(those: Sequence[Bot], **_: Any) -> list[BuildResult | BotError]:
        return [built(bot) for bot in those]

    def built(bot: Bot) -> BuildResult | BotError:
        work.built.append(bot.name)
        if bot.name in work.broken:
            error = CompileError("boa.c", 3, "error: x")
            return BuildFailed("cannot be built", bot=bot.name, first=error, advice="no x", excerpt=("x?",))
        return BuildResult(replace(bot, unbuilt=None), "nothing")

    def copy(folder: Path, bot: Bot, key: str) -> str:
        work.copied.append(bot.name)
        return copied(folder, bot, key)

    monkeypatch.setattr(bots, "find", find_unbuilt)
    monkeypatch.setattr(building, "each", each)
    monkeypatch.setattr(entry_list, "copied", copy)
    monkeypatch.setattr(tools, "toolchain", lambda *_, jailed: ([], [work.tools]))
    monkeypatch.setattr(fingerprints, "time", SimpleNamespace(time_ns=lambda: time.time_ns() + work.age))
    return work


@pytest.fixture
def bots_of(cup: Cup, work: Work) -> EntryList:
    """The entry list of a cup with asp, boa, cobra and dipsas."""
    cup.says(SETTINGS)
    return EntryList(cup.folder, GAME)


async def complete(cup: Cup, entries: EntryList) -> tuple[list[Candidate], list[Unready]]:
    return await entries.complete(settings_in(cup.folder), lambda _: None)


def current(cup: Cup, entries: EntryList) -> list[str]:
    """The names of those that are ready, and of those that cannot play with an exclamation mark."""
    ready, unready = entries.current(settings_in(cup.folder))
    return [bot.name for bot in ready] + [f"{bot.name}!" for bot in unready]


async def prepare(entries: EntryList) -> None:
    await entries.prepare(lambda _: None)


async def test_what_has_not_changed_is_not_built_or_copied_again(cup: Cup, work: Work, bots_of: EntryList) -> None:
    before = await complete(cup, bots_of)
    assert [bot.name for bot in before[0]] == work.built == work.copied == ["asp", "boa", "cobra", "dipsas"]
    work.reset()
    assert await complete(cup, bots_of) == before
    assert work.found == work.built == work.copied == []
    cup.bot("boa", "RUN")
    (_, boa, *_), _ = await complete(cup, bots_of)
    assert boa.content != before[0][1].content
    assert set(work.found) == {"boa"}
    assert work.built == work.copied == ["boa"]


async def test_a_build_depends_on_its_tools_and_the_sdks(
    cup: Cup, work: Work, bots_of: EntryList, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game_sdk := tmp_path / "game_sdk").mkdir()
    monkeypatch.setattr(assets, "sdk", lambda _game, _language: game_sdk)
    await complete(cup, bots_of)
    work.reset()
    work.tools = "gcc 2"
    await complete(cup, bots_of)
    assert work.built == ["boa", "cobra", "dipsas"]
    for sdk in (work.sdk, game_sdk):
        work.reset()
        (sdk / "snake.h").touch()
        await complete(cup, bots_of)
        assert work.built == ["boa", "cobra", "dipsas"]


async def test_a_zip_file_is_unpacked_again_if_it_is_needed_again(
    cup: Cup, work: Work, bots_of: EntryList, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cup.folder.parent / "cache"))
    with zipfile.ZipFile(cup.folder / "bots" / "eel.zip", "w") as file:
        file.write(cup.folder / "bots" / "boa.py", "eel/main.py")
    before = await complete(cup, bots_of)
    remove(cup.folder.parent / "cache")
    work.tools = "gcc 2"
    assert await complete(cup, bots_of) == before
    assert (before[1], "eel" in [bot.name for bot in before[0]]) == ([], True)


async def test_a_new_name_in_the_file_is_looked_at(cup: Cup, work: Work, bots_of: EntryList) -> None:
    await complete(cup, bots_of)
    work.reset()
    cup.says(SETTINGS.replace("bots/*", "bots/[bcd]*") + '[[bot]]\npath = "bots/asp.py"\nname = "Cleo"\nseeding = 1\n')
    ready, _ = await complete(cup, bots_of)
    assert (ready[-1].name, ready[-1].seeding) == ("Cleo", 1)
    assert work.copied == ["Cleo"]


async def test_a_bot_that_is_named_by_its_content_is_not_built(cup: Cup, work: Work, bots_of: EntryList) -> None:
    [*_, dipsas], _ = await complete(cup, bots_of)
    work.reset()
    cup.says(f'{SETTINGS}[[bot]]\ncontent = "{dipsas.content}"\nname = "Copy"\n')
    assert current(cup, bots_of) == ["asp", "boa", "cobra", "dipsas", "Copy"]
    await prepare(bots_of)
    assert work.found == work.built == []
    with pytest.raises(UsageError, match="a shard makes its own copies"):
        EntryList(cup.folder, GAME, cup.folder / "part").current(settings_in(cup.folder))


async def test_a_copy_that_is_gone_is_made_again(cup: Cup, work: Work, bots_of: EntryList) -> None:
    [asp, *_], _ = await complete(cup, bots_of)
    work.reset()
    remove(cup.folder / "entrants" / asp.content)
    assert (await complete(cup, bots_of))[0][0] == asp
    assert work.copied == ["asp"]


async def test_a_failed_build_is_not_tried_again_until_something_changes(
    cup: Cup, work: Work, bots_of: EntryList
) -> None:
    work.broken = {"boa"}
    _, before = await complete(cup, bots_of)
    assert before == [Unready("boa", "bots/boa.py", "boa.c does not compile: line 3: error: x; no x\nx?")]
    work.reset()
    assert (await complete(cup, bots_of))[1] == before
    assert work.built == []
    work.broken = set()
    cup.bot("boa", "RUN")
    assert (await complete(cup, bots_of))[1] == []


async def test_an_edited_bot_stays_as_it_was_until_it_is_prepared(cup: Cup, work: Work, bots_of: EntryList) -> None:
    before, _ = await complete(cup, bots_of)
    cup.bot("boa", "RUN")
    settings = settings_in(cup.folder)
    assert bots_of.current(settings) == (before, [])
    await prepare(bots_of)
    after, _ = bots_of.current(settings)
    assert [bot.content for bot in after] != [bot.content for bot in before]
    work.broken = {"boa"}
    cup.bot("boa", "URN")
    assert bots_of.current(settings) == (after, [])
    await prepare(bots_of)
    assert current(cup, bots_of) == ["asp", "cobra", "dipsas", "boa!"]
    (cup.folder / "bots" / "boa.py").unlink()
    assert current(cup, bots_of) == ["asp", "cobra", "dipsas"]


async def test_a_young_bot_plays_while_it_is_looked_at_again(cup: Cup, work: Work, bots_of: EntryList) -> None:
    await complete(cup, bots_of)
    work.age = 0
    cup.bot("eel", "N")
    current(cup, bots_of)
    await prepare(bots_of)
    work.reset()
    await prepare(bots_of)
    assert work.built == []
    assert current(cup, bots_of)[-1] == "eel"
    await prepare(bots_of)
    assert "eel" in work.built


async def test_bots_are_prepared_once_at_a_time(
    cup: Cup, work: Work, bots_of: EntryList, monkeypatch: pytest.MonkeyPatch
) -> None:
    await complete(cup, bots_of)
    cup.bot("boa", "RUN")
    current(cup, bots_of)
    each, began, may_end = building.each, trio.Event(), trio.Event()

    async def slow(those: Sequence[Bot], **more: Any) -> list[BuildResult | BotError]:
        began.set()
        await may_end.wait()
        return await each(those, **more)

    monkeypatch.setattr(building, "each", slow)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(prepare, bots_of)
        await began.wait()
        current(cup, bots_of)
        await prepare(bots_of)  # returns at once
        work.reset()
        may_end.set()
    assert work.built == ["boa"]


async def test_what_is_prepared_while_all_builds_are_awaited_stays_so(
    cup: Cup, work: Work, bots_of: EntryList, monkeypatch: pytest.MonkeyPatch
) -> None:
    each = building.each

    async def meanwhile(those: Sequence[Bot], **more: Any) -> list[BuildResult | BotError]:
        monkeypatch.setattr(building, "each", each)
        cup.bot("eel", "N")
        current(cup, bots_of)
        await prepare(bots_of)
        return await each(those, **more)

    monkeypatch.setattr(building, "each", meanwhile)
    await complete(cup, bots_of)
    assert current(cup, bots_of)[-1] == "eel"


@pytest.fixture
def editing(cup: Cup, work: Work, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """While the first of these bots is built, its author edits it."""
    files: list[str] = []
    each = building.each

    async def edited(those: Sequence[Bot], **more: Any) -> list[BuildResult | BotError]:
        if files:
            cup.bot(files.pop(), "URN")
        return await each(those, **more)

    monkeypatch.setattr(building, "each", edited)
    return files


async def test_a_bot_that_changes_while_it_is_prepared_is_left_for_the_next_look(
    cup: Cup, bots_of: EntryList, editing: list[str]
) -> None:
    before, _ = await complete(cup, bots_of)
    cup.bot("boa", "RUN")
    settings = settings_in(cup.folder)
    bots_of.current(settings)
    editing.append("boa")
    await prepare(bots_of)
    assert bots_of.current(settings) == (before, [])
    await prepare(bots_of)
    assert bots_of.current(settings)[0] != before


async def test_a_bot_that_waits_under_its_old_name_takes_no_name_of_another(
    cup: Cup, bots_of: EntryList, editing: list[str]
) -> None:
    entries = 'name = "Cup"\n[match]\nisolation = "none"\n[[bot]]\npath = "bots/asp.py"\nname = "{}"\n'
    entries += '[[bot]]\npath = "bots/boa.py"\nname = "{}"\n'
    cup.says(entries.format("Ada", "Bob"))
    await complete(cup, bots_of)
    cup.says(entries.format("Eve", "Ada"))
    assert current(cup, bots_of) == ["Ada", "Bob"]
    editing.append("asp")
    await prepare(bots_of)
    assert current(cup, bots_of) == ["Ada#2", "Ada"]
    await prepare(bots_of)
    assert current(cup, bots_of) == ["Eve", "Ada"]


@pytest.mark.parametrize("language", starter.languages_for("snakecore"))
def test_bots_in_any_language_are_looked_at(tmp_path: Path, language: str) -> None:
    starter.write(starter.kit(language, "snakecore"), tmp_path / "bots" / "boa", "Boa")
    (tmp_path / "tournament.toml").write_text(SETTINGS)
    [seen], strays = EntryList(tmp_path, GAME, tmp_path)._look(settings_in(tmp_path))
    assert (seen.entry.bot.name, strays) == ("Boa", [])
