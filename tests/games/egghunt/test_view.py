"""The view of the egg hunt: frames and sentences for drawn positions."""

from __future__ import annotations

import pytest
from games.egghunt.drawing import A, B, C, back, begin, collect, destroy, fight, line_up, play, read, to
from games.playing import board

from referee.contract.frame import Tone
from referee.contract.game import Event
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
    for _ in range(7):
        state.advance(["x"])
    assert (state.draw().title, state.draw().to_move) == ("run 4 of 10, turn 1 of 9", [*range(7)])
    line = state.draw().seats[0]
    assert (line.score, line.figures) == (0.6, ("1", "6"))


def test_players_without_names_are_numbered_from_1() -> None:
    assert [line.name for line in start(read("A o B"), 1).draw().seats] == ["player 1", "player 2"]


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
