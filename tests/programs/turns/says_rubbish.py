"""Writes an invalid answer."""

from turned import read, say

read()
say(b"rubbish\n")
