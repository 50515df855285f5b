"""Answers a name of 33 characters in UTF-8."""

from asked import play

play(name="Питон Питон Питон Питон Питон 🐍🐍🐍\n".encode())
