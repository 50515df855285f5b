"""Answers in lower case."""

from parts import play

play("bot\n", "n\n")
