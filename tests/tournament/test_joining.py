"""Bots that are built while others play. The crew of these tests plays nothing, and a build ends when the test says so."""

import multiprocessing
import signal
import threading
from collections.abc import Callable, Sequence

import pytest
import trio
import trio.testing
from tournament.conftest import Builds, Cup
from tournament.rehearsals import Season

from referee.tournament.ledger import Ledger
from referee.tournament.tournament import Tournament
from referee.tournament.verifying import sums_defect

SETTINGS = 'name = "Cup"\nbots = ["bots/*"]\n[format]\n{}\n[match]\nmaps = ["crossroads"]\nisolation = "none"\n'
SETTINGS += "[run]\nrng_seed = 7\n"


def begun(cup: Cup, builds: Builds, before: Callable[[str], None], format_: str = 'kind = "ladder"') -> Season:
    """A season whose first bots are built at once."""
    cup.says(SETTINGS.format(format_))
    builds.may_end.set()
    return Season(cup.folder, before)


def field_of(cup: Cup) -> dict[str, str]:
    """The contents of the bots that take part, by name."""
    with Ledger(cup.folder, writes=False) as ledger:
        return {bot.name: bot.content for bot in ledger.entrants() if bot.present}


async def test_the_waves_of_a_ladder_go_on_while_bots_are_built(cup: Cup, builds: Builds) -> None:
    fields: list[dict[str, str]] = []

    def before(wave: str) -> None:
        fields.append(field_of(cup))
        if wave == "t1":
            builds.may_end = trio.Event()
            cup.bot("asp", "RUN")
            cup.bot("newcomer", "UULL")
        elif wave == "t8":
            builds.may_end.set()
        elif "newcomer" in fields[-1]:
            season.scope.cancel()

    season = begun(cup, builds, before)
    with trio.fail_after(60):
        await season.played()
    assert fields[0].keys() == {"asp", "boa", "cobra", "dipsas"}
    assert all(field == fields[0] for field in fields[:9])
    assert fields[-1].keys() == {*fields[0], "newcomer"}
    assert fields[-1]["asp"] != fields[0]["asp"]
    assert any(line.startswith("newcomer takes part from tour") for line in season.said)


async def test_a_run_for_one_bot_goes_on_with_its_new_version(cup: Cup, builds: Builds) -> None:
    versions = list[str]()

    def before(wave: str) -> None:
        versions.append(field_of(cup)["asp"])
        if wave == "t1":
            cup.bot("asp", "RUN")
        elif versions[:-1] and versions[-2] != versions[0]:
            season.scope.cancel()

    season = begun(cup, builds, before)
    season.only = "asp"
    with trio.fail_after(60):
        await season.played()
    assert season.scope.cancelled_caught, "a wave of the new version was played"


async def test_a_new_version_that_cannot_be_built_is_reported_once(cup: Cup, builds: Builds) -> None:
    def before(wave: str) -> None:
        if wave == "t1":
            builds.broken.add("asp")
            cup.bot("asp", "RUN")
        elif wave == "t12":
            season.scope.cancel()

    cup.bot("eel", "N")
    season = begun(cup, builds, before)
    await season.played()
    why = "asp.c does not compile: line 3: error: x; no x"
    assert [line for line in season.said if "compile" in line] == [f"asp takes no part: {why}"]
    assert builds.begun.count("asp") == 2
    assert field_of(cup).keys() == {"boa", "cobra", "dipsas", "eel"}


async def test_a_ladder_that_ends_while_a_bot_is_built_has_it_in_its_next_run(cup: Cup, builds: Builds) -> None:
    def before(wave: str) -> None:
        if wave == "t1":
            builds.may_end = trio.Event()
            cup.bot("newcomer", "UULL")
        elif wave == "t4":
            season.scope.cancel()

    season = begun(cup, builds, before)
    await season.played()
    assert builds.begun[-1] == "newcomer"
    assert "newcomer" not in field_of(cup)
    builds.may_end.set()
    later = Season(cup.folder, lambda _wave: later.scope.cancel())
    await later.played()
    assert "newcomer" in field_of(cup)
    assert not list((cup.folder / "entrants").glob(".*"))


async def test_a_field_that_waits_for_a_build_is_complete_again(cup: Cup, builds: Builds) -> None:
    """Too few bots are ready for a match: the field stays as it is meanwhile."""

    def before(wave: str) -> None:
        if wave == "t1":
            (cup.folder / "bots" / "asp.py").rename(cup.folder / "bots" / "viper.py")
        elif "viper" in field_of(cup):
            season.scope.cancel()

    season = begun(cup, builds, before)
    with trio.fail_after(60):
        await season.played()
    assert any(line.startswith("the field stays as it is: ") for line in season.said)
    assert field_of(cup).keys() == {"boa", "cobra", "dipsas", "viper"}


async def test_each_mistake_of_a_file_that_is_edited_meanwhile_is_named(cup: Cup, builds: Builds) -> None:
    def before(wave: str) -> None:
        if wave == "t1":
            cup.says("seats = 3\n" + SETTINGS.format('kind = "ladders"'))
        elif wave == "t2":
            season.scope.cancel()

    season = begun(cup, builds, before)
    with trio.fail_after(60):
        await season.played()
    lines = [line for line in season.said if line.startswith("the field stays as it is: ")]
    assert [line.split(": ")[2] for line in lines] == ["format.kind", "seats"]


