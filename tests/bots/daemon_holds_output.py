"""Exits and leaves a daemon that keeps its output open and writes nothing."""

import os

from asked import log, play_until_action, rest

play_until_action()
if not os.fork():
    os.setsid()
    log(f"child {os.getpid()}")
    rest()
raise SystemExit(5)
