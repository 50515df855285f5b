"""Writes blanks, a tab and a carriage return after its letter."""

from asked import play

play(action=b"N \t  \r\n")
