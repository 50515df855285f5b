import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from referee import games
from referee.contract.frame import Frame, Mark, SeatLine, Tone
from referee.contract.game import Answer, Entrant, Event, Fault, FaultKind, Step
from referee.contract.ranking import Outcome, rank
from referee.errors import GameError
from referee.moments.scene import KEPT, Director, draw_with_names, ranks_of, with_names
from referee.moments.sentences import in_words, sentences
from referee.moments.timeline import Timeline


def watch(toy: SimpleNamespace, seats: int, length: int, played: int) -> Director:
    state = toy.Walk(seats, length)
    director = Director(toy.GAME, state, toy.clocks(seats))
    for number in range(1, played + 1):
        step = toy.play(state, number)
        for answer in step.answers:
            director.clocks[answer.seat].charge(answer.elapsed)
        director.step(step)
    return director


def test_a_scene_has_the_last_events_and_the_clocks(toy: SimpleNamespace) -> None:
    scene = watch(toy, 2, 100, 8).scene()
    assert [(event.round, event.seat, event.kind, event.text, event.step) for event in scene.events] == [
        (3, 0, "jump", "bot 1 jumps", 5),
        (4, 0, "sing", "bot 1 sings", 7),
    ]
    assert [time.last for time in scene.times] == [0.007, 0.008]
    assert scene.times[0].used == pytest.approx(0.016)
    assert scene.times[0].left == pytest.approx(119.984)
    assert (scene.heading, scene.step, scene.steps, scene.over) == ("The walk", 8, None, None)
    assert list(scene.ranks) == [1, 1]


LATE = Fault(FaultKind.TIMEOUT, "no answer within 1 s")


def faulty(events: list[Event]) -> Step:
    """A step in which the second of three seats fails."""
    answers = [Answer(0, "R", "R", 0.1), Answer(1, LATE, None, 1.0), Answer(2, "R", "R", 0.1)]
    return Step(7, 3, "getAction", answers, events)


def test_a_fault_is_reported_in_its_step(toy: SimpleNamespace) -> None:
    lines = list(sentences(toy.GAME, faulty([{"event": "jump", "seat": 0}]), ["a", "b", "c"]))
    assert [(line.round, line.seat, line.kind, line.text, line.step) for line in lines] == [
        (3, 1, "fault", "b fails: timeout, no answer within 1 s", 7),
        (3, 0, "jump", "a jumps", 7),
    ]
    director = watch(toy, 3, 100, 1)
    director.step(faulty([]))
    assert [line.kind for line in director.scene().events] == ["fault"]


def test_a_fault_that_disqualifies_is_reported_once(toy: SimpleNamespace) -> None:
    out = {"event": "disqualified", "seat": 1, "why": "timeout", "detail": "no answer within 1 s"}
    assert [line.kind for line in sentences(toy.GAME, faulty([out]), ["a", "b", "c"])] == ["disqualified"]
    other = {**out, "seat": 2}
    assert [line.kind for line in sentences(toy.GAME, faulty([other]), ["a", "b", "c"])] == ["fault", "disqualified"]


def test_a_live_scene_has_the_names_that_people_read(toy: SimpleNamespace) -> None:
    entrants = [Entrant("Zoe", given=True), Entrant("worm")]
    scene = Director(toy.GAME, toy.Walk(2, 9), toy.clocks(2), entrants).scene()
    assert [line.name for line in scene.frame.seats] == ["Zoe", "bot 2"]


def test_event_lines_stay_after_a_scene_was_made(toy: SimpleNamespace) -> None:
    director = watch(toy, 2, 100, 5)
    assert len(director.scene().events) == len(director.scene().events) == 1


def test_a_director_keeps_a_limited_number_of_steps(toy: SimpleNamespace) -> None:
    events = watch(toy, 2, 2000, 2000).scene().events
    assert events[-1].step == 2000
    assert events[0].step > 2000 - KEPT


def test_the_last_scene_has_the_reason_of_the_end(toy: SimpleNamespace) -> None:
    assert watch(toy, 2, 9, 9).scene().over == "rounds"


def test_a_timeline_knows_the_clocks_at_every_step_without_replaying(toy: SimpleNamespace) -> None:
    saved = toy.SavedWalk(seats=3, length=30)
    timeline = Timeline(saved)
    for k in range(31):
        director = watch(toy, 3, 30, k)
        for at, followed in zip(timeline.times(k), director.scene().times, strict=True):
            assert (at.used, at.left, at.last) == pytest.approx((followed.used, followed.left, followed.last))
            assert at.total == 120.0


def test_a_timeline_has_the_last_event_lines_up_to_a_step(toy: SimpleNamespace) -> None:
    saved = toy.SavedWalk()
    timeline = Timeline(saved)
    assert [event.step for event in timeline.last_sentences(36, ["a", "b"], 3)] == [30, 35, 35]
    assert [event.step for event in timeline.last_sentences(34, ["a", "b"], 2)] == [28, 30]
    assert timeline.last_sentences(4, ["a", "b"], 3) == []
    assert timeline.last_sentences(0, ["a", "b"], 3) == []


