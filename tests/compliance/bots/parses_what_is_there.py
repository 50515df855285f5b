"""Takes what has arrived for a whole request, and finds its own python in it."""

import os

while data := os.read(0, 65536):
    if data.startswith(b"getName"):
        os.write(1, b"bot\n")
    else:
        lines = data.decode().splitlines()
        own, *rivals = lines[2 + int(lines[1]) :]
        assert len(rivals) + 1 == data.count(b"p"), "a python is missing"
        os.write(1, b"N\n")
