"""Answers and kills itself with a signal."""

import os
import signal

from turned import read, say

read()
say()
os.kill(os.getpid(), signal.SIGUSR1)
