"""Kits to begin with: a first bot in a language, and all that the people of a contest need."""
