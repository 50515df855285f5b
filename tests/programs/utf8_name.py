"""Answers a name in UTF-8."""

from asked import play

play(name="Питон 🐍\n".encode())
