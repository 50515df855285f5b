"""Plays by the book and takes its leave when its input ends."""

from asked import log, play

play()
log("goodbye")
