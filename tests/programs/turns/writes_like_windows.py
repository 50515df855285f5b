"""Ends its lines with CR LF and writes one line more than the answer has."""

from turned import read, say

read()
say(b"4\r\nN\r\nmemory\r\nand more\r\n")
