"""Plays correctly and leaves a daemon that has already exited: nothing shows which player it belonged to."""

import os

from asked import log, play

if not (child := os.fork()):
    os.setsid()
    if daemon := os.fork():
        log(f"child {daemon}")
    os._exit(0)
os.waitpid(child, 0)
play()
