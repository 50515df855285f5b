"""What is done until an answer is there that comes soon. A journal has a letter for each deed: y a yield, . a look, n a nap."""

from __future__ import annotations

from itertools import groupby

import pytest

from referee.players import brief_wait
from referee.players.brief_wait import ABSTAIN, DEAR, FIRST, LOOKS, SOON, VAIN, BriefWait


class Machine:
    """What a `BriefWait` does, in place of the system: the answer comes in the deed called `moment`, by its number.

    Attributes:
        slices: seconds that the next yields take; none when they are used up.
    """

    def __init__(self) -> None:
        self.moment: tuple[str, int] | None = None
        self.slices: list[float] = []
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

    def select(self, ends: list[int], *_: object) -> tuple[list[int], list[int], list[int]]:
        self.journal += "n"
        return (ends if self._is_there() else [], [], [])

    def _is_there(self) -> bool:
        """Whether the deed has been done so many times."""
        return self.moment is not None and self.journal.count(self.moment[0]) >= self.moment[1]

    def asked(self) -> str:
        """Another request: its journal, with repetitions as numbers."""
        self.journal = ""
        said = self.wait.read()
        assert said == (b"N\n" if self._is_there() else None)
        runs = [(letter, len(list(run))) for letter, run in groupby(self.journal)]
        return " ".join(letter if count == 1 else f"{letter}{count}" for letter, count in runs)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine()
    monkeypatch.setattr(brief_wait, "os", machine)
    monkeypatch.setattr(brief_wait, "select", machine)
    return machine


LOOKED = f"y .{1 + LOOKS}"


def test_who_needed_the_processor_has_it_by_a_yield(machine: Machine) -> None:
    machine.moment = ("y", 1)
    assert [machine.asked() for _ in range(3)] == ["y"] * 3


def test_who_runs_elsewhere_is_looked_for(machine: Machine) -> None:
    machine.moment = (".", 5)
    assert [machine.asked() for _ in range(3)] == ["y .5"] * 3


def test_nobody_comes_out_when_nothing_comes(machine: Machine) -> None:
    assert machine.asked() == LOOKED + " n"


def test_nobody_looks_for_a_while_where_a_nap_helped_twice_on_end(machine: Machine) -> None:
    machine.moment = ("n", 1)
    asked = [machine.asked() for _ in range(VAIN + 5)]
    in_vain, at_last = LOOKED + " n", "y . n"
    assert asked == [in_vain] * 2 + [at_last] * VAIN + [in_vain] * 2 + [at_last]


def test_a_look_that_helps_in_between_begins_the_count_anew(machine: Machine) -> None:
    napped, looked = ("n", 1), (".", 5)
    asked = []
    for machine.moment in (napped, looked, napped, looked, napped):
        asked.append(machine.asked())
    assert asked == [LOOKED + " n", "y .5"] * 2 + [LOOKED + " n"]


def test_the_processor_is_not_given_away_for_a_while_where_it_came_back_late(machine: Machine) -> None:
    machine.moment = (".", 5)
    machine.slices = [DEAR / 2, DEAR * 2]
    asked = [machine.asked() for _ in range(ABSTAIN + 4)]
    assert asked == ["y .5"] * 2 + [".5"] * ABSTAIN + ["y .5"] * 2


@pytest.mark.parametrize(("took", "then"), [(SOON * 2, ""), (SOON / 2, LOOKED + " n")])
def test_who_took_its_time_is_not_waited_for_the_next_time(machine: Machine, took: float, then: str) -> None:
    machine.wait.took(took)
    assert machine.asked() == then


def test_a_descriptor_that_cannot_be_selected_is_not_napped_for(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(brief_wait, "_SELECTED", 7)
    assert machine.asked() == LOOKED
