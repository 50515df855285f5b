"""Writes one line that never ends."""

from asked import play_until_action, say

play_until_action()
while True:
    say(b"N" * 65536)
