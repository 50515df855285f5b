"""Answers, exits and leaves a daemon that keeps its output open."""

import os

from turned import log, read, rest, say

read()
told, tells = os.pipe()
if not os.fork():
    os.setsid()
    log(f"child {os.getpid()}")
    os.write(tells, b".")
    rest()
os.read(told, 1)
say()
