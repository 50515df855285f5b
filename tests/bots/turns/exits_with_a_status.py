"""Answers, and ends as if something had gone wrong."""

from turned import read, say

read()
say()
raise SystemExit(3)
