"""Computes without end."""

from turned import read

read()
while True:
    pass
