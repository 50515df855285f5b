"""Plays by the book."""

from parts import play

play()
