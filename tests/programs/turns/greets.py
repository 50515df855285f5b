"""Writes to stderr before it reads."""

from turned import log, read, say

log("hello")
read()
say()
