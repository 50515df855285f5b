"""The wire format of SnakeCore, exactly as protocol.md and the game's README.md define it, and the board that it reads."""

from __future__ import annotations

import random
from itertools import chain, pairwise

import pytest
from games.playing import SEEDS, named, playing
from games.snakecore.drawing import A, B, C, begin, play
from games.snakecore.random_games import answers, crowded, positions
from hypothesis import given

from referee.errors import InvalidReply
from referee.games.snakecore.rules import ENERGY, SnakeCore, start
from referee.games.snakecore.wire import decode, encode

LETTERS = "ULDRNA"


def request(state: SnakeCore) -> str:
    (due,) = state.requests()
    return encode(due).decode()


# -- Requests -----------------------------------------------------------------------------------------------------


def test_pythons_are_listed_from_the_asked_one_in_the_order_of_their_moves() -> None:
    state = begin("""
        A   a1  .   .
        .   .   B   .
        .   .   .   .
        C   .   .   .
        A: shield 1
        C: shield 3
    """)
    heads = {A: "0 0", B: "2 1", C: "0 3"}
    play(state, "N")
    assert request(state).splitlines()[6:] == [f"0 1 {heads[B]}", f"3 1 {heads[C]}", f"0 2 {heads[A]} 1 0"]
    play(state, "N")
    assert request(state).splitlines()[6:] == [f"2 1 {heads[C]}", f"0 2 {heads[A]} 1 0", f"0 1 {heads[B]}"]


def test_disqualified_pythons_stay_in_the_list() -> None:
    state = begin("""
        A   b1  B
        .   .   .
        C   .   .
    """)
    play(state, "!")
    assert request(state) == "getAction\n3\npbp\n...\np..\n0 2 2 0 1 0\n0 1 0 2\n0 1 0 0\n"


def test_numbers_of_two_and_three_digits() -> None:
    rows = [["."] * 12 for _ in range(12)]
    rows[10][11], rows[11][11] = "A", "a1*"
    state = begin("\n".join(" ".join(row) for row in rows) + "\n A: shield 130")
    assert request(state).splitlines()[:2] == ["getAction", "12"]
    assert request(state).splitlines()[-3:] == ["...........p", "...........e", "129 2 11 10 11 11"]


@pytest.mark.parametrize("seed", range(4))
def test_requests_of_long_games_are_never_stale_if_some_are_not_encoded(seed: int) -> None:
    chance = random.Random(seed)
    state = named(start(crowded(chance, size=8, seats=1 + seed, rounds=200), seed))
    while state.requests():
        if chance.random() < 0.7:
            assert request(state) == request(named(start(state.position(), seed)))
        state.advance([chance.choices("ULDRNA", [6, 6, 6, 6, 1, 2])[0]])


# -- Answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("end", [b"", b" ", b"\t", b"\r", b" \t \r", b"   ", b"\r ", b"\t\r ", b" \r\t "])
def test_a_letter_may_be_followed_by_blanks_and_one_carriage_return(letter: str, end: bytes) -> None:
    assert decode("getAction", [letter.encode() + end]) == letter


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (b"", "an empty line"),
        (b"\r", r'"\r"'),
        (b" ", '" "'),
        (b"u", '"u"'),
        (b"UU", '"UU"'),
        (b"U L", '"U L"'),
        (b" U", '" U"'),
        (b"U\r\r", r'"U\r\r"'),
        (b"U \r\t\r ", r'"U \r\t\r "'),
        (b"U\r U", r'"U\r U"'),
        (b"U\n", r'"U\n"'),
        (b"U\x00", r'"U\x00"'),
        (b"U\xa0", r'"U\xa0"'),
        ("\ufeffU".encode(), r'"\xef\xbb\xbfU"'),
        ("\uff35".encode(), r'"\xef\xbc\xb5"'),
        (b"p" * 1000, "(1000 bytes)"),
    ],
)
def test_any_other_line_is_invalid_and_its_message_is_printable(line: bytes, shown: str) -> None:
    with pytest.raises(InvalidReply, match="expected one of U L D R N A, got ") as caught:
        decode("getAction", [line])
    assert shown in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


@given(positions(), answers(), SEEDS)
def test_the_patched_board_equals_one_built_from_the_pythons(position, actions, seed) -> None:
    """Chains are connected, disjoint and have 1 + blocks cells. The board, owners and empty cells agree with them."""
    state = named(start(position, seed))
    for _ in chain([None], playing(state, actions)):
        held: set[int] = set()
        stride = state.board.stride
        board = bytearray(("\n" * stride + "\n".join(state.board.field_rows()) + "\n" * (stride + 1)).encode())
        owner = bytearray(len(board))
        for seat, python in enumerate(state.board.pythons):
            cells = list(python.cells)
            assert held.isdisjoint(cells)
            assert len(set(cells)) == len(cells) == 1 + len(python.kinds)
            held.update(cells)
            assert all(abs(a - b) in (1, state.board.stride) for a, b in pairwise(cells))
            assert python.energy == list(python.kinds).count(ENERGY)
            for cell, kind in zip(cells, [ord("p"), *python.kinds], strict=True):
                assert board[cell] == ord(".")
                board[cell] = kind
                owner[cell] = seat + 1 if cell != cells[0] else 0
        assert state.board.text == board
        assert state.board.owner == owner
        assert sorted(state.board.empty) == [cell for cell, there in enumerate(board) if there == ord(".")]
        assert [state.board.index_in_empty[cell] for cell in state.board.empty] == list(range(len(state.board.empty)))
