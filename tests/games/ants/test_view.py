"""The view of Ants: frames, sentences, and what a turn meant. An event does not say where it happened, the points do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from games.ants.drawing import A, B, begin, bite, born, drop, move, play, put, read, take, unit, void
from games.playing import board

from referee.contract.frame import HUES, Tone
from referee.contract.game import Answer, Event, Step
from referee.games.ants.rules import start
from referee.games.ants.view import COLUMNS, LEGEND, effects, tell

NAMES = ["Trail", "Magpie"]


CROWD = ",".join(f"B{k}" for k in range(1, 11))


def test_a_frame_shows_everything_in_two_columns() -> None:
    state = begin(f"""
        a           A0        A1+     A2/3
        A3,A4/2     A5,A6,B0  3       12
        ~7/50       ~7/49     ~7/0    {CROWD}
        A7+,A8+,A9  A10       .       b
    """)
    assert board(state.draw()) == ["1H1o1+1z", "121x%3%%", "~~ ~  2&", "131o  2H"]


def test_a_hill_is_under_its_ants_and_its_food_is_the_score() -> None:
    state = begin("unit 98 of 99, A0 to move \n a,A0,4 9 \n B0+ b,2")
    frame = state.draw()
    assert board(frame) == ["1o%9", "2+2H"]
    assert (frame.title, frame.to_move) == ("unit 98 of 99", [A])
    assert frame.figures == ("ants", "with food", "disabled")
    first, second = frame.seats
    assert (first.name, first.score, first.figures, first.disqualified) == ("a", 4, ("1", "0", "0"), None)
    assert (second.name, second.score, second.figures, second.disqualified) == ("b", 2, ("1", "1", "0"), None)
    play(state, "void !")
    assert state.draw().seats[B].disqualified == "timeout"


def test_marks_have_the_seat_and_the_tone() -> None:
    frame = begin("a A0 A1+ \n A2/3 A3,B0/2 5 \n B1/2 B2,B3/1 b").draw()
    (hill, one, loaded), (disabled, mixed, food), (_, several, other) = frame.cells
    assert [mark.tone for mark in (hill, food)] == [Tone.GOAL, Tone.ITEM]
    assert [mark.tone for mark in (one, loaded, mixed, several)] == [Tone.HEAD] * 4
    assert disabled.tone is Tone.BODY
    assert [mark.seat for mark in (hill, one, mixed, several, other, food)] == [A, A, A, B, B, None]
    assert [mark.strong for mark in (one, loaded)] == [False, True]


def test_a_smell_has_the_colour_of_its_hue_and_fades_in_steps() -> None:
    frame = begin("~7/100 ~-1/51 ~1/50 \n ~1/26 ~1/25 ~1/1 \n a . b").draw()
    smells = [mark for row in frame.cells[:2] for mark in row]
    assert [mark.hue for mark in smells] == [1, HUES - 1, 1, 1, 1, 1]
    assert [mark.level for mark in smells] == [1.0, 0.75, 0.5, 0.5, 0.25, 0.25]
    assert {mark.tone for mark in smells} == {Tone.EMPTY}


def test_players_give_names_before_the_first_unit() -> None:
    state = start(read("unit 1 of 9, A0 to move \n a . \n . b", ants=2), 1)
    frame = state.draw()
    assert (frame.title, frame.to_move) == ("names", [A])
    assert [line.name for line in frame.seats] == ["player 1", "player 2"]


def test_no_player_is_to_move_after_the_end() -> None:
    frame = start(read("unit 9 of 9, over \n a,A0 . \n . b,B0"), 1).draw()
    assert (frame.title, frame.to_move) == ("unit 9 of 9", [])


def test_every_mark_of_the_legend_is_drawn() -> None:
    texts = [mark.text for mark, _ in LEGEND]
    assert len(set(texts)) == len(texts)
    state = begin(f"a A0 A1+ A2/3 \n A3,A4,A5 A6,B0 3 . \n ~0/99 ~0/2 . {CROWD} \n A7 A8 {'A9,A10'} b")
    assert {mark for mark, _ in LEGEND} <= {mark for row in state.draw().cells for mark in row}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (bite(A, 2, B, 0), "Trail's ant 3 bites Magpie's ant 1"),
        (drop(B, 0), "Magpie's ant 1 drops its food"),
        (take(A, 9), "Trail's ant 10 picks up food"),
        (put(A, 0), "Trail's ant 1 puts food down"),
        (move(A, 0, 1, 1), None),
        (void(A, 0), None),
        (born(A, 0), None),
        (unit(3), None),
        ({"event": "named", "seat": A, "name": "Trail"}, None),
    ],
)
def test_events_in_words(event: Event, sentence: str | None) -> None:
    assert tell(event, NAMES) == sentence


def test_columns_count_actions() -> None:
    bites = [bite(A, 0, B, 0), bite(A, 0, B, 1), bite(A, 0, B, 1)]
    events = [take(A, 0), take(A, 1), put(A, 0), drop(A, 1), *bites, unit(1)]
    assert {column.title: sum(map(column.of, events)) for column in COLUMNS} == {
        "taken": 2, "put down": 1, "dropped": 1, "bites": 3,
    }  # fmt: skip


def test_heaps_and_crowds_of_ten_or_more_have_their_number_beside_the_text() -> None:
    crowd = ",".join(f"B{k}" for k in range(11))
    frame = begin(f"a 9 10 . \n {crowd} 137 A0,B11 . \n . . . . \n . . . b").draw()
    (_, few, ten, _), (group, many, mixed, _) = frame.cells[:2]
    assert [mark.amount for mark in (few, ten, group, many, mixed)] == [None, 10, 11, 137, None]
    assert [mark.text for mark in (few, ten, group, many)] == ["%9", "%%", "2&", "%%"]


ANT = {"seat": 0, "ant": 3}
BITE = {"event": "bite", "seat": 0, "ant": 3, "victim": [1, 2]}
DROP = {"event": "drop", "seat": 1, "ant": 2}


def meaning(*events: Event, after: Sequence[int] = (5, 5), action: int = 0) -> list[tuple[int, str, str, float, Any]]:
    """Seat, kind, words, amount and rival of each effect of a turn of seat 0. Both teams have 5 points before it."""
    text = f"{action} 0 0 {'0' * 64}"
    step = Step(9, 2, "getAction", [Answer(0, text, text, 0.001)], events)
    return [(it.seat, it.kind, it.what, it.amount, it.rival) for it in effects(step, (5, 5), after)]


def test_food_is_points_only_on_a_hill() -> None:
    put, take = {"event": "put", **ANT}, {"event": "take", **ANT}
    assert meaning(put) == meaning(take) == []
    assert meaning(put, after=(6, 5)) == [(0, "points", "carried home", 1, None)]
    assert meaning(put, after=(5, 6)) == [(1, "points", "put there by rivals", 1, 0)]
    assert meaning(take, after=(4, 5)) == [(0, "points", "taken away again", -1, None)]
    assert meaning(take, after=(5, 4)) == [(1, "points", "taken by rivals", -1, 0)]


def test_a_bite_costs_the_victim_turns_and_its_food() -> None:
    bitten = (1, "loss", "bites suffered, each costs 8 turns", 1, 0)
    dropped = (1, "loss", "mg of food dropped after a bite", 1, 0)
    assert meaning(BITE) == [bitten]
    assert meaning(BITE, DROP) == [bitten, dropped]
    assert meaning(BITE, DROP, after=(6, 5)) == [bitten, (0, "points", "dropped by rivals", 1, 1), dropped]
    assert meaning(BITE, DROP, after=(5, 6)) == [bitten, (1, "points", "dropped there", 1, None), dropped]


@pytest.mark.parametrize(
    ("action", "what"),
    [
        (2, "walked into the border"),
        (4, "bit a cell without an enemy"),
        (8, "took food where none was, or with food already"),
        (9, "put food down without carrying any"),
        (10, "answered a number that is no action"),
        (-1, "answered a number that is no action"),
    ],
)
def test_why_an_action_was_void(action: int, what: str) -> None:
    assert meaning({"event": "void", **ANT}, action=action) == [(0, "nothing", what, 1, None)]
