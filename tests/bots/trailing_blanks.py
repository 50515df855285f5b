"""Writes blanks, a tab and a carriage return behind its letter."""

from asked import play

play(action=b"N \t  \r\n")
