"""Ends well, without a word."""

from turned import read

read()
