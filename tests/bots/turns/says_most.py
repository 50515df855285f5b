"""Writes as many bytes as it may."""

from turned import read, say

read()
say(b"4\nN\n" + b"m" * 4092)
