"""An empty line for an answer."""

from asked import play

play(action=b"\n")
