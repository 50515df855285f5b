"""Writes forever."""

from turned import read, say

read()
while True:
    say(b"N" * 65536)
