"""Answers with its complete request and writes its length to stderr."""

from turned import log, read, say

request = read()
log(f"{len(request)} bytes")
say(request)
