"""The wait for an answer that comes soon. A journal has a letter for each action: y a yield, . a look, n a nap."""

from __future__ import annotations

from itertools import groupby

import pytest

from referee.players import brief_wait
from referee.players.brief_wait import FIRST, LOOKS, NAP, NO_LOOKS, NO_YIELD, SHORT_NAP, SLOW_YIELD, SOON, BriefWait


class Machine:
    """Replaces the system and records what a `BriefWait` does.

    Attributes:
        moment: a letter and a number: the answer is there when the journal has the letter that many times.
        slices: seconds that the next yields take; later yields take none.
        naps: the seconds that each nap may take.
    """

    def __init__(self) -> None:
        self.moment: tuple[str, int] | None = None
        self.slices: list[float] = []
        self.naps: list[float] = []
        self.time = 0.0
        self.journal = ""
        self.wait = BriefWait(7, self.now)

    def now(self) -> float:
        return self.time

    def sched_yield(self) -> None:
        self.journal += "y"
        self.time += self.slices.pop(0) if self.slices else 0.0

    def read(self, descriptor: int, count: int) -> bytes:
        assert (descriptor, count) == (7, FIRST)
        if self._is_there():
            return b"N\n"
        self.journal += "."
        raise BlockingIOError

    def select(self, ends: list[int], _in: object, _err: object, nap: float) -> tuple[list[int], list[int], list[int]]:
        self.journal += "n"
        self.naps.append(nap)
        return (ends if self._is_there() else [], [], [])

    def _is_there(self) -> bool:
        """Whether the action has been done that many times."""
        return self.moment is not None and self.journal.count(self.moment[0]) >= self.moment[1]

    def asked(self) -> str:
        """Makes another request; returns its journal, with repetitions as numbers."""
        self.journal = ""
        assert self.wait.read() == (b"N\n" if self._is_there() else None)
        runs = [(letter, len(list(run))) for letter, run in groupby(self.journal)]
        return " ".join(letter if count == 1 else f"{letter}{count}" for letter, count in runs)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine()
    monkeypatch.setattr(brief_wait, "os", machine)
    monkeypatch.setattr(brief_wait, "select", machine)
    return machine


LOOKED = f"y .{1 + LOOKS}"


def test_a_yield_gives_the_processor_to_the_player(machine):
    machine.moment = ("y", 1)
    assert [machine.asked() for _ in range(3)] == ["y"] * 3


def test_looks_find_the_answer_of_a_player_on_another_processor(machine):
    machine.moment = (".", 5)
    assert [machine.asked() for _ in range(3)] == ["y .5"] * 3


def test_without_an_answer_it_yields_looks_and_naps(machine):
    assert machine.asked() == LOOKED + " n"


def test_after_two_successful_naps_in_a_row_looks_are_skipped_for_a_while(machine):
    machine.moment = ("n", 1)
    asked = [machine.asked() for _ in range(NO_LOOKS + 5)]
    in_vain, at_last = LOOKED + " n", "y . n"
    assert asked == [in_vain] * 2 + [at_last] * NO_LOOKS + [in_vain] * 2 + [at_last]


def test_a_successful_look_resets_the_count_of_naps(machine):
    napped, looked = ("n", 1), (".", 5)
    asked = []
    for machine.moment in (napped, looked, napped, looked, napped):
        asked.append(machine.asked())
    assert asked == [LOOKED + " n", "y .5"] * 2 + [LOOKED + " n"]


def test_after_an_expensive_yield_yields_are_skipped_for_a_while(machine):
    machine.moment = (".", 5)
    machine.slices = [SLOW_YIELD / 2, SLOW_YIELD * 2]
    asked = [machine.asked() for _ in range(NO_YIELD + 4)]
    assert asked == ["y .5"] * 2 + [".5"] * NO_YIELD + ["y .5"] * 2


@pytest.mark.parametrize(
    ("nap", "took", "then"),
    [
        (NAP, NAP * 2, ""), (NAP, NAP / 2, LOOKED + " n"), (SHORT_NAP, SOON * 2, ""), (SHORT_NAP, SOON / 2, LOOKED + " n"),
    ],
)  # fmt: skip
def test_after_a_slow_answer_there_is_no_brief_wait(machine, nap, took, then):
    machine.wait = BriefWait(7, machine.now, nap)
    machine.wait.took(took)
    assert machine.asked() == then


def test_a_nap_is_as_long_as_it_may_be(machine):
    for nap in (NAP, SHORT_NAP):
        machine.wait = BriefWait(7, machine.now, nap)
        machine.asked()
    assert machine.naps == [NAP, SHORT_NAP]


def test_there_is_no_nap_for_a_descriptor_that_select_cannot_handle(machine, monkeypatch):
    monkeypatch.setattr(brief_wait, "_SELECTED", 7)
    assert machine.asked() == LOOKED
