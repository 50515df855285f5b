"""Games that intake plays for who debugs a program."""

from pathlib import Path

import pytest
from arena.conftest import Start
from arena.folders import KRAIT, NEWT, upload

from referee import bots
from referee.arena import debugging
from referee.arena.accounts import Accounts
from referee.arena.debugging import DebugGames, key_of, saved_game_path
from referee.arena.drafts import MOST_GAMES, Drafts
from referee.arena.intake import Intake
from referee.arena.settings import ArenaFiles
from referee.arena.state import now
from referee.arena.versions import Version, Versions
from referee.saved.record import load
from referee.tournament.copies import copy_bot

pytestmark = pytest.mark.machine


@pytest.fixture
def version(files: ArenaFiles, versions: Versions, tmp_path: Path) -> int:
    """A version of ada's that has a copy in the season; its id."""
    program = tmp_path / "own.viper"
    program.write_bytes(NEWT)
    number = upload(files, "ada", "own", NEWT)
    content = copy_bot(files.season(1), bots.find(str(program)), "")
    versions.put(Version(number, "active", name="ada/own", content=content))
    return number


@pytest.fixture
def intake(start: Start) -> Intake:
    """An intake that has just been started."""
    return start()


async def test_a_game_is_played_with_the_limits_of_the_contest(
    files: ArenaFiles, drafts: Drafts, version: int, intake: Intake
) -> None:
    assert not await intake.step(), "nothing is due"
    game = drafts.request_game(1, "ada/drawn", KRAIT.decode(), ["newt", str(version), "newt"], 7, now())
    intake._debug_games._stamp = None  # the same process has written: `PRAGMA data_version` shows what others write
    assert await intake.step()
    assert not await intake.step()
    saved = load(saved_game_path(files, game))
    assert [player.bot for player in saved.header.players] == ["ada/drawn", "Newt", "ada/own v1", "Newt#2"]
    assert saved.header.rng_seed == 7
    assert saved.result is not None
    assert saved.result.rounds == 3, "as arena.toml says"
    assert [path.name for path in files.debugged.iterdir()] == [saved_game_path(files, game).name]
    assert not (files.versions.parent / "work").exists()


async def test_nobody_debugs_against_the_code_of_others(
    files: ArenaFiles, drafts: Drafts, versions: Versions, version: int, intake: Intake
) -> None:
    game = drafts.request_game(99, "bob/drawn", KRAIT.decode(), [str(version)], 7, now())
    assert await intake.step()
    assert "neither a sample bot nor a version of your own" in (versions.game(key_of(game)) or {})["error"]
    assert not saved_game_path(files, game).exists()


async def test_uploads_come_first(files: ArenaFiles, drafts: Drafts, intake: Intake) -> None:
    game = drafts.request_game(1, "ada/drawn", KRAIT.decode(), ["newt"], 7, now())
    upload(files, "ada", "one", b"nonsense")
    await intake.step()
    assert not saved_game_path(files, game).exists()
    await intake.step()
    assert saved_game_path(files, game).exists()


@pytest.mark.usefixtures("version")
def test_a_duel_is_broken_off_for_a_game_and_for_a_bot_that_leaves(accounts: Accounts, drafts: Drafts, intake: Intake):
    assert not intake._has_urgent_work()
    drafts.request_game(1, "ada/drawn", KRAIT.decode(), ["newt"], 7, now())
    intake._debug_games._stamp = None
    assert intake._has_urgent_work()
    intake._debug_games._due.clear()
    assert not intake._has_urgent_work()
    [author] = accounts.users()
    accounts.withdraw(author, "own", "a test")
    assert intake._has_urgent_work()


async def test_a_game_that_lasts_too_long_fails(
    drafts: Drafts, versions: Versions, intake: Intake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debugging, "SECONDS", 0)
    game = drafts.request_game(1, "ada/drawn", KRAIT.decode(), ["newt"], 7, now())
    assert await intake.step()
    assert "took more than 0 seconds" in (versions.game(key_of(game)) or {})["error"]
    assert not await intake.step()


def test_a_game_that_was_under_way_when_intake_ended_has_failed(files: ArenaFiles, drafts: Drafts, versions: Versions):
    game = drafts.request_game(1, "ada/drawn", KRAIT.decode(), ["newt"], 7, now())
    versions.put_game(key_of(game), "playing")
    assert DebugGames(files, drafts, versions).next() is None
    assert "play it again" in (versions.game(key_of(game)) or {})["error"]


def test_what_is_not_kept_any_more_is_removed(files: ArenaFiles, drafts: Drafts, versions: Versions) -> None:
    files.debugged.mkdir(parents=True)
    versions.put_game("v1", "done")
    for at in range(MOST_GAMES + 1):
        game = drafts.request_game(1, "ada/drawn", "", [], at, now())
        saved_game_path(files, game).touch()
        versions.put_game(key_of(game), "done")
    assert DebugGames(files, drafts, versions).next() is None
    assert sorted(files.debugged.iterdir()) == [saved_game_path(files, number) for number in range(2, MOST_GAMES + 2)]
    assert versions.games("done") == {"v1", *(key_of(number) for number in range(2, MOST_GAMES + 2))}
