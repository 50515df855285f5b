"""Writes half a line and exits."""

from asked import play_until_action, say

play_until_action()
say(b"N")
