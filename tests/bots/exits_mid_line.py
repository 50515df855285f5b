"""Half a line, then the end."""

from asked import play_until_action, say

play_until_action()
say(b"N")
