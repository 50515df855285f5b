"""Writes two answers at once."""

from asked import play

play(action=b"N\nN\n")
