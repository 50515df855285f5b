"""Asks for the next request in the same breath as it answers one."""

from parts import requests, say

for lines in requests():
    say("bot\n" if lines == ["getName"] else "N\nnext? ")
