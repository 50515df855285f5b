"""Answers each request after its first line and does not read the rest."""

import os

from asked import answer, rest

os.read(0, len(b"getName\n"))
answer("getName")
os.read(0, len(b"getAction\n"))
answer("getAction")
rest()
