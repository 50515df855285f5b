"""Reads its request and does nothing."""

from turned import read, rest

read()
rest()
