"""Ends its lines as Windows does."""

from parts import play

play("bot\r\n", "N\r\n")
