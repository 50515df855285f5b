"""Prints its answers and never flushes: they stay in Python's buffer."""

from parts import requests

for lines in requests():
    print("bot" if lines == ["getName"] else "N")
