"""Closes its output and takes a moment to end."""

import os
import select

from asked import play_until_action

play_until_action()
os.close(1)
select.select([], [], [], 0.1)
os._exit(7)
