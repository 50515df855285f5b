"""Answers twice."""

from parts import play

play("bot\n", "N\nN\n")
