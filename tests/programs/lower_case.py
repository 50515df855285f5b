"""Answers a letter in lower case."""

from asked import play

play(action=b"n\n")
