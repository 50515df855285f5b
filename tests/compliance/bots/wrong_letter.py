"""Wants to go north."""

from parts import play

play("bot\n", "X\n")
