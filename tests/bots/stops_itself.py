"""Stops itself, so that no signal but one reaches it."""

import os
import signal

from asked import play_until_action

play_until_action()
os.kill(os.getpid(), signal.SIGSTOP)
