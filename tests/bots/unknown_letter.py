"""A letter that is none of the six."""

from asked import play

play(action=b"X\n")
