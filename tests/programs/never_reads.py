"""Reads nothing after its first request."""

import os

from asked import answer, rest

os.read(0, len(b"getName\n"))
answer("getName")
rest()
