"""Asks for its input like a program for people."""

from parts import requests, say

say("> ")
for lines in requests():
    say("bot\n> " if lines == ["getName"] else "N\n> ")
