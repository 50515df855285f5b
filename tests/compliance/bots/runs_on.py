"""Goes on when its input has ended."""

from parts import play

play()
while True:
    pass
