"""Writes one line and ends."""

from turned import read, say

read()
say(b"4\n")
