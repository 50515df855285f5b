"""Ends its lines with CR LF, as on Windows."""

from parts import play

play("bot\r\n", "N\r\n")
