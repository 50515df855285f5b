"""Reads everything and says nothing."""

from asked import play_until_action, rest

play_until_action()
rest()
