"""Gives its name before it is asked for it."""

from parts import play, say

say("bot\n")
play()
