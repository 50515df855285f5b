import threading

from hunter import read, say

read()
say()
threading.Event().wait()
