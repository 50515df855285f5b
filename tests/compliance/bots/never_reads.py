"""Does nothing at all."""

import threading

threading.Event().wait()
