"""Answers an empty name."""

from asked import play

play(name=b"\n")
