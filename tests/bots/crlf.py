"""Ends its lines as Windows does."""

from asked import play

play(name=b"windows\r\n", action=b"N\r\n")
