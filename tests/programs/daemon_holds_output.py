"""Exits and leaves a daemon that keeps its output open and writes nothing."""

import os

from asked import log, play_until_action, rest

play_until_action()
ready, tell = os.pipe()
child = os.fork()
if not child:
    os.setsid()
    os.write(tell, b"!")
    rest()
os.read(ready, 1)  # the daemon has a session of its own
log(f"child {child}")
raise SystemExit(5)
