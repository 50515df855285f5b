"""Writes bytes that are no text."""

from turned import read, say

read()
say(b"4\nN\n\xff\x00\xfe\n")
