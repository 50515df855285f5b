"""Writes bytes that are not text."""

from turned import read, say

read()
say(b"4\nN\n\xff\x00\xfe\n")
