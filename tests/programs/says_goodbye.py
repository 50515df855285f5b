"""Plays correctly and writes to stderr when its input ends."""

from asked import log, play

play()
log("goodbye")
