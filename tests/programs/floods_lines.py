"""Writes lines forever."""

from asked import play_until_action, say

play_until_action()
while True:
    say(b"N\n" * 1000)
