"""Reads its request and does not answer."""

from turned import read, rest

read()
rest()
