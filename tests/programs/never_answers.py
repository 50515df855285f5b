"""Reads everything and does not answer getAction."""

from asked import play_until_action, rest

play_until_action()
rest()
