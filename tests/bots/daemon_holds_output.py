"""Ends, and leaves a daemon that holds its output open and says nothing."""

import os

from asked import log, play_until_action, rest

play_until_action()
if not os.fork():
    os.setsid()
    log(f"child {os.getpid()}")
    rest()
raise SystemExit(5)
