"""Prints its answers, which stay in the buffer of Python."""

from parts import requests

for lines in requests():
    print("bot" if lines == ["getName"] else "N")
