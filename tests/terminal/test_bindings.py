"""The tables of keys: what people read is what the keys are."""

from collections import Counter

import pytest

from referee.terminal import keys as k
from referee.terminal.bindings import Keys, label
from referee.terminal.live import LIVE_KEYS, OVER_KEYS, PLAYING_KEYS
from referee.terminal.palette import Look
from referee.terminal.viewer import VIEWER_KEYS

ASCII = Look(colour=False, shades=False, ascii_only=True)
SPELLED = {
    "space": k.SPACE, "<-": k.LEFT, "->": k.RIGHT, "Up": k.UP, "Down": k.DOWN, "PgUp": k.PAGE_UP, "PgDn": k.PAGE_DOWN,
    "Home": k.HOME, "End": k.END, "Esc": k.ESCAPE, "Tab": k.TAB,
}  # fmt: skip
UNNAMED = {"=", "_", k.BACK_TAB, k.ENTER, k.ESCAPE}
"""Other spellings of keys with a name."""


@pytest.mark.parametrize("keys", [VIEWER_KEYS, LIVE_KEYS, PLAYING_KEYS, OVER_KEYS])
def test_the_names_of_a_row_are_those_of_its_keys(keys: Keys) -> None:
    for row in keys:
        names = "0123456789" if row.name == "0–9" else label(row.name, ASCII).split()
        named = {SPELLED.get(name, name) for name in names}
        assert named <= row.actions.keys()
        assert row.actions.keys() - named <= UNNAMED
    assert set(Counter(key for row in keys for key in row.actions).values()) == {1}, "a key has one meaning"
