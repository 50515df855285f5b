"""Plays correctly."""

from parts import play

play()
