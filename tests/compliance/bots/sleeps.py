"""Sleeps for 2 s when its python has no body."""

import threading

from parts import own, requests, say

for lines in requests():
    if lines != ["getName"] and own(lines)[1] == 1:
        threading.Event().wait(2)
    say("bot\n" if lines == ["getName"] else "N\n")
