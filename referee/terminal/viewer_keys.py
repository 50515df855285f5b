"""The keys of the replay viewer, for its help page and its hints."""

from __future__ import annotations

from typing import Final

from referee.terminal.panel import Keys

VIEWER_KEYS: Final[Keys] = (
    ("space", "space", "play/pause"),
    ("← →", "<- ->", "one step"),
    ("↑ ↓", "Up Down", "round"),
    ("PgUp PgDn", "PgUp PgDn", "ten steps"),
    ("[ ]", "[ ]", "5 % of the match"),
    ("Home End", "Home End", "start, end"),
    ("+ −", "+ -", "speed"),
    ("0–9", "0-9", "set speed"),
    (":", ":", "go to a step"),
    ("n N", "n N", "next, previous event"),
    ("k", "k", "events of one kind"),
    ("Esc", "Esc", "events of any kind"),
    ("Tab", "Tab", "follow"),
    ("e", "e", "evidence first"),
    ("m M", "m M", "next, previous move of the followed seat"),
    ("d", "d", "stop before each turn of the followed seat"),
    ("?", "?", "help"),
    ("q", "q", "quit"),
)
SHORT_KEYS: Final[Keys] = tuple(
    key for key in VIEWER_KEYS if key[1] in ("space", "<- ->", "Up Down", "+ -", "n N", "Tab", "e", "?", "q")
)


def hints(kind: str | None) -> Keys:
    """The keys for the panel, with the kind of events that n and N go to."""
    if kind is None:
        return SHORT_KEYS
    return tuple((*key[:2], f"next, previous {kind}") if key[0] == "n N" else key for key in SHORT_KEYS)
