"""What each key would do, in words: the rules of README.md decide."""

from games.snakecore.drawing import begin, named

from referee.games.snakecore.view import controls

NAMES = ["Ann", "Bob", "Cy"]


def words(drawing: str, seat: int = 0) -> dict[str, str]:
    """The words of each answer."""
    return {control.answer or "": control.words for control in controls(named(begin(drawing)), seat, NAMES)}


def test_moves_blocks_and_skips() -> None:
    assert words("""
        .  b  .
        .  A  e
        .  W  .
    """) == {
        "U": "eat a block",
        "L": "move",
        "D": "skip: a wall",
        "R": "eat an energy block",
        "N": "wait",
        "A": "skip: no energy block",
    }  # fmt: skip


def test_bites_name_the_rival_and_what_it_loses() -> None:
    by_key = words("""
        .   .   .   .
        A   b1  B   .
        c1  b2  b3  .
        C   .   .   .
    """)
    assert by_key["R"] == "bite 3 off Bob"
    assert by_key["D"] == "skip: a rival's tail"
    assert by_key["L"] == "skip: the edge of the field"


def test_a_shield_shows_what_it_forbids_and_gives() -> None:
    drawing = """
        .   .   .   .
        .   A   a1* .
        .   b1  B   .
        .   b2  .   .
        B: shield 3
    """
    assert words(drawing)["D"] == "skip: a shielded block"
    assert words(drawing)["A"] == "shield up for 10 turns"


def test_a_bite_into_the_own_body_says_what_is_lost() -> None:
    assert words("""
        A   a1  .
        a3  a2  .
        a4  a5  .
    """)["D"] == "bite yourself: lose 2 blocks"  # fmt: skip


def test_a_delivery_says_its_points() -> None:
    by_key = words("""
        R   A   a1
        .   .   a2
        .   .   .
    """)
    assert by_key["L"] == "deliver 2 for 3 points"
    assert words("R A\n. .")["L"] == "a reactor: nothing to deliver"
