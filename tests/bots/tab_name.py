"""A name with a tab in it."""

from asked import play

play(name=b"a\tb\n")
