"""Answers an unknown letter."""

from asked import play

play(action=b"X\n")
