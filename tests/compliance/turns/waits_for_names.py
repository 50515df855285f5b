import sys

for line in sys.stdin:
    if line == "getName\n":
        print("bot", flush=True)
