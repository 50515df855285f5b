"""Takes each line for a request."""

import sys

for line in sys.stdin:
    print("bot" if line == "getName\n" else "N", flush=True)
