"""Answers and, when the referee has read the answer, answers again without a request."""

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
