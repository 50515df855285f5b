"""Allocates more memory than a player may use when its python has no body."""

from parts import own, requests, say

for lines in requests():
    if lines != ["getName"] and own(lines)[1] == 1:
        print(len(bytearray(1 << 40)))
    say("bot\n" if lines == ["getName"] else "N\n")
