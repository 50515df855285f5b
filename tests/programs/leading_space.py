"""Writes a space before the letter."""

from asked import play

play(action=b" N\n")
