"""Writes words around its answer."""

from parts import play

play("bot\n", "I go N\n")
