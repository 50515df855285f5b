"""Its lines end with a carriage return and a line feed, and with nothing less."""

import os

from parts import say

line = b""
while byte := os.read(0, 1):
    line += byte
    if line.endswith(b"\r\n"):
        if line == b"getName\r\n":
            say("bot\n")
        line = b""
