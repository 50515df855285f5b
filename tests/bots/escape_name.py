"""A name that turns the terminal red."""

from asked import play

play(name=b"\x1b[31mred\n")
