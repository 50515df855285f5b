"""Exits before the first request and leaves a daemon that plays in its place."""

import os

from asked import log, play

parent = os.getpid()
if os.fork():
    os._exit(6)
os.setsid()
while os.getppid() == parent:
    os.sched_yield()
log(f"child {os.getpid()}")
log("ready")
play()
