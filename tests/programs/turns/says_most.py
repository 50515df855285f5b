"""Writes as many bytes as are allowed."""

from turned import read, say

read()
say(b"4\nN\n" + b"m" * 4092)
