"""Writes one byte more than is allowed and exits with status 0."""

from turned import read, say

read()
say(b"N" * 4095 + b"\n\n")
