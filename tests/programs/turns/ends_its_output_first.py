"""Closes its output after the answer, and exits a moment later."""

import os

from turned import log, read, say

read()
say()
os.close(1)
log("a last word")
