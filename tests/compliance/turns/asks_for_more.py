import sys

while True:
    sys.stdin.readline()
