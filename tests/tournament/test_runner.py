"""Matches that are not played, or not well. The crews of these tests play nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import trio
from tournament.rehearsals import Season, even, prepared, rehearsed

from referee.tournament.answers import TRIES
from referee.tournament.ledger import Ledger
from referee.tournament.model import GAMES, saved_name
from referee.tournament.runner import Coordinator
from referee.tournament.running import RunningTournament
from referee.tournament.schedule_tables import ScheduledMatch


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


def test_a_match_that_always_loses_its_worker_takes_no_other_match_with_it(tmp_path: Path) -> None:
    async def lose_the_third(coordinator: Coordinator, matches: list[ScheduledMatch]) -> None:
        lost = any(match.seating == 2 for match in matches)
        answers: list[tuple[ScheduledMatch, Any]] = [
            (match, {"failed": "lost"} if lost else {"row": even(coordinator, match)}) for match in matches
        ]
        await coordinator.ended(answers, began=datetime.now(UTC))

    crew = Crew(lose_the_third)
    assert played(tmp_path, crew) == ((4, 4, 1), ["lost"] * (4 + 2))
    assert [len(batch) for batch in crew.batches] == [4] + [1] * (3 + 2)


def test_a_void_match_leaves_no_saved_game(tmp_path: Path) -> None:
    async def lose(coordinator: Coordinator, matches: list[ScheduledMatch]) -> None:
        for match in matches:  # a worker that was killed before it answered
            (tmp_path / saved_name(*match.key)).touch()
        lost = [(match, {"failed": "its worker was lost"}) for match in matches]
        await coordinator.ended(lost, began=datetime.now(UTC))

    (tmp_path / GAMES).mkdir()
    assert played(tmp_path, Crew(lose)) == ((4, 4, 4), ["its worker was lost"] * 4 * TRIES)
    assert list((tmp_path / GAMES).iterdir()) == []


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
