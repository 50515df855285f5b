"""Omits the last line feed."""

from turned import read, say

read()
say(b"4\nN\nmemory")
