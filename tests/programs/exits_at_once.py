"""Exits before the first request."""

raise SystemExit(3)
