"""Ignores SIGTERM, SIGINT, SIGHUP and the end of its input."""

import signal

from asked import log, play, rest

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
log("ready")
play()
rest()
