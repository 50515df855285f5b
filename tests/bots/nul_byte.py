"""A NUL byte behind the letter."""

from asked import play

play(action=b"N\0\n")
