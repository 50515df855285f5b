"""Bots are built before they play: in a jail, once, and kept until something changes that they were made of."""

from referee.building.cache import Cache, builds_folder
from referee.building.failure import BuildFailed
from referee.building.ready import BuildResult, each, ready

__all__ = ["BuildFailed", "BuildResult", "Cache", "builds_folder", "each", "ready"]
