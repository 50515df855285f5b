"""Two letters for one."""

from asked import play

play(action=b"NN\n")
