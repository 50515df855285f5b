"""Answers a name with a tab."""

from asked import play

play(name=b"a\tb\n")
