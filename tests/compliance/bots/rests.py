"""Waits 0.2 s before each answer."""

import threading

from parts import requests, say

for lines in requests():
    threading.Event().wait(0.2)
    say("bot\n" if lines == ["getName"] else "N\n")
