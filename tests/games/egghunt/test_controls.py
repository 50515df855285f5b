"""What each key would do if all others stay, in words."""

from collections.abc import Sequence

from games.egghunt.drawing import begin

from referee.contract.frame import Control
from referee.games.egghunt.controls import controls

NAMES = ["Ann", "Bob", "Cy"]
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
        "j": "left", "left": "left", "k": "stay", "l": "right: meet Bob", "right": "right: meet Bob",
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
