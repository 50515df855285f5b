"""Prints nothing but a line end."""

from parts import play

play("bot\n", "\n")
