"""Exits with status 0 and without an answer."""

from turned import read

read()
