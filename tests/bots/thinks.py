"""Says that it thinks, and answers when it is told to: by a byte through the pipe that its one argument names."""

import sys

from asked import answer, log, requests

for request in requests():
    if request == "getAction" and len(sys.argv) > 1:
        log("thinking")
        with open(sys.argv[1], "rb") as told:
            told.read(1)
    answer(request)
