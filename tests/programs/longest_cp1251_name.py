"""Answers a name of exactly 32 characters in cp1251."""

from asked import play

play(name="Очень большой, очень старый Удав\n".encode("cp1251"))
