"""Writes a NUL byte after the letter."""

from asked import play

play(action=b"N\0\n")
