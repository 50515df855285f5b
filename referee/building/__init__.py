"""Builds bots before they play, in a jail, and keeps the results until something changes."""

from referee.building.failure import BuildFailed
from referee.building.ready import BuildResult, each, ready
from referee.cache import Cache, builds_folder

__all__ = ["BuildFailed", "BuildResult", "Cache", "builds_folder", "each", "ready"]
