"""Writes a byte more than it may, and ends well."""

from turned import read, say

read()
say(b"N" * 4095 + b"\n\n")
