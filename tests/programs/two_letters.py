"""Answers two letters instead of one."""

from asked import play

play(action=b"NN\n")
