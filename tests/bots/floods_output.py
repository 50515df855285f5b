"""Writes and writes and never ends a line."""

from asked import play_until_action, say

play_until_action()
while True:
    say(b"N" * 65536)
