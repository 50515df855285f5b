"""Prints debug messages to stdout."""

from parts import requests, say

for lines in requests():
    say("bot\n" if lines == ["getName"] else "moves: 3\nN\n")
