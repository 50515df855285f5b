"""Closes its output without an answer and keeps running."""

import os

from turned import read, rest

read()
os.close(1)
rest()
