"""Answers a line of exactly 1,024 bytes."""

from asked import play

play(action=b"N" + b" " * 1023 + b"\n")
