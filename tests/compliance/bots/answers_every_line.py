"""Answers each line as if it were a request."""

import sys

for line in sys.stdin:
    print("bot" if line == "getName\n" else "N", flush=True)
