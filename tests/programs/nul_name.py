"""Answers a name with a NUL byte."""

from asked import play

play(name=b"a\0b\n")
