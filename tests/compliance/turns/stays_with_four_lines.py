import sys

for line in sys.stdin:
    if line == "getName\n":
        print("bot", flush=True)
    elif line == "getAction\n":
        for _ in range(6):
            input()
        print("9\nN\nmine\ndone", flush=True)
