"""Answers a complete line of 1,025 bytes in one write."""

from asked import play

play(action=b"N" + b" " * 1024 + b"\n")
