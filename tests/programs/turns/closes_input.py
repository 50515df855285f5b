"""Closes its input before it answers."""

import os

from turned import say

os.close(0)
say()
