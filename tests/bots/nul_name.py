"""A name with a NUL byte in it."""

from asked import play

play(name=b"a\0b\n")
