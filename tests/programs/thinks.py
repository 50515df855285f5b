"""Writes `thinking` to stderr and answers when a byte arrives through the pipe that its argument names."""

import sys

from asked import answer, log, requests

for request in requests():
    if request == "getAction" and len(sys.argv) > 1:
        log("thinking")
        with open(sys.argv[1], "rb") as pipe:
            pipe.read(1)
    answer(request)
