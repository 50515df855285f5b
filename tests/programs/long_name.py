"""Answers a name of 33 characters."""

from asked import play

play(name=b"0123456789abcdef0123456789abcdefg\n")
