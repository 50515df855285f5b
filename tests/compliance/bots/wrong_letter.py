"""Answers with an unknown letter."""

from parts import play

play("bot\n", "X\n")
