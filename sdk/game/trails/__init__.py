"""Trails: a game for programs, as a plug-in of the referee. The rules are in README.md."""

from trails.plugin import GAME

__all__ = ["GAME"]
