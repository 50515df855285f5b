"""Builds of bots, each in its own jail."""
