"""Asks whether anybody is there, when it has not been asked for a while."""

import select
import sys

from parts import requests, say

for lines in requests():
    say("bot\n" if lines == ["getName"] else "N\n")
    if lines != ["getName"] and not select.select([sys.stdin], [], [], 0.6)[0]:
        say("hello?\n")
