"""Writes a megabyte to stderr before its answer."""

from turned import log, read, say

read()
for _ in range(16):
    log("x" * 65535)
say()
