"""Plays well and leaves a daemon: forked twice, in a session of its own, its parent not waited for."""

import os

from asked import log, play, rest

first, second = os.pipe()
if not os.fork():
    os.setsid()
    if daemon := os.fork():
        log(f"child {daemon}")
        os._exit(0)
    os.close(second)
    rest()
os.close(second)
os.read(first, 1)
play()
