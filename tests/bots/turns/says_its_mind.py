"""Answers with its whole request, and says so in its log."""

from turned import log, read, say

request = read()
log(f"{len(request)} bytes")
say(request)
