"""Plays well and leaves two daemons that cannot be found by their environment: one has an empty one, the other its own."""

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
os.read(first, 1)  # ends when both are on their way: exec closes the pipe
play()
