"""Matches that are lost with their workers. The crews of these tests play nothing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import trio
from tournament.rehearsals import Season, even, prepared, rehearsed

from referee.errors import UsageError
from referee.tournament.answers import TRIES
from referee.tournament.database import DiskError
from referee.tournament.ledger import Ledger
from referee.tournament.model import GAMES, saved_name
from referee.tournament.runner import FREE_LOSSES, Coordinator, catch_up
from referee.tournament.running import RunningTournament
from referee.tournament.schedule_tables import ScheduledMatch
from referee.tournament.verifying import sums_defect


@dataclass
class Crew:
    """Takes matches four at a time.

    Attributes:
        report: reports a batch. batches: those that were taken.
    """

    report: Callable[[Coordinator, list[ScheduledMatch]], Any]
    batches: list[list[ScheduledMatch]] = field(default_factory=list)

    async def work(self, coordinator: Coordinator) -> None:
        """Play until it is cancelled."""
        while True:
            self.batches.append(await coordinator.take(lambda _waiting: 4))
            await self.report(coordinator, self.batches[-1])


def played(folder: Path, crew: Crew) -> tuple[tuple[int, int, int], list[str]]:
    """The counts of the ledger, and why tries failed."""
    with RunningTournament(prepared(folder, "each = 1", 4)) as tournament:
        trio.run(rehearsed, tournament, lambda _played: None, lambda _opening: crew)
        return tournament.ledger.counts(), [failure["why"] for _, failure in tournament.ledger.failures()]


def test_a_lost_match_is_played_alone_and_void_only_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lose(coordinator: Coordinator, matches: list[ScheduledMatch]) -> None:
        for match in matches:  # a worker that was killed before it answered
            Path(saved_name(*match.key)).touch()  # noqa: ASYNC240 - nothing waits for it
        await coordinator.lost(matches, "its worker was lost", began=datetime.now(UTC), machine="node1")

    monkeypatch.chdir(tmp_path)
    (tmp_path / GAMES).mkdir()
    crew = Crew(lose)
    assert played(tmp_path, crew) == ((4, 4, 4), ["its worker was lost"] * 4 * TRIES)
    assert [len(batch) for batch in crew.batches] == [4] + [1] * 4 * (FREE_LOSSES + TRIES - 1)
    assert set(Counter(match.seating for batch in crew.batches for match in batch).values()) == {FREE_LOSSES + TRIES}
    assert list((tmp_path / GAMES).iterdir()) == [], "a void match leaves no saved game"


@pytest.mark.parametrize(("returned_last", "later"), [
    ("lost", [[0], [1, 2, 3]]),  # the lost match waits before the others
    ("given back", [[1, 2, 3], [0]]),  # and behind them
])  # fmt: skip
def test_a_lost_match_is_played_alone_wherever_it_waits(
    tmp_path: Path, returned_last: str, later: list[list[int]]
) -> None:
    async def lose_the_first(coordinator: Coordinator, matches: list[ScheduledMatch]) -> None:
        began = datetime.now(UTC)
        if len(crew.batches) > 1:
            await coordinator.ended([(match, {"row": even(coordinator, match)}) for match in matches], began=began)
            return
        if returned_last == "lost":
            await coordinator.give_back(matches[1:])
        await coordinator.lost(matches[:1], "its worker was lost", began=began, machine="node1")
        if returned_last == "given back":
            await coordinator.give_back(matches[1:])

    crew = Crew(lose_the_first)
    assert played(tmp_path, crew) == ((4, 4, 0), [])
    assert [[match.seating for match in batch] for batch in crew.batches[1:]] == later


def test_a_commit_adds_few_series_to_the_sums_and_a_tour_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the first match of a tour ends last, no other series is in the sums before it."""
    monkeypatch.setattr("referee.tournament.runner.ADDED", 2)
    added, ends, add_up = list[int](), list[tuple[int, int]](), Ledger.add_up

    def counted(ledger: Ledger, *words: int) -> bool:
        before = ledger.sums.extent().next
        more = add_up(ledger, *words)
        added.append(ledger.sums.extent().next - before)
        return more

    monkeypatch.setattr(Ledger, "add_up", counted)

    class FirstLast:
        async def work(self, coordinator: Coordinator) -> None:
            while True:
                first, *others = await coordinator.take(lambda waiting: waiting)
                for matches in (others, [first]):
                    answers = [(match, {"row": even(coordinator, match)}) for match in matches]
                    await coordinator.ended(answers, began=datetime.now(UTC))
                    ends.append((coordinator.ledger.sums.extent().next, coordinator.ledger.schedule.planned()[1]))

    with RunningTournament(prepared(tmp_path, "each = 6", 8)) as tournament:
        trio.run(rehearsed, tournament, lambda _played: None, lambda _opening: FirstLast())
        ledger = tournament.ledger
        series = ledger.schedule.planned()[1]
        assert series > 10
        assert ends[:2] == [(1, series), (4, series)]
        assert (max(added), sum(added)) == (3, series), "the one that ended, and two more"
        assert sums_defect(ledger, tournament.rng_seed) is None


