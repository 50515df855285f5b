"""Answers its name before the request."""

from asked import answer, log, rest

answer("getName")
log("ready")
rest()
