"""Does not expect the end of its input."""

from parts import play

play()
raise EOFError("no more requests")
