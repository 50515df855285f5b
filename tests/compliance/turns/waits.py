import threading

from hunter import read

read()
threading.Event().wait()
