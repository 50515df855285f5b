"""SnakeCore: pythons gather blocks, bite blocks off each other and deliver to reactors. The rules are in README.md."""

from typing import Final

MAIN: Final = True
"""Commands without `--game` use this game."""
