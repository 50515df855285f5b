"""Ignores what asks it to leave, and the end of its input too."""

import signal

from asked import log, play, rest

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
log("ready")
play()
rest()
