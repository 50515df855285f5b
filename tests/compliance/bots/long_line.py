"""Draws the whole board into its answer."""

from parts import play

play("bot\n", "." * 5000 + "\n")
