"""Answers a name in cp1251."""

from asked import play

play(name="Питон\n".encode("cp1251"))
