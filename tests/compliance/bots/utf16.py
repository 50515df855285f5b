"""Writes two bytes a letter."""

import os

from parts import requests

for lines in requests():
    os.write(1, b"bot\n" if lines == ["getName"] else "N\n".encode("utf-16-le"))
