"""Answers a name with an escape sequence that turns the terminal red."""

from asked import play

play(name=b"\x1b[31mred\n")
