"""Closes its input and lives on."""

import os

from asked import play_until_action, rest

play_until_action()
os.close(0)
rest()
