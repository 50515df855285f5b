"""Closes its input and keeps running."""

import os

from asked import play_until_action, rest

play_until_action()
os.close(0)
rest()
