"""Waits for a lock that is never released when its python has no body."""

import threading

from parts import own, requests, say

lock = threading.Lock()
lock.acquire()
for lines in requests():
    if lines != ["getName"] and own(lines)[1] == 1:
        lock.acquire()
    say("bot\n" if lines == ["getName"] else "N\n")