@pytest.mark.parametrize(
    ("k", "kind", "forward", "step"),
    [
        (0, None, True, 5),
        (5, None, True, 7),
        (5, "jump", True, 10),
        (7, "jump", False, 5),
        (7, None, False, 5),
        (5, None, False, None),
        (100, None, True, None),
        (50, "move", True, None),
        (0, "dance", True, None),
    ],
)
def test_seek_finds_events(toy: SimpleNamespace, k: int, kind: str | None, forward: bool, step: int | None) -> None:
    saved = toy.SavedWalk()
    event = Timeline(saved).seek(k, ["a", "b"], kind, forward=forward)
    assert (event and event.step) == step


def test_a_simultaneous_step_has_the_time_of_each_seat(toy: SimpleNamespace) -> None:
    director = Director(toy.GAME, toy.Walk(3, 9), toy.clocks(3))
    director.step(Step(1, 1, "go", [Answer(seat, "R", "R", 0.1 * (seat + 1)) for seat in range(3)], []))
    assert [time.last for time in director.scene().times] == pytest.approx([0.1, 0.2, 0.3])


def test_a_ranking_may_omit_seats() -> None:
    ranking = rank([1, 5, 3], [None, None, None], ["a", "b", "c"])
    assert ranks_of(Outcome("rounds", 1, ranking), 3) == [3, 1, 2]
    assert ranks_of(Outcome("rounds", 1, ranking[:2]), 3) == [None, 1, 2]
    assert ranks_of(Outcome("rounds", 1, []), 2) == [None, None]


def test_a_seat_that_does_not_exist_is_charged_nothing(toy: SimpleNamespace) -> None:
    saved = toy.SavedWalk(broken_at=9)
    saved.steps[8] = saved.steps[8]._replace(answers=[Answer(99, "R", "R", 1.0)])
    assert [time.used for time in Timeline(saved).times(8)] == pytest.approx([0.016, 0.020])


def frame(*names: str) -> Frame:
    seats = [SeatLine(seat, name, 0.0, ["fig"], None) for seat, name in enumerate(names)]
    return Frame("names", [], ["figure"], seats, [0], [])


@pytest.mark.parametrize(
    ("bots", "answered", "shown"),
    [
        (["kaa", "ilse"], ["Viper", "Adder"], ["Viper", "Adder"]),
        (["=Zoe", "ilse"], ["Viper", "Adder"], ["Zoe", "Adder"]),
        (["kaa", "ilse"], ["player 1", ""], ["kaa", "ilse"]),
        (["kaa", "ilse"], ["  ", "1 bot  | winner"], ["kaa", "1 bot ¦ winner"]),  # no name looks like cells
        (["kaa", "ilse"], ["player 2", "player 1"], ["player 2", "player 1"]),  # names that were answered
        (["kaa", "kaa#2", "=Zoe"], ["Viper", "Viper", "Viper"], ["Viper", "Viper#2", "Zoe"]),
        (["kaa", "=Viper", "=Zoe"], ["Viper", "Adder", "Viper#2"], ["Viper#2", "Viper", "Zoe"]),
        (["kaa", "kaa#2"], ["player 1", "kaa#2"], ["kaa", "kaa#2"]),
        ([""], ["player 1"], ["player 1"]),
    ],
)
def test_a_name_is_the_users_choice_else_the_answer_else_the_name_of_the_bot(bots, answered, shown):
    who = [Entrant(name.removeprefix("="), given=name.startswith("=")) for name in bots]
    drawn = with_names(frame(*answered), who)
    assert [line.name for line in drawn.seats] == shown
    assert replace(drawn, seats=frame(*answered).seats) == frame(*answered)
    assert [replace(line, name="") for line in drawn.seats] == [
        replace(line, name="") for line in frame(*answered).seats
    ]
    assert with_names(frame(*answered), ()) == frame(*answered)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seats": []}, "its frame has lines for the seats [] instead of 0 to 1, in order"),
        ({"cells": [[Mark(" .", Tone.EMPTY)], []]}, "the rows of its frame have different lengths: [0, 1]"),
        ({"cells": [["ab"]]}, "its frame has 'ab' where a Mark belongs"),
        ({"title": None}, "its frame has None where a str belongs"),
        ({"figures": [7]}, "its frame has 7 where a str belongs"),
        ({"seats": [SeatLine(0, 8, 0, [], None)]}, "its frame has 8 where a str belongs"),  # type: ignore[arg-type]
        ({"seats": [None]}, "its frame has None where a SeatLine belongs"),
        ({"to_move": 1}, "a part of its frame is no list: 'int' object is not iterable"),
        ({"legend": "abc"}, "a part of its frame is no list: not enough values to unpack (expected 2, got 1)"),
        (None, "`draw` returned None instead of a `Frame`"),
    ],
)
def test_a_frame_that_no_view_can_show_is_a_mistake_of_the_game(changes, why, monkeypatch):
    state = games.find("snakecore").start(games.find("snakecore").trials()[0].setup, 1)
    drawing = None if changes is None else replace(state.draw(), **changes)
    monkeypatch.setattr(type(state), "draw", lambda _self: drawing)
    why = why.replace("of 2", f"of {state.seats}")
    with pytest.raises(GameError, match=re.escape(f"this is a mistake of the game in {type(state).__module__}: {why}")):
        draw_with_names(state, ())


def test_words_that_are_no_text_are_a_mistake_of_the_game() -> None:
    silent: Any = replace(games.find("snakecore"), tell=lambda _event, _names: 7)
    with pytest.raises(GameError, match="`tell` returned 7 instead of a text or None"):
        in_words(silent, {"event": "moved", "seat": 0}, ["Ann", "Ben"])
