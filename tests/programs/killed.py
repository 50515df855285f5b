"""Kills itself with a signal."""

import os
import signal

from asked import play_until_action

play_until_action()
os.kill(os.getpid(), signal.SIGUSR1)
