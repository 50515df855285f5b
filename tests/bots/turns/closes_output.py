"""Closes its output without a word, and goes on running."""

import os

from turned import read, rest

read()
os.close(1)
rest()
