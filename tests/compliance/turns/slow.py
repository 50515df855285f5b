import time

from hunter import read, say

read()
while time.process_time() < 1.3:
    pass
say()
