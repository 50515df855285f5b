"""The view of the egg hunt: frames, sentences, why a player is where it was (rule 5), and what each key would do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from games.egghunt.drawing import A, B, C, back, begin, collect, destroy, fight, line_up, play, read, to
from games.playing import board

from referee.contract.frame import Control, Tone
from referee.contract.game import Answer, Event, Fault, FaultKind, Step
from referee.games.egghunt.actions import controls, effects
from referee.games.egghunt.rules import start
from referee.games.egghunt.view import COLUMNS, tell

NAMES = ["Hare", "Fox", "Hound"]


def test_a_frame_shows_walls_eggs_and_numbered_players() -> None:
    frame = begin("# # # # \n # A o # \n # o B #", scores=[2, 0], turn=7, disqualified=[None, "exit"]).draw()
    assert board(frame) == ["########", "## 1()##", "##() 2##"]
    assert (frame.title, frame.to_move, frame.figures) == ("turn 7 of 50", [A], ("this run", "eggs"))
    first, second = frame.seats
    assert (first.name, first.score, first.figures, first.disqualified) == ("a", 2, ("2", "2"), None)
    assert (second.name, second.score, second.figures, second.disqualified) == ("b", 0, ("0", "0"), "exit")
    assert [mark.tone for mark in frame.cells[1]] == [Tone.WALL, Tone.HEAD, Tone.ITEM, Tone.WALL]
    assert [mark.seat for mark in frame.cells[1]] == [None, A, None, None]


def test_seats_beyond_nine_have_two_digits() -> None:
    cells = [[x, 0] for x in range(12)]
    frame = start({"field": [" " * 13], "eggs": [[12, 0]], "players": cells}, 1).draw()
    assert board(frame) == [" 1 2 3 4 5 6 7 8 9101112()"]


def test_titles_and_figures_of_several_runs() -> None:
    position = read("A B C D E F G o", runs=10, run=4, turns=9, scores=[1] * 7, totals=[5] * 7)
    state = start(position, 1, line_up(7, "game"))
    assert (state.draw().title, state.draw().to_move) == ("run 4 of 10, names", [A])
    assert state.draw().seats[B].name == "player 2"
    for _ in range(7):
        state.advance(["x"])
    assert (state.draw().title, state.draw().to_move) == ("run 4 of 10, turn 1 of 9", [*range(7)])
    line = state.draw().seats[0]
    assert (line.score, line.figures) == (0.6, ("1", "6"))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (fight(A, B, winner=B), "Fox beats Hare"),
        (fight(A, B), "Hare and Fox meet, and nobody wins"),
        (fight(A, B, C), "Hare, Fox and Hound meet, and nobody wins"),
        (collect(B), "Fox collects an egg"),
        (destroy(C), "Hound destroys an egg"),
        ({"event": "run", "run": 3, "position": {}}, "run 3 begins"),
        ({"event": "named", "seat": A, "name": "Hare"}, None),
        (to(A, 1, 1), None),
        (back(A), None),
    ],
)
def test_events_in_words(event: Event, sentence: str | None) -> None:
    assert tell(event, NAMES) == sentence


def test_columns_count_events() -> None:
    state = begin("A o . o B")
    events = [*play(state, "A 4 N, B 8 A"), back(A)]
    sums = {column.title: sum(column.of(event) for event in events) for column in COLUMNS}
    assert sums == {"eggs": 1, "destroyed": 1, "sent back": 1}


def meaning(*answers: str | None, events: list[Event]) -> list[tuple[int, str, int | None]]:
    """Seat, words and rival of each turn that came to nothing; None is a fault."""
    fault = Fault(FaultKind.EXIT, "exited")
    replies = [Answer(seat, fault if text is None else text, text, 0.001) for seat, text in enumerate(answers)]
    points = [0.0] * len(answers)
    step = Step(9, 2, "getAction", replies, events)
    return [(effect.seat, effect.what, effect.rival) for effect in effects(step, points, points)]


def test_walls_and_staying_have_a_reason_and_a_move_or_a_fault_has_none() -> None:
    assert meaning("4\nN\n", events=[to(A, 2, 2)]) == []
    stayed = [(seat, "stayed where it was", None) for seat in (B, C)]
    assert meaning("4\nN\n", "9\nA\n", "x\n", events=[]) == [(A, "walked into a wall", None), *stayed]
    assert meaning(None, events=[]) == []


def test_fights() -> None:
    won = [fight(A, B, winner=B), back(A), to(B, 2, 2)]
    assert meaning("4\nN\n", "8\nA\n", events=won) == [(A, "sent back after a lost fight", B)]
    nobody = "sent back after a fight that nobody won"
    drawn = [fight(A, B), back(A), back(B)]
    assert meaning("4\nN\n", "8\nN\n", events=drawn) == [(A, nobody, B), (B, nobody, A)]
    three = [fight(A, B, C), back(A), back(B), back(C)]
    assert meaning("4\nN\n", "8\nN\n", "1\nA\n", events=three) == [(seat, nobody, None) for seat in (A, B, C)]


def test_returns_without_a_lost_fight() -> None:
    assert meaning("4\nA\n", events=[back(A)]) == [(A, "sent back by a player in the way", None)]
    assert meaning("4\nC\n", events=[back(A)]) == [(A, "sent back from an egg with stance C, or by a player", None)]


def test_eggs() -> None:
    step = Step(9, 2, "getAction", [Answer(A, "4\nN\n", "4\nN\n", 0.001)], [collect(A)])
    (egg,) = effects(step, [0.3], [0.4])
    assert (egg.kind, egg.what) == ("points", "eggs")
    assert list(effects(step, [0.0], [0.0])) == [], "a player of the house is not ranked"
    assert meaning("4\nA\n", events=[destroy(A)]) == [(A, "destroyed an egg (stance A)", None)]


FIELD = """
    # # # # #
    # . o . #
    # . A B #
    # . . # #
    # # # # #
"""


def words(choices: Sequence[Control]) -> dict[str, str]:
    """The words of each key."""
    return {key: control.words for control in choices for key in control.keys}


def test_a_direction_alone_collects() -> None:
    choices = controls(begin(FIELD), 0, NAMES)
    assert words(choices) == {
        "u": "up left", "i": "up: collect an egg", "up": "up: collect an egg", "o": "up right",
        "j": "left", "left": "left", "k": "stay", "l": "right: meet Fox", "right": "right: meet Fox",
        "m": "down left", ",": "down", "down": "down", ".": "down right: a wall",
        "a": "attack beats plain moves", "c": "counter beats attacks",
    }  # fmt: skip
    assert [control.answer for control in choices if "i" in control.keys] == ["2\nN\n"]


def test_an_attack_destroys_and_a_counter_returns() -> None:
    choices = {control.keys[0]: control for control in controls(begin(FIELD), 0, NAMES)}
    attack, counter = choices["a"].then, choices["c"].then
    assert words(attack)["i"] == "up: destroy an egg"
    assert words(counter)["i"] == "up: an egg, which sends you back"
    assert [control.answer for control in [*attack, *counter] if "k" in control.keys] == ["9\nA\n", "9\nC\n"]


def test_every_seat_has_its_own_view_of_the_board() -> None:
    assert words(controls(begin(FIELD), 1, NAMES))["u"] == "up left: collect an egg"
