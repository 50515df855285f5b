"""Matches that are lost with their workers. The crews of these tests play nothing."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import trio

sys.path.append(str(Path(__file__).parents[2] / "scripts"))  # the package `benchmarks` is there

from benchmarks.rehearsals import prepared, rehearsed

from referee.tournament.ledger import Match
from referee.tournament.runner import SPARED, TRIES, Coordinator
from referee.tournament.tournament import Tournament


@dataclass
class Crew:
    """Takes matches four at a time.

    Attributes:
        report: reports a batch. batches: those that were taken.
    """

    report: Callable[[Coordinator, list[Match]], Any]
    batches: list[list[Match]] = field(default_factory=list)

    async def work(self, coordinator: Coordinator) -> None:
        """Play until it is cancelled."""
        while True:
            self.batches.append(await coordinator.take(lambda _waiting: 4))
            await self.report(coordinator, self.batches[-1])


def played(folder: Path, crew: Crew) -> tuple[tuple[int, int, int], list[str]]:
    """The counts of the ledger, and why tries failed."""
    with Tournament(prepared(folder, "each = 1", 4), writes=True) as tournament:
        trio.run(rehearsed, tournament, lambda _played: None, lambda _opening: crew)
        return tournament.ledger.counts(), [failure["why"] for failure in tournament.ledger.failures()]


def test_a_match_that_is_lost_is_played_alone_from_then_on_and_void_only_in_the_end(tmp_path: Path) -> None:
    async def lose(coordinator: Coordinator, matches: list[Match]) -> None:
        await coordinator.lost(matches, "its worker was lost", began=datetime.now(UTC), machine="node1")

    crew = Crew(lose)
    assert played(tmp_path, crew) == ((4, 4, 4), ["its worker was lost"] * 4 * TRIES)
    assert [len(batch) for batch in crew.batches] == [4] + [1] * 4 * (SPARED + TRIES - 1)
    assert set(Counter(match.seating for batch in crew.batches for match in batch).values()) == {SPARED + TRIES}


def test_what_is_given_back_is_no_try_and_comes_in_the_same_order(tmp_path: Path) -> None:
    async def give_back_once(coordinator: Coordinator, matches: list[Match]) -> None:
        if len(crew.batches) == 1:
            await coordinator.give_back(matches)
        else:
            failed = [(match, {"failed": "no idea"}) for match in matches]
            await coordinator.ended(failed, began=datetime.now(UTC))

    crew = Crew(give_back_once)
    assert played(tmp_path, crew) == ((4, 4, 4), ["no idea"] * 4 * TRIES)
    assert [match.seating for match in crew.batches[0]] == [match.seating for match in crew.batches[1]] == [0, 1, 2, 3]
