"""Writes a byte every 50 ms and never a line feed: a deadline that each byte extended would never expire."""

import select

from asked import play_until_action, say

play_until_action()
while True:
    say(b"N")
    select.select([], [], [], 0.05)
