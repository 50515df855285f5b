"""What each possible move would do, in words."""

from tailbite.drawing import begin, named

from referee.tailbite.controls import controls

NAMES = ["Ann", "Bob", "Cy"]


def words(drawing: str) -> dict[str, str]:
    """The words of each answer of the seat to move."""
    state = named(begin(drawing))
    return {control.answer or "": control.words for control in controls(state, state.requests()[0].seat, NAMES)}


def test_only_possible_moves_are_offered() -> None:
    assert words("""
        step 1 of 9, A B to move
        .   .   .   .   .
        .   A   a1  a2  .
        .   .   .   .   .
        .   B   b1  b2  .
        .   .   .   .   .
    """) == {"U": "move", "L": "move", "D": "move"}


def test_a_bite_says_what_is_left_of_the_rival() -> None:
    assert words("""
        step 1 of 9, A B to move
        .   .   .   .   .
        .   A   a1  a2  .
        .   b3  b2  b1  B
        .   .   .   .   .
        .   .   .   .   .
    """) == {"U": "move", "L": "move", "D": "bite Bob, 3 left"}


def test_the_last_bite_eats_the_rival() -> None:
    assert words("""
        step 3 of 9, A C to move
        .   .   Bx  .   .
        .   A   a1  a2  .
        .   c1  .   .   .
        .   C   .   .   .
        .   .   .   .   .
        B: eaten 2
    """) == {"U": "move", "L": "move", "D": "eat Cy"}


def test_the_tail_of_an_eaten_snake_is_what_is_left_of_it() -> None:
    assert (
        words("""
        step 3 of 9, A C to move
        .   Bx  .   .   .
        .   A   a1  a2  .
        .   .   .   .   .
        .   C   c1  c2  .
        .   .   .   .   .
        B: eaten 2
    """)["U"]
        == "bite what is left of Bob"
    )


def test_what_other_snakes_do_next_stays_open() -> None:
    """B has one way only, so its move follows in the same step of the saved game."""
    drawing = """
        step 1 of 9, A B to move
        .   .   .   .   .
        .   .   .   .   .
        .   A   a1  .   .
        b1  .   a2  .   .
        B   a4  a3  .   .
    """
    assert [event["event"] for event in begin(drawing).foresee(["U"])][:2] == ["move", "move"]
    assert words(drawing) == {"U": "move", "L": "move", "D": "move"}
