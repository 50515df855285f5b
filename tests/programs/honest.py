"""Plays correctly."""

from asked import play

play()
