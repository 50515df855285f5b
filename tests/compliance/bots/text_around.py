"""Speaks in whole sentences."""

from parts import play

play("bot\n", "I go N\n")