async def test_the_tours_of_teams_wait_for_builds(cup: Cup, builds: Builds) -> None:
    tours = list[str]()

    def before(tour: str) -> None:
        tours.append(tour)
        if tour == "t0":
            builds.may_end = trio.Event()
            cup.bot("newcomer", "UULL")

    season = begun(cup, builds, before, 'kind = "swiss"\ntours = 3')
    async with trio.open_nursery() as nursery:
        nursery.start_soon(season.played)
        await builds.wait.wait()
        await trio.testing.wait_all_tasks_blocked()
        assert tours == ["t0"]
        builds.may_end.set()
    assert tours == ["t0", "t1", "t2"]
    assert "newcomer" in field_of(cup)


ROUND_ROBINS = ('kind = "round-robin"', 'kind = "round-robin"\neach = 6', 'kind = "gauntlet"\nchampions = ["asp"]')


@pytest.mark.parametrize("format_", ROUND_ROBINS)
async def test_the_series_of_a_bot_that_cannot_play_wait_until_it_can(cup: Cup, builds: Builds, format_: str) -> None:
    cup.bot("eel", "N")
    season = begun(cup, builds, lambda _tour: None, format_)
    season.matches = 2
    await season.played()

    builds.broken.add("boa")
    without = Season(cup.folder)
    await without.played()
    with Tournament(cup.folder) as tournament:
        scheduled, played, void = tournament.ledger.counts()
        assert not tournament.over
        assert scheduled > played > 2
        assert void == 0
        [waits] = [note for note in tournament.notes(tournament.table()) if "wait" in note]
        assert waits == f"{scheduled - played} matches wait for boa, which cannot play: correct it, and run again."
        before = [row["id"] for row in tournament.matches()]
    again = Season(cup.folder)
    await again.played()
    with Tournament(cup.folder) as tournament:
        assert [row["id"] for row in tournament.matches()] == before, "nothing is played twice"

    cup.bot("newcomer", "UULL")
    joined = Season(cup.folder)
    await joined.played()
    with Tournament(cup.folder) as tournament:
        [matches] = [row["matches"] for row in tournament.table()["table"] if row["name"] == "newcomer"]
        assert matches > 0, "who joins does not wait for boa"
    assert "newcomer takes part from tour 1 on" in joined.said

    builds.broken.clear()
    back = Season(cup.folder)
    await back.played()
    assert "boa takes part from tour 0 on" in back.said
    with Tournament(cup.folder) as tournament:
        scheduled, played, void = tournament.ledger.counts()
        assert (tournament.over, played, void) == (True, scheduled, 0)
        assert sums_defect(tournament.ledger, tournament.rng_seed) is None
        assert not [note for note in tournament.notes(tournament.table()) if "wait" in note]


async def test_the_series_that_wait_for_a_bot_are_void_if_it_leaves_the_file(cup: Cup, builds: Builds) -> None:
    season = begun(cup, builds, lambda _tour: None, 'kind = "round-robin"')
    season.matches = 2
    cup.bot("eel", "N")
    await season.played()
    builds.broken.add("boa")
    await Season(cup.folder).played()
    (cup.folder / "bots" / "boa.py").unlink()
    await Season(cup.folder).played()
    with Tournament(cup.folder) as tournament:
        scheduled, played, void = tournament.ledger.counts()
        assert (tournament.over, played) == (True, scheduled)
        assert void > 0


async def test_a_ladder_waits_for_no_bot(cup: Cup, builds: Builds) -> None:
    season = begun(cup, builds, lambda _tour: None)
    season.matches = 1
    await season.played()
    builds.broken.add("boa")
    cup.bot("eel", "N")
    later = Season(cup.folder, lambda wave: later.scope.cancel() if wave == "t2" else None)
    with trio.fail_after(60):
        await later.played()
    with Tournament(cup.folder) as tournament:
        _, _, void = tournament.ledger.counts()
        notes = tournament.notes(tournament.table())
    assert void > 0
    assert [note for note in notes if "wait" in note] == []


async def test_the_loop_goes_on_while_intervals_are_looked_at(
    cup: Cup, builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_main_thread = list[bool]()

    def beside(_work: object, rules: Sequence[object]) -> list[dict[int, float]]:
        in_main_thread.append(threading.current_thread() is threading.main_thread())
        return [{} for _ in rules]

    monkeypatch.setattr("referee.tournament.ledger_past.on_all_processors", beside)
    await begun(cup, builds, lambda _wave: None, 'kind = "ladder"\nseries = 1\nrest = [25, 200]').played()
    assert in_main_thread == [False], "once, before wave 0"


def pause(_folder: object, _rules: object) -> None:
    signal.pause()


async def test_a_run_that_is_broken_off_does_not_wait_for_intervals(
    cup: Cup, builds: Builds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.tournament.ledger_past._widths", pause)
    run = begun(cup, builds, lambda _wave: None, 'kind = "ladder"\nseries = 1\nrest = [25, 200]')
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.played)
        while not (processes := multiprocessing.active_children()):
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    for process in processes:
        process.join()
        # Their pool terminates the others when it finds that one was killed.
        assert process.exitcode in (-signal.SIGKILL, -signal.SIGTERM)
