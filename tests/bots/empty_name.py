"""No name at all."""

from asked import play

play(name=b"\n")
