"""Plays correctly and leaves two daemons, one with an empty environment and one with a different environment."""

import os

from asked import log, play

first, second = os.pipe()
for environment in ({}, {"HOME": "/"}):
    if not (child := os.fork()):
        os.setsid()
        if daemon := os.fork():
            log(f"child {daemon}")
            os._exit(0)
        os.execve("/bin/sleep", ["sleep", "100"], environment)
    os.waitpid(child, 0)
os.close(second)
os.read(first, 1)  # returns when both have started: exec closes the pipe
play()
