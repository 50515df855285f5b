"""Plays correctly and leaves children in its group: they ignore SIGTERM and have its descriptors and no environment."""

import os
import signal
import sys

from asked import log, play

signal.signal(signal.SIGTERM, signal.SIG_IGN)
first, second = os.pipe()
for _ in range(3):
    if not (child := os.fork()):
        os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", "import signal; signal.pause()"], {})
    log(f"child {child}")
os.close(second)
os.read(first, 1)  # returns when all have started: exec closes the pipe
play()