def test_a_ledger_that_cannot_be_read_at_the_end_hides_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Ledger) -> None:
        raise DiskError("the disk is full")

    monkeypatch.setattr(Ledger, "unready", fail)
    with pytest.raises(UsageError, match="too few"), RunningTournament(prepared(tmp_path, "each = 1", 4)):
        raise UsageError("too few")


def test_sums_keep_pace_with_large_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker of a cluster may report more series at once than a commit adds of those that waited."""
    monkeypatch.setattr("referee.tournament.runner.ADDED", 2)
    missing = list[int]()

    async def play(coordinator: Coordinator, matches: list[ScheduledMatch]) -> None:
        answers = [(match, {"row": even(coordinator, match)}) for match in matches]
        await coordinator.ended(answers, began=datetime.now(UTC))
        missing.append(matches[-1].number + 1 - coordinator.ledger.sums.extent().next)

    settings = prepared(tmp_path, "each = 6", 8) / "tournament.toml"
    settings.write_text(settings.read_text().replace("seats = 4", 'seats = 4, seatings = "one"'))
    crew = Crew(play)
    with RunningTournament(tmp_path) as tournament:
        trio.run(rehearsed, tournament, lambda _played: None, lambda _opening: crew)
    assert [len(batch) for batch in crew.batches] == [4] * 3
    assert missing == [0] * 3


def test_sums_that_lack_nothing_let_a_run_without_time_plan_its_first_tour(tmp_path: Path) -> None:
    async def cancelled(ledger: Ledger) -> None:
        with trio.CancelScope() as scope:
            scope.cancel()
            await catch_up(ledger, 7)
            begun.append(True)

    begun = list[bool]()
    with Ledger(tmp_path, writes=True) as ledger:
        trio.run(cancelled, ledger)
    assert begun


def test_what_is_given_back_is_no_try_and_comes_in_the_same_order(tmp_path: Path) -> None:
    async def give_back_once(coordinator: Coordinator, matches: list[ScheduledMatch]) -> None:
        if len(crew.batches) == 1:
            await coordinator.give_back(matches)
        else:
            failed = [(match, {"failed": "no idea"}) for match in matches]
            await coordinator.ended(failed, began=datetime.now(UTC))

    crew = Crew(give_back_once)
    assert played(tmp_path, crew) == ((4, 4, 4), ["no idea"] * 4 * TRIES)
    assert [match.seating for match in crew.batches[0]] == [match.seating for match in crew.batches[1]] == [0, 1, 2, 3]


def test_what_a_worker_reports_must_be_its_match(tmp_path: Path) -> None:
    async def lie(coordinator: Coordinator, matches: list[ScheduledMatch]) -> None:
        rows = [even(coordinator, match) for match in matches]
        for match, row in zip(matches, rows, strict=True):
            if match.seating == 0:
                row["seats"][0]["entrant"] = "another"
        answers = [(match, {"row": row}) for match, row in zip(matches, rows, strict=True)]
        await coordinator.ended(answers, began=datetime.now(UTC))

    why = "its worker answered something else: seats: other contents than those of the entrants"
    assert played(tmp_path, Crew(lie)) == ((4, 4, 1), [why] * TRIES)


def test_the_unplayed_matches_of_an_entrant_that_left_are_void_at_once(tmp_path: Path) -> None:
    folder = prepared(tmp_path, "each = 1", 8)
    trio.run(Season(folder, matches=1).played)
    (folder / "bots" / "bot00.py").unlink()
    trio.run(Season(folder).played)
    with Ledger(folder, writes=False) as ledger:
        failures = [(match, row["why"]) for match, row in ledger.failures()]
        _, _, void = ledger.counts()
    assert void in {3, 4}, "those of its group, but the one that may have been played before"
    assert len(failures) == void, "one try each"
    assert {why for _, why in failures} == {"an entrant left the tournament"}
    assert all(0 in match.series.numbers for match, _ in failures)
