"""Builds bots before they play, in a jail, and keeps the results until something changes."""

from referee.building.failure import BuildFailed
from referee.building.ready import BuildResult, build_each, ready

__all__ = ["BuildFailed", "BuildResult", "build_each", "ready"]
