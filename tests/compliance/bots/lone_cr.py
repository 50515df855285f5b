"""Ends its lines as the first Macintosh did."""

from parts import play

play("bot\r", "N\r")
