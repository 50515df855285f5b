"""Ends its lines as Windows does, and writes more of them than it has to."""

from turned import read, say

read()
say(b"4\r\nN\r\nmemory\r\nand more\r\n")
