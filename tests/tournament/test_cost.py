"""What a match costs the coordinator does not grow: workers that play nothing answer at once, and the rest is counted."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from tournament.rehearsals import prepared, rehearsed

from referee.tournament.running import RunningTournament

pytestmark = pytest.mark.machine


def looked_at(folder: Path, look: Callable[[RunningTournament], Callable[[], int]], at: tuple[int, ...]) -> list[int]:
    """A figure after so many matches each, the last of which is the end."""
    figures: list[int] = []
    with RunningTournament(folder) as tournament:
        figure = look(tournament)
        trio.run(rehearsed, tournament, lambda played: figures.append(figure()) if played in at else None)
        assert tournament.table()["matches"] == at[-1]
    return figures


def memory(_: RunningTournament) -> Callable[[], int]:
    """The bytes that Python has taken since the first look, and holds."""

    def look() -> int:
        tracemalloc.start()
        return tracemalloc.get_traced_memory()[0]

    return look


def instructions(tournament: RunningTournament) -> Callable[[], int]:
    """The hundreds of instructions that SQLite's machine has carried out for the ledger."""
    done = 0

    def more() -> int:
        nonlocal done
        done += 1
        return 0

    tournament.ledger._db.set_progress_handler(more, 100)
    return lambda: done


def test_in_a_tour_memory_does_not_grow(tmp_path: Path) -> None:
    folder = prepared(tmp_path, 'kind = "round-robin"\neach = 100', 8)
    try:
        _, early, late = looked_at(folder, memory, (200, 500, 800))
    finally:
        tracemalloc.stop()
    assert late - early < 50_000, "the results of 300 matches are three times as much, and their rows are more"


@pytest.mark.parametrize("kind", ["ladder", "round-robin"])
def test_the_ledger_does_as_much_for_the_last_matches_as_for_the_first(tmp_path: Path, kind: str) -> None:
    """The ladder of eight has a tour every four matches, the round-robin only one."""
    settings = {"ladder": 'kind = "ladder"\nseries = 250', "round-robin": 'kind = "round-robin"\neach = 125'}
    folder = prepared(tmp_path, settings[kind], 8)
    early, half, late, end = looked_at(folder, instructions, (30, 60, 970, 1000))
    # A busy machine writes other numbers of matches at once: up to twice as much. A query for all matches: seven times as much.
    assert end - late < 4 * (half - early)
