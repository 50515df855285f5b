"""Answers its name before the request."""

from parts import play, say

say("bot\n")
play()
