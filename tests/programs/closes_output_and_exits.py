"""Closes its output and exits a moment later."""

import os
import select

from asked import play_until_action

play_until_action()
os.close(1)
select.select([], [], [], 0.1)
os._exit(7)
