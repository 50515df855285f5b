"""Checks of faults: every kind at every seat. A fault disqualifies a player that stays for the match, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Final

from referee.contract.game import Entrant, Event, Fault, FaultKind
from referee.testing.subject import MOST_STEPS, Subject, guests

AFTERWARDS: Final = 40
"""Steps that are played after the fault."""


def _stays(line_up: Sequence[Entrant], seat: int) -> bool:
    """Whether a seat's player stays for the whole match. Without entrants, all do."""
    return not line_up or line_up[seat].lifetime == "game"


def faults(subject: Subject) -> None:
    """A fault disqualifies a player that stays for the match, with one event and no more requests, and no one-turn player."""
    for line_up in subject.line_ups:
        for seat in guests(subject.new(1, line_up), line_up):
            for after, kind in product((0, 30), FaultKind):
                _fail(subject, line_up, seat, after, kind)


def _fail(subject: Subject, line_up: Sequence[Entrant], seat: int, after: int, kind: FaultKind) -> None:
    state, chance = subject.played(subject.new(1, line_up), Random(12), after), Random(13)
    happened: list[Event] = []
    ranked = sorted(line.seat for line in state.current_result().ranking)
    steps = 0  # from its first fault on
    for _ in range(MOST_STEPS):
        if not (due := state.requests()) or steps > AFTERWARDS:
            break
        subject.step += 1
        asked = seat in {request.seat for request in due}
        subject.must(not (steps and asked and _stays(line_up, seat)), f"seat {seat} is asked after its fault {kind}")
        if steps or asked:
            steps += 1
        answers, fault = subject.answers(state, chance), Fault(kind, "a test")
        happened += state.advance([fault if answer.seat == seat else answer.action for answer in answers])
    out = [(e["seat"], e["why"], e["detail"]) for e in happened if e["event"] == "disqualified" and e["seat"] == seat]
    lines = state.current_result().ranking
    verdict = next((line.disqualified for line in lines if line.seat == seat), None)
    is_out = steps > 0 and _stays(line_up, seat)
    expected = [(seat, kind, "a test")] if is_out else []
    subject.must(sorted(line.seat for line in lines) == ranked, f"other seats are ranked after the fault {kind}")
    subject.must(out == expected, f"the fault {kind} of seat {seat} has the events {out}")
    why = f"seat {seat} is ranked as disqualified for {verdict!r}, but only a fault disqualifies"
    subject.must(verdict is None or is_out, f"{why}: the rules may let it lose")
    subject.must(verdict == kind or not is_out, f"seat {seat} is ranked with {verdict!r} after the fault {kind}")


def everybody_fails(subject: Subject) -> None:
    """A match ends when every player is disqualified, and one-turn players are not."""
    for line_up, after in product(subject.line_ups, (0, 10, 30)):
        state, chance = subject.played(subject.new(1, line_up), Random(14), after), Random(15)
        can_fail = guests(state, line_up)
        staying = {seat for seat in can_fail if _stays(line_up, seat)}
        failed: set[int] = set()
        for _ in range(MOST_STEPS):
            if not (due := state.requests()):
                break
            subject.step += 1
            failed |= staying.intersection(request.seat for request in due)
            answers, fault = subject.answers(state, chance), Fault(FaultKind.EXIT, "a test")
            state.advance([fault if answer.seat in can_fail else answer.action for answer in answers])
        out = {line.seat for line in state.current_result().ranking if line.disqualified}
        subject.must(out == failed, f"the seats {sorted(out)} are disqualified, {sorted(failed)} have failed")
        if len(staying) == len(can_fail):
            subject.must(not state.requests(), "the match goes on without players")
