"""Exits after eight moves."""

from itertools import islice

from parts import requests, say

for lines in islice(requests(), 9):
    say("bot\n" if lines == ["getName"] else "N\n")
