"""Answers an empty line."""

from asked import play

play(action=b"\n")
