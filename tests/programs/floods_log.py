"""Writes 10 MB to stderr before each answer."""

import os

from asked import answer, requests

for request in requests():
    for _ in range(160):
        os.write(2, b"x" * 65535 + b"\n")
    answer(request)
