"""Plays by the book."""

from asked import play

play()
