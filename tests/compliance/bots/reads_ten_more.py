"""Reads ten lines more than the request has."""

import sys

from parts import requests, say

for lines in requests():
    if lines != ["getName"]:
        for _ in range(10):
            sys.stdin.buffer.readline()
    say("bot\n" if lines == ["getName"] else "N\n")
