"""Two answers in one write."""

from asked import play

play(action=b"N\nN\n")
