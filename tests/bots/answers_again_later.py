"""Answers, and once that is read answers again, when nobody asks any more."""

import fcntl
import os
import termios

from asked import answer, log, play_until_action, requests

play_until_action()
answer("getAction")
while any(fcntl.ioctl(1, termios.FIONREAD, bytes(4))):
    os.sched_yield()
answer("getAction")
log("ready")
for _ in requests():
    pass
