"""Answers and exits with status 3."""

from turned import read, say

read()
say()
raise SystemExit(3)
