"""Writes a byte every 0.1 s forever."""

import os
import select

from turned import read

read()
while True:
    os.write(1, b"N")
    select.select([], [], [], 0.1)
