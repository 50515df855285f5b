"""Writes what is no answer."""

from turned import read, say

read()
say(b"rubbish\n")
