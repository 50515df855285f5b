"""What the ladder does when it is stopped, without a match."""

import pytest
import trio
from arena.folders import a_final, a_tournament, without
from trio.testing import MockClock

from referee.arena import ladder
from referee.arena.settings import ArenaFiles
from referee.arena.state import change_state, to_stage
from referee.errors import UsageError
from referee.tournament.running import RunningTournament


@pytest.fixture(autouse=True)
def no_bot_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    async def enter(*_: object, **__: object) -> tuple[None, list[object]]:
        return None, []

    monkeypatch.setattr(RunningTournament, "enter", enter)


async def test_a_season_that_pauses_between_two_waves_goes_on(
    files: ArenaFiles, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    runs = []

    async def run(tournament: RunningTournament, *_: object) -> None:
        runs.append(tournament.folder.name)
        if len(runs) == 1:
            raise ExceptionGroup("of a nursery", [ladder.Paused()])
        await trio.sleep_forever()

    monkeypatch.setattr(RunningTournament, "run", run)
    a_tournament(files, "1", "ladder", [(0, 1)])
    with trio.move_on_after(30):
        await ladder.work(files, {"jobs": 1})
    assert runs == ["1", "1"]


async def test_a_season_goes_on_when_its_interpreter_is_there_again(
    files: ArenaFiles, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    runs = []

    async def run(tournament: RunningTournament, *_: object) -> None:
        runs.append(tournament.folder.name)
        if not python.exists():
            raise UsageError("there is no program")

    python = files.root / "python3"
    files.toml.write_text(files.toml.read_text().replace("[match]", '[match]\npython = "python3"'))
    files = ArenaFiles(files.root)
    monkeypatch.setattr(RunningTournament, "run", run)
    a_tournament(files, "1", "ladder", [(0, 1)])
    with trio.move_on_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ladder.work, files, {"jobs": 1})
            await trio.sleep(10)
            assert runs == ["1"]
            python.touch()
    assert runs == ["1", "1"]


async def test_a_season_that_rests_is_played_again_when_the_arena_opens_again(
    files: ArenaFiles, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    runs = []

    async def run(tournament: RunningTournament, *_: object) -> None:
        runs.append(tournament.folder.name)

    monkeypatch.setattr(RunningTournament, "run", run)
    a_tournament(files, "1", "ladder", [(0, 1)])
    with trio.move_on_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ladder.work, files, {"jobs": 1})
            for state in ("closed", "open"):
                await trio.sleep(10)
                assert runs == ["1"]
                change_state(files, to_stage(state))
    assert runs == ["1", "1"]


async def test_a_final_that_was_stopped_goes_on_if_it_is_due_again_at_once(
    files: ArenaFiles, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    runs = []

    async def run(tournament: RunningTournament, *_: object) -> None:
        runs.append(tournament.folder.name)
        if len(runs) == 1:
            change_state(files, to_stage("closed"))
        try:
            await trio.sleep_forever()
        finally:
            change_state(files, to_stage("final"))

    monkeypatch.setattr(RunningTournament, "run", run)
    a_final(files, "final", played=0, scheduled=2)
    with trio.move_on_after(30):
        await ladder.work(files, {"jobs": 1})
    assert runs == ["final", "final"]


async def test_a_final_whose_bot_cannot_play_here_waits_and_says_so_once(
    files: ArenaFiles, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run(*_: object) -> None:
        pass

    monkeypatch.setattr(RunningTournament, "run", run)
    a_final(files, "final", played=1, scheduled=2)
    without(files.seasons / "final", 1, "java is not installed")
    with trio.move_on_after(30):
        await ladder.work(files, {"jobs": 1})
    said = [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()]
    assert said == [
        "the final is being played",
        "The final was stopped after 1 of 2 matches.",
        "the final cannot end: 1 match waits for bob/one, which cannot play: correct it, and run again.",
    ]
