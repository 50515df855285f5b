"""A player of SnakeCore that waits, in Python."""

import sys

while line := sys.stdin.readline():
    if line == "getName\n":
        print("in Python", flush=True)
        continue
    size = int(sys.stdin.readline())
    heads = sum(sys.stdin.readline().count("p") for _ in range(size))
    for _ in range(heads):
        sys.stdin.readline()
    print("N", flush=True)
