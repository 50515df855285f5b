"""Plays correctly and leaves a daemon that has already exited: nothing shows which player it belonged to."""

import os

from asked import log, play

first, second = os.pipe()
if not os.fork():
    os.setsid()
    if daemon := os.fork():
        log(f"child {daemon}")
        os._exit(0)
    os._exit(0)
os.close(second)
os.read(first, 1)
play()
