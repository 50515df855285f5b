"""Answers a name of exactly 32 characters."""

from asked import play

play(name=b"0123456789abcdef0123456789abcdef\n")
