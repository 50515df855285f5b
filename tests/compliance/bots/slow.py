"""Computes for 2 s when its python has no body."""

import time

from parts import own, requests, say

for lines in requests():
    if lines != ["getName"] and own(lines)[1] == 1:
        end = time.process_time() + 2
        while time.process_time() < end:
            pass
    say("bot\n" if lines == ["getName"] else "N\n")
