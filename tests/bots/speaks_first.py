"""Says its name before it is asked."""

from asked import answer, log, rest

answer("getName")
log("ready")
rest()
