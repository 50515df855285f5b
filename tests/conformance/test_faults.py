"""Every fault at every seat: it disqualifies a player that stays for the match, and never a one-turn player."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from conformance.playing import MOST_STEPS, line_ups, new, played, vocabulary

from referee.contract.game import Entrant, Event, Fault, FaultKind, Game, State


def fail(game: Game[Any, Any], state: State[Any, Any], seats: set[int], kind: FaultKind) -> list[Event]:
    """Play on while these seats answer with faults, and return all events."""
    happened: list[Event] = []
    words, chance = vocabulary(game.name), random.Random(13)
    for _ in range(MOST_STEPS):
        if not (due := state.requests()):
            break
        happened += state.advance(
            [Fault(kind, "a test") if request.seat in seats else chance.choice(words[request.ask]) for request in due]
        )
    return happened


def stays(line_up: Sequence[Entrant], seat: int) -> bool:
    """Whether a seat's player stays for the whole match. Without entrants, all do."""
    return not line_up or line_up[seat].lifetime == "game"


@pytest.mark.parametrize("after", [0, 30])
@pytest.mark.parametrize("kind", list(FaultKind))
def test_every_fault_at_every_seat_disqualifies_by_lifetime(game: Game[Any, Any], kind: FaultKind, after: int) -> None:
    """Each disqualification has exactly one event, and every seat is ranked at the end."""
    for line_up in line_ups(game):
        for seat in range(new(game, entrants=line_up).seats):
            state = played(game, new(game, entrants=line_up), random.Random(12), after)
            ranked = sorted(line.seat for line in state.current_result().ranking)
            happened = fail(game, state, {seat}, kind)
            out = [event for event in happened if event["event"] == "disqualified"]
            verdict = {line.seat: line.disqualified for line in state.current_result().ranking}
            assert sorted(verdict) == ranked
            if stays(line_up, seat):
                assert [(event["seat"], event["why"], event["detail"]) for event in out] == [(seat, kind, "a test")]
            else:
                assert not out
            assert verdict == {s: str(kind) if s == seat and stays(line_up, s) else None for s in ranked}


def test_a_disqualified_player_gets_no_more_requests(game: Game[Any, Any]) -> None:
    for line_up in line_ups(game):
        for seat in filter(lambda seat: stays(line_up, seat), range(new(game, entrants=line_up).seats)):
            state = played(game, new(game, entrants=line_up), random.Random(12), 20)
            while (due := state.requests()) and seat not in {request.seat for request in due}:
                played(game, state, random.Random(3), 1)
            chance = random.Random(4)
            state.advance(
                [
                    Fault(FaultKind.EXIT, "a test") if r.seat == seat else chance.choice(vocabulary(game.name)[r.ask])
                    for r in due
                ]
            )
            for _ in range(MOST_STEPS):
                assert seat not in {request.seat for request in state.requests()}
                played(game, state, chance, 1)


def test_a_match_ends_when_every_player_is_disqualified(game: Game[Any, Any]) -> None:
    for line_up in line_ups(game):
        for after in (0, 10, 30):
            state = played(game, new(game, entrants=line_up), random.Random(14), after)
            everybody = set(range(state.seats))
            fail(game, state, everybody, FaultKind.EXIT)
            if all(stays(line_up, seat) for seat in everybody):
                outcome = state.outcome()
                assert outcome is not None
                assert all(line.disqualified == "exit" for line in outcome.ranking)
            else:
                out = {line.seat for line in state.current_result().ranking if line.disqualified}
                assert out == {seat for seat in everybody if stays(line_up, seat)}
