"""Answers, exits and leaves children in its group."""

import os

from turned import log, read, rest, say

read()
for _ in range(2):
    child = os.fork()
    if not child:
        rest()
    log(f"child {child}")
say()
