"""Plays correctly and leaves a daemon: forked twice, in a new session, and without a wait for its parent."""

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
