"""Crashes before it answers."""

from turned import read

raise RuntimeError(f"no way with {len(read())} bytes")
