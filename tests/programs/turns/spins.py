"""Computes forever."""

from turned import read

read()
while True:
    pass
