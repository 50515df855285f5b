"""Writes a prompt for the next request after each answer."""

from parts import requests, say

for lines in requests():
    say("bot\n" if lines == ["getName"] else "N\nnext? ")
