"""Stops itself: only SIGKILL and SIGCONT affect a stopped process."""

import os
import signal

from asked import play_until_action

play_until_action()
os.kill(os.getpid(), signal.SIGSTOP)
