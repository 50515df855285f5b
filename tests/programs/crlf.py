"""Ends its lines with CR LF."""

from asked import play

play(name=b"windows\r\n", action=b"N\r\n")
