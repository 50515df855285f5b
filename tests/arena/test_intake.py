"""What intake does with its files, without a build, a check or a match."""

from dataclasses import replace
from datetime import UTC, datetime
from errno import ENOSPC
from pathlib import Path
from typing import Any, NoReturn

import pytest
import trio
from arena.conftest import Start
from arena.folders import KRAIT, NEWT, a_tournament, states, upload, with_settings
from raising import raising

from referee import bots
from referee.arena import duels, intake, season
from referee.arena.accounts import Accounts
from referee.arena.admission import Admission, last_lines
from referee.arena.duels import Duel
from referee.arena.intake import Intake
from referee.arena.settings import ROOM, ArenaFiles
from referee.arena.state import after_dates, change_state, read_state, to_stage
from referee.arena.versions import MOST_TRIES, Version, Versions
from referee.errors import IsolationError, UsageError
from referee.players.fairness import HostStalled, Stall
from referee.tournament.copies import copy_bot, has_copy
from referee.tournament.database import DiskError
from referee.tournament.ledger import Ledger
from referee.tournament.model import Competitor
from referee.tournament.settings import Settings
from referee.tournament.settings import settings_in as tournament_in


@pytest.fixture
def admitting(files: ArenaFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every upload may play, without a check. Lists the names of the entrants."""
    (tmp_path / "newt.viper").write_bytes(NEWT)
    content = copy_bot(files.season(1), bots.find(str(tmp_path / "newt.viper")), "")
    admitted: list[str] = []

    async def admit(source: Path, file: str, name: str, *_: object) -> Admission:
        assert source.read_bytes()  # noqa: ASYNC240 - nothing else runs
        admitted.append(name)
        return Admission(content, None, {"steps": [name]})

    monkeypatch.setattr(intake, "admit", admit)
    return admitted


def leave_free(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk has so many free bytes."""
    monkeypatch.setattr(intake, "has_room", lambda _path: size >= ROOM)


async def finish(working: Intake) -> None:
    """Do all that there is to do."""
    while await working.step():
        pass


def entrants(files: ArenaFiles, number: int = 1) -> list[str | None]:
    return [bot.name for bot in tournament_in(files.season(number)).bot]


async def test_uploads_become_entrants_and_leave(
    files: ArenaFiles, accounts: Accounts, admitting: list[str], start: Start, monkeypatch: pytest.MonkeyPatch
):
    leave_free(0, monkeypatch)  # there was room for them
    for author in ("ada", "bob"):
        upload(files, author, "one", author.encode())
    working = start()
    assert [await working.step() for _ in range(3)] == [True, True, False]
    assert (admitting, entrants(files)) == (["ada/one", "bob/one"], ["ada/one", "bob/one"])
    assert sorted(path.name for path in files.sources.iterdir()) == ["1.viper", "2.viper"]
    accounts.withdraw(accounts.users()[0], "one", "a test")
    assert await working.step()
    assert (states(files), entrants(files)) == ({1: "withdrawn", 2: "active"}, ["bob/one"])


async def test_a_check_begins_when_the_build_has_ended(
    files: ArenaFiles, versions: Versions, start: Start, monkeypatch: pytest.MonkeyPatch
):
    times = iter(range(100))
    monkeypatch.setattr(intake, "now", lambda: float(next(times)))
    upload(files, "ada", "one", NEWT)
    changed = list[tuple[str, float]]()

    async def admit(*words: Any) -> Admission:
        for _ in range(10):
            next(times)  # the build takes its time
        words[-1]()
        [version] = versions.all()
        changed.append((version.state, version.changed))
        return Admission(None, "it is wrong", {})

    monkeypatch.setattr(intake, "admit", admit)
    await start().step()
    [(state, moment)] = changed
    assert (state, moment > 10) == ("checking", True)


@pytest.mark.usefixtures("admitting")
async def test_no_match_is_due_when_all_bots_leave_at_once(files: ArenaFiles, accounts: Accounts, start: Start):
    for author in ("ada", "bob"):
        upload(files, author, "one", author.encode())
    working = start()
    await finish(working)
    for user in accounts.users():
        accounts.withdraw(user, "one", "a test")
    await finish(working)
    assert set(states(files).values()) == {"withdrawn"}
    assert season.owners(files.season(1)) < 2


async def test_an_anonymous_arena_names_entrants_by_the_numbers_of_their_authors(
    files: ArenaFiles, versions: Versions, admitting: list[str], start: Start
):
    files = with_settings(files, "# anonymous = false", "anonymous = true")
    for author, bot in (("ada", "one"), ("bob", "one"), ("ada", "two")):
        upload(files, author, bot, author.encode())
    working = start(files)
    assert [await working.step() for _ in range(4)] == [True, True, True, False]
    assert sorted(admitting) == ["~1/one", "~1/two", "~2/one"] == sorted(str(name) for name in entrants(files))
    assert season.owners(files.season(1)) == 2
    assert [version.name for version in versions.all()] == ["~1/one", "~2/one", "~1/two"]


async def test_a_version_that_was_ready_when_intake_ended_is_not_checked_again(
    files: ArenaFiles, versions: Versions, admitting: list[str], start: Start
):
    number = upload(files, "ada", "one", NEWT)
    working = start()
    await working.step()
    [active] = versions.all()
    versions.put(replace(active, state="ready"))
    await start().step()
    assert (states(files), admitting) == ({number: "active"}, ["ada/one"])
    assert versions.evidence(number) == {"steps": ["ada/one"]}


@pytest.mark.usefixtures("admitting")
async def test_an_upload_during_which_intake_ended_three_times_is_failed(
    files: ArenaFiles, versions: Versions, start: Start
):
    number = upload(files, "ada", "one", NEWT)
    versions.put(Version(number, "checking", MOST_TRIES, name="ada/one"))
    await start().step()
    [failed] = versions.all()
    assert (failed.state, "in 3 tries" in (failed.error or "")) == ("failed", True)


@pytest.mark.parametrize(("failed", "room"), [
    (IsolationError("no jail"), ROOM),
    (OSError(ENOSPC, "/tmp is full"), ROOM),
    (None, 0),
])  # fmt: skip
async def test_what_is_not_the_authors_fault_is_no_try(
    files: ArenaFiles, versions: Versions, monkeypatch: pytest.MonkeyPatch, start: Start, failed: Any, room: int
):
    async def admit(*_: object) -> Admission:
        if failed is None:
            return Admission(None, "gcc: No space left on device", {})
        raise ExceptionGroup("of a nursery", [failed])

    monkeypatch.setattr(intake, "admit", admit)
    leave_free(room, monkeypatch)
    number = upload(files, "ada", "one", NEWT)
    with pytest.raises(type(failed) if failed else UsageError):
        await start().step()
    assert [(it.id, it.state, it.tries) for it in versions.all()] == [(number, "waiting", 0)]
    if failed is None:
        leave_free(ROOM, monkeypatch)
        await start().step()
        assert states(files) == {number: "failed"}


@pytest.mark.parametrize(("stalls", "state"), [(MOST_TRIES - 1, "active"), (MOST_TRIES, "failed")])
async def test_an_upload_fails_if_the_machine_is_too_busy_for_it_three_times(
    files: ArenaFiles, admitting: list[str], monkeypatch: pytest.MonkeyPatch, start: Start, stalls: int, state: str
):
    usual, tries = intake.admit, list[str]()

    async def admit(source: Path, file: str, name: str, *rest: Any) -> Admission:
        tries.append(name)
        if len(tries) <= stalls:
            raise HostStalled(0, Stall(31.0, 15.0))
        return await usual(source, file, name, *rest)

    monkeypatch.setattr(intake, "admit", admit)
    number = upload(files, "ada", "slow", NEWT)
    await finish(start())
    assert (states(files), len(tries)) == ({number: state}, MOST_TRIES)


def test_what_was_never_accepted_is_removed(files: ArenaFiles, start: Start):
    upload(files, "ada", "one", NEWT)
    for name in ("1.py", "2.viper", ".part"):
        (files.inbox / name).touch()
    start()
    assert sorted(path.name for path in files.inbox.iterdir()) == [".part", "1.viper"]


@pytest.mark.usefixtures("admitting")
async def test_other_settings_begin_the_next_season_with_the_active_versions(files: ArenaFiles, start: Start):
    upload(files, "ada", "one", NEWT)
    await start().step()
    start().check_season()
    assert read_state(files).season == 1
    a_tournament(files, "1", "ladder", [(0, 1)])
    start(with_settings(files, "rounds = 3", "rounds = 4")).check_season()
    assert (read_state(files).season, entrants(files, 2)) == (2, ["ada/one"])
    assert has_copy(files.season(2), next((files.season(1) / "entrants").glob("[0-9a-f]*")).name)


@pytest.mark.usefixtures("admitting")
async def test_the_final_is_made_once_nothing_waits(files: ArenaFiles, start: Start):
    for author in ("ada", "bob"):
        upload(files, author, "one", NEWT)
    working = start()
    await working.step()
    change_state(files, to_stage("final"))
    await working.step()
    assert (states(files), read_state(files).final) == ({1: "active", 2: "active"}, None)
    assert await working.step()
    assert read_state(files).final == "final"
    final = tournament_in(files.seasons / "final")
    assert (final.format.kind, len(final.bot)) == ("round-robin", 2)
    before = (files.seasons / "final" / "tournament.toml").read_text()
    Ledger(files.seasons / "final", writes=True).close()
    for number in (2, 3):  # each has a folder of its own, and a seed
        change_state(files, to_stage("open"))
        change_state(files, to_stage("final"))
        assert await working.step()
        assert read_state(files).final == f"final-{number}"
        Ledger(files.seasons / f"final-{number}", writes=True).close()
    assert (files.seasons / "final" / "tournament.toml").read_text() == before
    assert len({tournament_in(folder).run.rng_seed for folder in files.seasons.glob("final*")}) == 3


@pytest.mark.usefixtures("admitting")
async def test_a_final_waits_for_no_duel_and_ends_all(
    files: ArenaFiles, versions: Versions, monkeypatch: pytest.MonkeyPatch, capfd: Any, start: Start
):
    for author in ("ada", "bob"):
        upload(files, author, "one", NEWT)
        upload(files, author, "one", KRAIT)
    working, under_way = start(), list[str]()
    for _ in range(4):
        assert await working.step()

    async def play(duel: Duel, *_: object) -> dict[str, object]:
        under_way.append(duel.key)
        duels.folder_of(files, duel).mkdir(parents=True)
        change_state(files, to_stage("final"))
        await trio.sleep_forever()
        return {}

    monkeypatch.setattr(duels, "play", play)
    assert await working.step()
    assert await working.step()
    assert read_state(files).final == "final"
    await finish(working)
    assert under_way == ["v2"]
    ended = {"state": "ended", "error": "the arena closed before it was played"}
    assert [versions.game(key) for key in ("v2", "v4")] == [ended, ended]
    assert not list((files.versions.parent / "duels").iterdir())
    assert "the final of 2 bots has 200 matches" in capfd.readouterr().err


@pytest.mark.usefixtures("admitting")
async def test_a_duel_that_a_full_disk_stops_is_played_later(
    files: ArenaFiles, versions: Versions, monkeypatch: pytest.MonkeyPatch, start: Start
):
    for bot in (NEWT, KRAIT, NEWT):
        upload(files, "ada", "one", bot)
    working = start()
    for _ in range(2):
        assert await working.step()
    assert (versions.game("v1"), versions.game("v2")) == (None, {"state": "waiting"})
    versions.put_game("v2", "done")
    assert await working.step()
    assert (versions.games("done"), versions.games("waiting")) == ({"v2"}, {"v3"})

    monkeypatch.setattr(duels, "play", raising(DiskError("a ledger cannot be written")))
    leave_free(0, monkeypatch)
    with pytest.raises(DiskError):
        await working.step()
    assert working._next_duel() == Duel("v3", 3, 2)


@pytest.mark.usefixtures("admitting")
async def test_a_duel_begins_anew_if_the_settings_have_changed(
    files: ArenaFiles, monkeypatch: pytest.MonkeyPatch, start: Start
):
    for bot in (NEWT, KRAIT):
        upload(files, "ada", "one", bot)
    working, duel = start(), Duel("v2", 2, 1)
    for _ in range(2):
        assert await working.step()

    def play(folder: Path) -> NoReturn:
        Ledger(folder, writes=True).close()
        raise UsageError("broken off")

    async def settings(files: ArenaFiles) -> Settings:
        with pytest.raises(UsageError, match="broken off"):
            await duels.play(duel, working._submissions, files)
        return tournament_in(duels.folder_of(files, duel))

    monkeypatch.setattr(duels, "RunningTournament", play)
    first = await settings(files)
    assert await settings(files) == first
    changed = with_settings(files, "rounds = 3", "rounds = 4")
    second = await settings(changed)
    assert (first.match.rounds, second.match.rounds) == (3, 4)
    ledger = duels.folder_of(files, duel) / "ledger.sqlite"
    ledger.write_bytes(b"")  # intake was killed while it made the ledger
    assert await settings(changed) == second


@pytest.mark.usefixtures("admitting")
async def test_a_final_by_date_waits_for_uploads_and_then_for_authors(files: ArenaFiles, start: Start):
    upload(files, "ada", "one", NEWT)
    working = start()
    chosen = files.settings.model_copy(update={"final": datetime.fromtimestamp(1000, UTC)})
    change_state(files, lambda state: after_dates(state, chosen, 1001))
    assert [await working.step() for _ in range(2)] == [True, False]
    assert read_state(files).final is None


@pytest.mark.parametrize(("left", "present", "full"), [(0, 1, False), (148, 1, False), (149, 1, True), (0, 200, False)])
def test_a_season_is_full_after_so_many_versions_but_not_at_once(
    files: ArenaFiles, left: int, present: int, full: bool
):
    files.season(1).mkdir(parents=True)
    with Ledger(files.season(1), writes=True) as ledger, ledger.transaction():
        ledger.put(
            Competitor(number, f"a/{number}", "0" * 32, present=number >= left) for number in range(left + present)
        )
    assert season.is_full(files, files.season(1)) is full


def test_the_output_of_a_compiler_is_evidence_of_bounded_size() -> None:
    """An author chooses how long its lines are. A page of the site takes all of them apart."""
    lines = last_lines("x" * 2**20 + "\na.c:1: warning: \x1b[2J\n")
    assert lines[1] == "a.c:1: warning: \\x1b[2J"
    assert len("".join(last_lines(f"{'y' * 2**16}\n" * 1000))) < 100_000


@pytest.mark.usefixtures("admitting")
async def test_uploads_are_read_and_looked_through_again_only_after_a_new_one(
    files: ArenaFiles, accounts: Accounts, start: Start, monkeypatch: pytest.MonkeyPatch
):
    """The site writes whenever somebody signs in or opens the page of a match."""
    upload(files, "ada", "one", NEWT)
    working = start()
    await finish(working)
    read, looked = list[str](), list[int]()
    accounts._db.set_trace_callback(read.append)
    urgent_work = working._urgent_work
    monkeypatch.setattr(working, "_urgent_work", lambda: (looked.append(1), urgent_work())[1])
    for page in range(100):
        accounts.want(f"matches/1/m{page}")
        assert not working._has_urgent_work()
    assert (sum("FROM uploads JOIN" in question for question in read), len(looked)) == (0, 0)
    upload(files, "bob", "one", NEWT)
    assert working._has_urgent_work()
    assert (sum("FROM uploads JOIN" in question for question in read), len(looked)) == (1, 1)


def test_each_upload_withdrawal_and_challenge_is_news_to_intake(files: ArenaFiles, accounts: Accounts):
    upload(files, "ada", "one", NEWT)
    [ada], seen = accounts.users(), [accounts.submission_stamp()]
    for change in (
        lambda: accounts.withdraw(ada, "one", "a test"),
        lambda: upload(files, "ada", "one", KRAIT),
        lambda: accounts.challenge(ada, 1, 2),
    ):
        change()
        seen.append(accounts.submission_stamp())
    assert len(set(seen)) == len(seen)
