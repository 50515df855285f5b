"""Asks for the next request as soon as it has answered one."""

from parts import requests, say

for lines in requests():
    say("bot\n" if lines == ["getName"] else "N\n")
    if lines != ["getName"]:
        say("next? ")
